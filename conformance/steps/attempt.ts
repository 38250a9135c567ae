import { components } from "../../generated/schemas.ts";
import { objectOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { AttemptRecord } from "./feed.ts";

const documented: readonly string[] = Object.keys(objectOf(components.DeliveryAttempt?.properties) ?? {});

/** What of a record is documented: of what else a server tells, nobody knows what it means. Null where there is nothing. */
export const documentedOf = (record: AttemptRecord): AttemptRecord =>
  Object.fromEntries(documented.map((name) => [name, record[name] ?? null]));

/** What the filters and the order of the feed look at in a record. */
export interface Attempt {
  /** In lower case, as ids may be written in either (RFC 9562, 4). */
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly attempt: number;
  readonly outcome: string;
  /** Null where nobody answered, however the record says that. */
  readonly status: number | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Reads a record. Blocks where a member is not what the contract says. */
export function attemptOf(record: AttemptRecord): Attempt {
  const text = (name: string): string => {
    const value = record[name];
    return typeof value === "string" ? value : misfit(name, value);
  };
  const { attempt, response_status: status } = record;
  const at = Date.parse(text("occurred_at"));
  return {
    id: text("id").toLowerCase(),
    endpointId: text("endpoint_id").toLowerCase(),
    eventId: text("event_id").toLowerCase(),
    eventType: text("event_type"),
    attempt: typeof attempt === "number" ? attempt : misfit("attempt", attempt),
    outcome: text("outcome"),
    status: typeof status === "number" && status > 0 ? status : null,
    at: Number.isNaN(at) ? misfit("occurred_at", record.occurred_at) : at,
  };
}

function misfit(name: string, value: unknown): never {
  throw new Blocked(`a record of the feed has the ${name} ${JSON.stringify(value)}`, "see WHL-02 first", "server");
}

/** Attempts in the order in which they came first, each once. */
export const onceEach = (attempts: readonly Attempt[]): readonly Attempt[] => [
  ...new Map(attempts.map((attempt) => [attempt.id, attempt])).values(),
];
