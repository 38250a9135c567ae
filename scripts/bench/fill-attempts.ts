import { constants } from "../../generated/constants.ts";
import { eventTypes } from "../../generated/events.ts";
import type { AttemptPosition } from "../../reference-server/store/attempts/webhook-store.ts";
import type { BenchStore } from "./bench-store.ts";

const endpoints = 5;
const types = eventTypes.slice(-4);

/** When the first attempt was, and the time between two of them, in milliseconds. None is so old that it is pruned. */
const begin = Date.now() - 30 * 86_400_000;
const step = 1_000;

/** Soon after the first attempt, at no boundary of anything. */
export const someInstant = begin + 7 * step + 1;
export const someEndpoint = endpointId("0");
export const someType = types[0];

/**
 * Fills the feed of an organization with so many attempts: at five endpoints, of four types, three in ten failed, one in
 * a hundred the last of a delivery that was given up. Of a thousand, each filter that is measured finds a whole page.
 */
export async function fillAttempts({ execute }: BenchStore, organizationId: string, attempts: number): Promise<void> {
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": "bylaw-reference/0.1.0",
    [constants.eventIdHeader]: `${constants.eventIdPrefix}018f4e9a-2222-7000-8000-00000000000b`,
    [constants.eventTypeHeader]: types[0],
    [constants.signatureHeader]: `t=1767225600,v1=${"0".repeat(64)}`,
  };
  const columns: Readonly<Record<string, string>> = {
    id: idOf("i"),
    organization_id: `'${organizationId}'`,
    delivery_id: idOf("i"),
    endpoint_id: `'${endpointId("")}' || ((i / 30) % ${endpoints})`,
    event_id: `'${constants.eventIdPrefix}' || ${idOf("i")}`,
    event_type: `case (i / 150) % ${types.length} ${types.map((type, index) => `when ${index} then '${type}'`).join(" ")} end`,
    url: `'"https://receiver.example/hooks/messaging"'`,
    attempt: "1",
    outcome: "case when i % 100 = 99 then 'dead' when i % 10 > 6 then 'retry' else 'success' end",
    response_status: `case when i % 100 = 99 then 410 when i % 10 < 7 then 200
      else case (i / 10) % 3 when 0 then 500 when 1 then 503 else 0 end end`,
    response_time_ms: "i % 300",
    request_body_sha256: `'${"0123456789abcdef".repeat(4)}'`,
    request_body_bytes: "245",
    response_body_excerpt: `'"ok"'`,
    request_headers: `'${JSON.stringify(headers)}'`,
    error: `case when i % 100 <> 99 and i % 10 > 6 and (i / 10) % 3 = 2 then '"the receiver refused the connection"' end`,
    occurred_at: `${begin} + ${step} * i`,
  };
  await execute(`insert into delivery_attempts (${Object.keys(columns).join(", ")})
    with recursive numbers (i) as (
      select cast(1 as bigint) union all select i + 1 from numbers where i < ${attempts})
    select ${Object.values(columns).join(",\n")} from numbers`);
}

/** Where the attempt with this number stands in the feed. */
export async function positionOf({ execute }: BenchStore, number: number): Promise<AttemptPosition> {
  const [row] = await execute(`select ${idOf("i")} as id from (select cast(${number} as bigint) as i) as one`);
  return { id: String(row?.id), occurredAt: begin + step * number };
}

/** Scattered, as random ids are, and the same on every engine. */
function idOf(number: string): string {
  return `${padded(`((${number} * 48271) % 99999989)`, 8)} || '-0000-4000-8000-' || ${padded(number, 12)}`;
}

/** SQL of a number with zeros before it. */
function padded(number: string, digits: number): string {
  const long = `('${"0".repeat(digits)}' || ${number})`;
  return `substr(${long}, length${long} - ${digits - 1}, ${digits})`;
}

function endpointId(last: string): string {
  return `018f4e9a-1111-7000-8000-00000000000${last}`;
}
