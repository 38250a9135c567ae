import type { DeliveryAttempt } from "../../generated/models/deliveries.ts";
import type { WebhookEndpoint } from "../../generated/models/shared.ts";
import { recordsIn } from "./feed-records.ts";
import { dataOf, type Wire, type WireRequest } from "./wire.ts";

/** What a server has shown to its clients and its sandbox so far, so far as edits ask for it. */
export class Seen {
  /** As they were last shown, deleted ones too, in the order of their creation. */
  readonly endpoints = new Map<string, WebhookEndpoint>();
  readonly records = new Map<string, DeliveryAttempt>();
  /** Organization of whatever has an id. */
  readonly owners = new Map<string, string>();
  readonly #organizations = new Map<string, string>();
  readonly #widest = new Map<string, { readonly token: string; readonly scopes: number }>();

  /** The organization that calls; undefined for whoever is not known. */
  callerOf({ headers }: Pick<WireRequest, "headers">): string | undefined {
    return this.#organizations.get(headers.authorization?.replace(/^bearer +/i, "") ?? "");
  }

  /** The key of an organization that may do most. */
  keyOf(organization: string): string | undefined {
    return this.#widest.get(organization)?.token;
  }

  organizations(): readonly string[] {
    return [...this.#widest.keys()];
  }

  /** Whether what the path names is another organization's than the caller's. */
  isForeign(request: WireRequest): boolean {
    const owner = this.owners.get(idIn(request));
    return owner !== undefined && owner !== this.callerOf(request);
  }

  note(request: WireRequest, answer: Parameters<typeof dataOf>[0]): void {
    const caller = this.callerOf(request);
    for (const record of recordsIn(answer)) {
      this.records.set(record.id, record);
      if (caller !== undefined) this.owners.set(record.id, caller);
    }
    const data = dataOf(answer);
    if (data === null) return;
    const { id: named } = request.parameters;
    const isSandbox = request.operation === "createOrganizationKey" || request.operation === "createSession";
    const organization = isSandbox ? named : data.org_id;
    if (typeof organization !== "string") return;
    if (typeof data.id === "string") this.owners.set(data.id, organization);
    const token = data.plaintext ?? data.token;
    if (typeof token === "string") this.#noteToken(organization, token, [data.scopes].flat().length);
    if (isEndpoint(data)) this.endpoints.set(data.id, data);
  }

  #noteToken(organization: string, token: string, scopes: number): void {
    this.#organizations.set(token, organization);
    const { scopes: most = 0 } = this.#widest.get(organization) ?? {};
    if (scopes > most) this.#widest.set(organization, { token, scopes });
  }
}

/** The id in the path as it is written in answers; empty when there is none. */
export const idIn = ({ parameters }: WireRequest): string => parameters.id?.toLowerCase() ?? "";

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
