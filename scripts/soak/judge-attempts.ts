import { constants } from "../../generated/constants.ts";
import type { DeliveryAttempt } from "../../generated/models/deliveries.ts";
import { type Receipt, type Received, receivedKey } from "./soak-receiver.ts";
import type { SoakedEndpoint } from "./soaked-organizations.ts";

/**
 * What is wrong with the records of attempts, held against what came in, when nothing is on its way any more. Requests
 * may have come in that are not on record: their sender was killed, and another one repeated them.
 */
export function attemptFaults(
  attempts: readonly DeliveryAttempt[],
  endpoints: readonly SoakedEndpoint[],
  received: ReadonlyMap<string, Received>,
): readonly string[] {
  const paths = new Map(endpoints.map(({ id, path }) => [id, path]));
  const recorded = Map.groupBy(attempts, ({ endpoint_id: id, event_id: event }) =>
    receivedKey(paths.get(id) ?? "an unknown endpoint", event),
  );
  const unrecorded = [...received.entries()].filter(([key]) => !recorded.has(key));
  return [
    ...unrecorded.map(([, { path, eventId }]) => `${eventId} came in at ${path}, and no attempt of it is on record`),
    ...[...recorded].flatMap(([key, records]) => [
      ...seriesFaults(key, records),
      ...contentFaults(key, records, received.get(key)?.receipts ?? []),
    ]),
    ...[...received].flatMap(([key, { receipts }]) => bodyFaults(key, receipts)),
  ];
}

/** Attempts count from 1 without gaps, and the last one, and no other, is the end. */
function seriesFaults(key: string, records: readonly DeliveryAttempt[]): readonly string[] {
  const series = records.toSorted((one, other) => one.attempt - other.attempt);
  const numbers = series.map(({ attempt }) => attempt);
  if (numbers.some((number, index) => number !== index + 1))
    return [`attempts at ${key} are numbered ${numbers.join(", ")}`];
  const outcomes = series.map(({ outcome }) => outcome);
  const isOver = outcomes.every((outcome, index) => (outcome === "retry") === index < outcomes.length - 1);
  return isOver ? [] : [`attempts at ${key} have the outcomes ${outcomes.join(", ")}`];
}

/** Each record tells of a request that came in; where nobody answered, the request may have been lost on its way. */
function contentFaults(
  key: string,
  records: readonly DeliveryAttempt[],
  receipts: readonly Receipt[],
): readonly string[] {
  const left = [...receipts];
  return records.flatMap((record) => {
    const { id, attempt, request_headers: headers, response_status: status = null } = record;
    const about = `attempt ${attempt} at ${key} (record ${id})`;
    const [signature = ""] = Object.entries(headers).flatMap(([name, value]) =>
      name.toLowerCase() === constants.signatureHeader.toLowerCase() ? [value] : [],
    );
    const index = left.findIndex((receipt) => receipt.signature === signature && receipt.status === status);
    if (index < 0)
      return status === null ? [] : [`${about} tells of a request, answered ${status}, that never came in`];
    const [receipt] = left.splice(index, 1);
    const isEqual = receipt?.sha256 === record.request_body_sha256 && receipt.bytes === record.request_body_bytes;
    return isEqual ? [] : [`${about} tells of another body than the one that came in`];
  });
}

/** Whatever is sent of one event to one endpoint has one body. */
const bodyFaults = (key: string, receipts: readonly Receipt[]): readonly string[] =>
  new Set(receipts.map(({ sha256 }) => sha256)).size > 1 ? [`different bodies came in of ${key}`] : [];
