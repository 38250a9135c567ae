import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { cancelMessage, sendMessage } from "../../generated/client/messages.ts";
import type { Message, SendMessageRequest } from "../../generated/models/messages.ts";
import { operations } from "../../generated/operations.ts";
import { Desk, type DeskParts } from "./desk.ts";
import type { KeyedSends, KeyOf } from "./keyed-sends.ts";
import type { Random } from "./random.ts";
import { recipient, type SoakedOrganization } from "./soaked-organizations.ts";
import { soakedNow } from "./soaked-time.ts";

export interface MessengerParts extends DeskParts {
  /** Each of which sends under each key. They live by a real clock: keys are kept for a time. */
  readonly organizations: readonly SoakedOrganization[];
  readonly sends: KeyedSends;
  readonly random: Random;
  /** Where the servers' time begins, as they are told. */
  readonly start: number;
}

const underKey = (key: string) => ({ [operations.sendMessage.idempotencyHeader.toLowerCase()]: key });

/** Sends that are begun at once by each organization. */
const burst = 12;

/** A send: who sends what under which key. */
interface Sending {
  readonly by: SoakedOrganization;
  readonly key: string;
  readonly body: SendMessageRequest;
}

const keyOf = ({ by, key }: Sending): KeyOf => ({ organizationId: by.id, key });

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
    this.#desks = Array.from({ length: burst * parts.organizations.length }, () => new Desk(parts));
  }

  /** How many requests of it wait for their answers. */
  get underway(): number {
    return this.#desks.filter((desk) => desk.underway).length;
  }

  async run(stop: AbortSignal): Promise<void> {
    const { random } = this.#parts;
    while (!stop.aborted) {
      const sendings = Array.from({ length: burst }, () => this.#newSendings()).flat();
      await Promise.all(sendings.map((sending, index) => this.#sendOne(this.#desks[index] as Desk, sending, stop)));
      await pause(random.between(leastRest, mostRest), undefined, { signal: stop }).catch(() => undefined);
    }
  }

  async #sendOne(desk: Desk, sending: Sending, stop: AbortSignal): Promise<void> {
    const { random, moments } = this.#parts;
    const { by, key, body } = sending;
    const id = await this.#send(desk, sending, stop);
    if (id === null) return;
    moments.happens("a message is taken");
    const other: Sending = { ...sending, body: { ...body, body: `not ${key}` } };
    if (random.fraction() < 0.2) await this.#sendOther(desk, other, stop);
    if (random.fraction() < 0.3) await this.#cancel(desk, id, by, stop);
  }

  /** The same message under one key for each organization. */
  #newSendings(): readonly Sending[] {
    const key = randomUUID();
    const body = this.#newBody(key);
    return this.#parts.organizations.map((by) => ({ by, key, body }));
  }

  #newBody(key: string): SendMessageRequest {
    const { random, start } = this.#parts;
    // No two have the same text, so that messages tell which key they came under.
    const now = { to: recipient, body: key };
    if (random.fraction() < 0.5) return now;
    const ahead = random.between(leastAhead, mostAhead);
    return { ...now, scheduled_at: new Date(soakedNow(start) + ahead).toISOString() };
  }

  /** Sends until there is an answer, and at times once more. Gives the message's id; null when there is none. */
  async #send(desk: Desk, sending: Sending, stop: AbortSignal): Promise<Message["id"] | null> {
    const { sends, random, ledger, start } = this.#parts;
    const of = keyOf(sending);
    sends.begin(of);
    let isLate = false;
    let answers = random.fraction() < 0.3 ? 2 : 1;
    let id: string | null = null;
    while (answers > 0 && !stop.aborted) {
      const sentAt = soakedNow(start);
      const answer = await this.#ask(desk, sending);
      if (answer === null) {
        isLate = true;
        await pause(retryPause);
        continue;
      }
      if (!answer.ok) {
        ledger.refused("sendMessage", `${answer.status} ${answer.error.code}`);
        sends.refuse(of, `${answer.status} ${answer.error.code}`);
        return id;
      }
      const { data } = answer;
      sends.take(of, data, isLate && Date.parse(data.created_at) < sentAt);
      id = data.id;
      answers--;
    }
    return id;
  }

  /** One try; null where no answer came. */
  #ask(desk: Desk, { by, key, body }: Sending) {
    return desk.orLost((caller) => sendMessage(caller, { headers: underKey(key), body }), by.key);
  }

  /** Sends something else under a key that is taken until there is an answer, which has to be a refusal. */
  async #sendOther(desk: Desk, sending: Sending, stop: AbortSignal): Promise<void> {
    const { sends } = this.#parts;
    while (!stop.aborted) {
      const answer = await this.#ask(desk, sending);
      if (answer === null) await pause(retryPause);
      else return answer.ok ? sends.takeOther(keyOf(sending)) : undefined;
    }
  }

  /** Cancels until there is an answer. A message that is on its way by then goes on. */
  async #cancel(desk: Desk, id: string, by: SoakedOrganization, stop: AbortSignal): Promise<void> {
    const { sends, ledger } = this.#parts;
    while (!stop.aborted) {
      const answer = await desk.orLost((caller) => cancelMessage(caller, { path: { id } }), by.key);
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
