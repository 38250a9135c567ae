import { setTimeout as pause } from "node:timers/promises";
import { createApiKey, rotateApiKey } from "../../generated/client/api-keys.ts";
import { replayDelivery } from "../../generated/client/deliveries.ts";
import { advanceClock, revokeOrganizationKey } from "../../generated/client/sandbox-organizations.ts";
import { emitEvent } from "../../generated/client/sandbox-webhooks.ts";
import { testWebhookEndpoint } from "../../generated/client/webhooks.ts";
import type { EventType } from "../../generated/events.ts";
import { scopes } from "../../generated/scopes.ts";
import { Desk, type DeskParts } from "./desk.ts";
import { changeOfKey } from "./ledger.ts";
import type { Random } from "./random.ts";
import { readPage } from "./read-feed.ts";
import { otherTypes, type SoakedOrganization } from "./soaked-organizations.ts";

export interface WriterParts extends DeskParts {
  readonly organizations: readonly SoakedOrganization[];
  readonly sandboxToken: string;
  readonly random: Random;
}

/** Deliveries on their way above which writers wait: they must all be made before the run can end. */
const mostWaiting = 400;

/** Milliseconds that a writer rests at most after each request. */
const longestRest = 40;

/** Creates events in all the ways that there are, one request at a time, until it is told to stop. */
export class Writer {
  readonly #parts: WriterParts;
  /** Keys that nothing but their creation is known to have happened to, and their owners. */
  readonly #keys: { readonly id: string; readonly organization: SoakedOrganization }[] = [];
  readonly #desk: Desk;

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#desk = new Desk(parts);
  }

  /** Whether a request of it waits for its answer. */
  get underway(): boolean {
    return this.#desk.underway;
  }

  async run(stop: AbortSignal): Promise<void> {
    const { random, ledger, server } = this.#parts;
    const someone = () => random.oneOf(this.#parts.organizations);
    const advance = () => this.#advance();
    const weighted: readonly (readonly [weight: number, act: () => Promise<void>])[] = [
      [3, () => this.#test(someone())],
      [4, () => this.#emit(someone())],
      [3, () => this.#createKey(someone())],
      [2, () => this.#rotateKey()],
      [1, () => this.#revokeKey()],
      [2, () => this.#replay(someone())],
      [1, advance],
    ];
    const acts = weighted.flatMap(([weight, act]) => Array.from({ length: weight }, () => act));
    while (!stop.aborted) {
      const act = ledger.waiting < mostWaiting ? random.oneOf(acts) : advance;
      if (server() !== null) await act();
      await pause(random.between(0, longestRest), undefined, { signal: stop }).catch(() => undefined);
    }
  }

  async #test(organization: SoakedOrganization): Promise<void> {
    const endpoint = this.#parts.random.oneOf(organization.endpoints);
    await this.#desk.ask(
      "testWebhookEndpoint",
      organization.key,
      (caller) => testWebhookEndpoint(caller, { path: { id: endpoint.id } }),
      (by, { event_id: event }) => this.#parts.ledger.promise(by, event, [endpoint]),
    );
  }

  async #emit(organization: SoakedOrganization): Promise<void> {
    const { random, ledger, sandboxToken } = this.#parts;
    const type = random.oneOf(otherTypes);
    const body = { type, data: { text: "soak ".repeat(random.between(0, 200)) } };
    const endpoints = subscribers(organization, type);
    await this.#desk.ask(
      "emitEvent",
      sandboxToken,
      (caller) => emitEvent(caller, { path: { id: organization.id }, body }),
      (by, { event_id: event, deliveries }) => {
        ledger.promise(by, event, endpoints);
        if (deliveries !== endpoints.length)
          ledger.contradicts(`${event} went to ${deliveries} endpoints, and ${endpoints.length} subscribe to it`);
      },
    );
  }

  async #createKey(organization: SoakedOrganization): Promise<void> {
    await this.#desk.ask(
      "createApiKey",
      organization.key,
      (caller) => createApiKey(caller, { body: { label: "made", scopes: scopes.slice(0, 1) } }),
      (by, { id }) => {
        this.#parts.ledger.promise(by, changeOfKey("created", id), keySubscribers(organization, "created"));
        this.#keys.push({ id, organization });
      },
    );
  }

  /** Each key is rotated once at most, so that there is one event to look for. */
  async #rotateKey(): Promise<void> {
    const key = this.#keys.shift();
    if (key === undefined) return;
    const { id, organization } = key;
    await this.#desk.ask(
      "rotateApiKey",
      organization.key,
      (caller) => rotateApiKey(caller, { path: { id } }),
      (by) => this.#parts.ledger.promise(by, changeOfKey("rotated", id), keySubscribers(organization, "rotated")),
    );
  }

  async #revokeKey(): Promise<void> {
    const key = this.#keys.shift();
    if (key === undefined) return;
    const { id, organization } = key;
    await this.#desk.ask(
      "revokeOrganizationKey",
      this.#parts.sandboxToken,
      (caller) => revokeOrganizationKey(caller, { path: { id: organization.id, key_id: id } }),
      (by) => this.#parts.ledger.promise(by, changeOfKey("revoked", id), keySubscribers(organization, "revoked")),
    );
  }

  /** Replays something that tells of no key: an event of that is to be the only one of its kind. */
  async #replay(organization: SoakedOrganization): Promise<void> {
    const { random, ledger } = this.#parts;
    const page = await this.#desk.orLost(
      (caller) => readPage(caller, { event_type: random.oneOf(otherTypes) }),
      organization.key,
    );
    if (page === null || page.data.length === 0) return;
    const attempt = random.oneOf(page.data);
    await this.#desk.ask(
      "replayDelivery",
      organization.key,
      (caller) => replayDelivery(caller, { path: { id: attempt.id }, body: { reason: "soak" } }),
      (by, { new_event_id: event, endpoint_id: id, audit_log_id: audit }) => {
        const to = organization.endpoints.filter((endpoint) => endpoint.id === id);
        ledger.promise(by, event, to);
        ledger.audit(audit);
      },
    );
  }

  async #advance(): Promise<void> {
    const organization = this.#parts.organizations.find(({ clock }) => clock === "manual");
    if (organization === undefined) return;
    const seconds = this.#parts.random.oneOf([0, 1, 10, 600]);
    await this.#desk.ask(
      "advanceClock",
      this.#parts.sandboxToken,
      (caller) => advanceClock(caller, { path: { id: organization.id }, body: { seconds } }),
      () => undefined,
    );
  }
}

const subscribers = ({ endpoints }: SoakedOrganization, type: string) =>
  endpoints.filter(({ events }) => events.some((subscribed: EventType) => subscribed === type));

const keySubscribers = (organization: SoakedOrganization, change: "created" | "rotated" | "revoked") =>
  subscribers(organization, `api_key.${change}`);
