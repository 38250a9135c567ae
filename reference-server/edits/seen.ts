import type { DeliveryAttempt } from "../../generated/models/deliveries.ts";
import type { WebhookEndpoint } from "../../generated/models/shared.ts";
import { recordsIn } from "./feed-records.ts";
import { dataOf, type Wire, type WireRequest } from "./wire.ts";

/** Whom a key or the token of a session stands for; a session has no scopes of its own. */
export interface SeenCaller {
  readonly organization: string;
  readonly scopes: readonly string[];
}

/** What a server has shown to its clients and its sandbox so far, so far as edits ask for it. */
export class Seen {
  /** As they were last shown, deleted ones too, in the order of their creation. */
  readonly endpoints = new Map<string, WebhookEndpoint>();
  readonly records = new Map<string, DeliveryAttempt>();
  /** Organization of whatever has an id. */
  readonly owners = new Map<string, string>();
  readonly #callers = new Map<string, SeenCaller>();

  /** Undefined for a caller whose credential was not shown. */
  callerOf({ headers }: WireRequest): SeenCaller | undefined {
    return this.#callers.get(headers.authorization?.replace(/^bearer +/i, "") ?? "");
  }

  /** The key of an organization that may do most; undefined when it has none. */
  widestKeyOf(organization: string): string | undefined {
    const own = [...this.#callers].filter(([, caller]) => caller.organization === organization);
    const [widest] = own.toSorted(([, one], [, other]) => other.scopes.length - one.scopes.length);
    return widest?.[0];
  }

  organizations(): readonly string[] {
    return [...new Set([...this.#callers.values()].map(({ organization }) => organization))];
  }

  /** The other organization that owns what the path names; undefined when the caller does, or nobody is known to. */
  otherOwner(request: WireRequest): string | undefined {
    const owner = this.owners.get(idIn(request));
    return owner === this.callerOf(request)?.organization ? undefined : owner;
  }

  note(request: WireRequest, answer: Parameters<typeof dataOf>[0]): void {
    const caller = this.callerOf(request);
    for (const record of recordsIn(answer)) {
      if (request.operation === "listDeliveryAttempts") this.records.set(record.id, record);
      if (caller !== undefined) this.owners.set(record.id, caller.organization);
    }
    const data = dataOf(answer);
    if (data === null) return;
    const { id: named } = request.parameters;
    if (request.operation === "createOrganization") this.#noteCaller(data.id, Object(data.key));
    const isSandbox = request.operation === "createOrganizationKey" || request.operation === "createSession";
    // A record that does not say whose it is is its caller's.
    const organization = isSandbox ? named : (data.org_id ?? caller?.organization);
    if (typeof organization !== "string") return;
    // What an order made stands in a list.
    for (const made of [data, ...Object.values(data).flat()]) {
      const { id } = Object(made);
      if (typeof id === "string") this.owners.set(id, organization);
    }
    this.#noteCaller(organization, data);
    if (isEndpoint(data)) this.endpoints.set(data.id, data);
  }

  #noteCaller(organization: unknown, { id, plaintext, token = plaintext, scopes }: Readonly<Record<string, unknown>>) {
    if (typeof organization !== "string" || typeof token !== "string") return;
    if (typeof id === "string") this.owners.set(id, organization);
    this.#callers.set(token, { organization, scopes: Array.isArray(scopes) ? scopes.map(String) : [] });
  }
}

/** The id in the path as it is written in answers; empty when there is none. */
export const idIn = ({ parameters }: WireRequest): string =>
  (parameters.id ?? Object.values(parameters)[0] ?? "").toLowerCase();

const isEndpoint = (data: object): data is WebhookEndpoint =>
  ["id", "org_id", "url", "events", "active"].every((member) => member in data);

/** A wire that knows what was shown before. It answers by the server's own way; what it makes up is not noted. */
export const seeing =
  (change: (seen: Seen) => Wire): Wire =>
  (serve) => {
    const seen = new Seen();
    return change(seen)(async (request) => {
      const answer = await serve(request);
      seen.note(request, answer);
      return answer;
    });
  };
