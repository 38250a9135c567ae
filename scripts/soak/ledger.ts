import type { KeyChange } from "../../reference-server/domain/events/new-event.ts";
import type { SoakedEndpoint } from "./soaked-organizations.ts";

/** An event that must reach an endpoint, since the request that made it was answered with success. */
export interface Promised {
  readonly endpoint: SoakedEndpoint;
  /** Its id, or what it tells of, where the answer does not tell the id. */
  readonly event: string;
  /** The request. */
  readonly by: string;
  /** Real milliseconds since the run began. */
  readonly answeredAt: number;
}

/** What the answers promised, and what of it has come about. */
export class Ledger {
  readonly #start = performance.now();
  /** What came in, by path and event. */
  readonly #came = new Set<string>();
  readonly #outstanding = new Map<string, Promised>();
  readonly #promises = new Map<string, number>();
  readonly #refusals = new Map<string, number>();
  readonly #audits: string[] = [];
  readonly #contradictions: string[] = [];
  #deliveries = 0;
  #unanswered = 0;

  /** A request with this name was answered with success: its event goes to these endpoints. */
  promise(by: string, event: string, endpoints: readonly SoakedEndpoint[]): void {
    this.#promises.set(by, (this.#promises.get(by) ?? 0) + 1);
    for (const endpoint of endpoints) {
      this.#deliveries++;
      const key = `${endpoint.path} ${event}`;
      const answeredAt = performance.now() - this.#start;
      if (!this.#came.has(key)) this.#outstanding.set(key, { endpoint, event, by, answeredAt });
    }
  }

  /** A replay was answered with success, and with the id of its audit record. */
  audit(id: string): void {
    this.#audits.push(id);
  }

  /** A body came in at a path. */
  came(path: string, body: unknown): void {
    for (const event of eventsIn(body)) {
      const key = `${path} ${event}`;
      this.#came.add(key);
      this.#outstanding.delete(key);
    }
  }

  /** A request got no answer, so nobody knows what became of it. */
  lost(): void {
    this.#unanswered++;
  }

  /** A request was refused, which none should be. */
  refused(by: string, answer: string): void {
    const what = `${by} ${answer}`;
    this.#refusals.set(what, (this.#refusals.get(what) ?? 0) + 1);
  }

  /** An answer says what cannot be. */
  contradicts(what: string): void {
    this.#contradictions.push(what);
  }

  get outstanding(): readonly Promised[] {
    return [...this.#outstanding.values()];
  }

  /** How much is on its way. */
  get waiting(): number {
    return this.#outstanding.size;
  }

  /** How many events were promised, by request. */
  get promises(): ReadonlyMap<string, number> {
    return this.#promises;
  }

  /** How many deliveries were promised. */
  get deliveries(): number {
    return this.#deliveries;
  }

  get unanswered(): number {
    return this.#unanswered;
  }

  get refusals(): ReadonlyMap<string, number> {
    return this.#refusals;
  }

  get audits(): readonly string[] {
    return this.#audits;
  }

  get contradictions(): readonly string[] {
    return this.#contradictions;
  }
}

/** What tells of a change of a key, where the id of its event is not known. */
export const changeOfKey = (change: KeyChange, keyId: string): string => `api_key.${change} of ${keyId}`;

/** The names that an event is promised by: its id, and what it tells of. */
function eventsIn(body: unknown): readonly string[] {
  const { id, type, data } = membersOf(body);
  const { id: keyId } = membersOf(data);
  const change = typeof keyId === "string" ? [`${String(type)} of ${keyId}`] : [];
  return [String(id), ...change];
}

export const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
