import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { cancelMessage, sendMessage } from "../../generated/client/messages.ts";
import type { Message, SendMessageRequest } from "../../generated/models/messages.ts";
import { operations } from "../../generated/operations.ts";
import { Desk, type DeskParts } from "./desk.ts";
import type { KeyedSends } from "./keyed-sends.ts";
import type { Random } from "./random.ts";
import { recipient, type SoakedOrganization } from "./soaked-organizations.ts";
import { soakedNow } from "./soaked-time.ts";

export interface MessengerParts extends DeskParts {
  /** Whose messages they are. It lives by a real clock: keys are kept for a time. */
  readonly organization: SoakedOrganization;
  readonly sends: KeyedSends;
  readonly random: Random;
  /** Where the servers' time begins, as they are told. */
  readonly start: number;
}

const underKey = (key: string) => ({ [operations.sendMessage.idempotencyHeader.toLowerCase()]: key });

/** Sends that are begun at once. */
const burst = 24;

/** Real milliseconds between two bursts. */
const leastRest = 100;
const mostRest = 400;

/** Real milliseconds after which a call without an answer is made again. */
const retryPause = 25;

/**
 * Milliseconds of the servers' time that a message is scheduled ahead: up to ten real seconds. A server that starts late
 * finds some in the past, and refuses them.
 */
const leastAhead = 600_000;
const mostAhead = 2_000_000;

/** Sends messages under keys, many at once, each of them again and again until it is answered. */
export class Messenger {
  readonly #parts: MessengerParts;
  readonly #desks: readonly Desk[];

  constructor(parts: MessengerParts) {
    this.#parts = parts;
    this.#desks = Array.from({ length: burst }, () => new Desk(parts));
  }

  /** How many requests of it wait for their answers. */
  get underway(): number {
    return this.#desks.filter((desk) => desk.underway).length;
  }

  async run(stop: AbortSignal): Promise<void> {
    const { random } = this.#parts;
    while (!stop.aborted) {
      await Promise.all(this.#desks.map((desk) => this.#sendOne(desk, stop)));
      await pause(random.between(leastRest, mostRest), undefined, { signal: stop }).catch(() => undefined);
    }
  }

  async #sendOne(desk: Desk, stop: AbortSignal): Promise<void> {
    const { random, moments } = this.#parts;
    const key = randomUUID();
    const body = this.#newBody(key);
    const id = await this.#send(desk, key, body, stop);
    if (id === null) return;
    moments.happens("a message is taken");
    if (random.fraction() < 0.2) await this.#sendOther(desk, key, { ...body, body: `not ${key}` }, stop);
    if (random.fraction() < 0.3) await this.#cancel(desk, id, stop);
  }

  #newBody(key: string) {
    const { random, start } = this.#parts;
    // No two have the same text, so that messages tell which key they came under.
    const now = { to: recipient, body: key };
    if (random.fraction() < 0.5) return now;
    const ahead = random.between(leastAhead, mostAhead);
    return { ...now, scheduled_at: new Date(soakedNow(start) + ahead).toISOString() };
  }

  /** Sends until there is an answer, and at times once more. Gives the message's id; null when there is none. */
  async #send(desk: Desk, key: string, body: SendMessageRequest, stop: AbortSignal): Promise<Message["id"] | null> {
    const { organization, sends, random, ledger, start } = this.#parts;
    sends.begin(key);
    let isLate = false;
    let answers = random.fraction() < 0.3 ? 2 : 1;
    let id: string | null = null;
    while (answers > 0 && !stop.aborted) {
      const sentAt = soakedNow(start);
      const answer = await desk.orLost(
        (caller) => sendMessage(caller, { headers: underKey(key), body }),
        organization.key,
      );
      if (answer === null) {
        isLate = true;
        await pause(retryPause);
        continue;
      }
      if (!answer.ok) {
        ledger.refused("sendMessage", `${answer.status} ${answer.error.code}`);
        sends.refuse(key, `${answer.status} ${answer.error.code}`);
        return id;
      }
      const { data } = answer;
      sends.take(key, data, isLate && Date.parse(data.created_at) < sentAt);
      id = data.id;
      answers--;
    }
    return id;
  }

  /** Sends something else under a key that is taken until there is an answer, which has to be a refusal. */
  async #sendOther(desk: Desk, key: string, body: SendMessageRequest, stop: AbortSignal): Promise<void> {
    const { organization, sends } = this.#parts;
    while (!stop.aborted) {
      const answer = await desk.orLost(
        (caller) => sendMessage(caller, { headers: underKey(key), body }),
        organization.key,
      );
      if (answer === null) await pause(retryPause);
      else return answer.ok ? sends.takeOther(key) : undefined;
    }
  }

  /** Cancels until there is an answer. A message that is on its way by then goes on. */
  async #cancel(desk: Desk, id: string, stop: AbortSignal): Promise<void> {
    const { organization, sends, ledger } = this.#parts;
    while (!stop.aborted) {
      const answer = await desk.orLost((caller) => cancelMessage(caller, { path: { id } }), organization.key);
      if (answer === null) {
        await pause(retryPause);
        continue;
      }
      if (answer.ok) return sends.cancel(id, true);
      if (answer.error.row === "MessageNotCancelable") return sends.cancel(id, false);
      return ledger.refused("cancelMessage", `${answer.status} ${answer.error.code}`);
    }
  }
}
