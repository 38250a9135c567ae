import type { DeliveryAttempt } from "../../generated/models/deliveries.ts";
import { onAnswer, parsed, type Wire, type WireAnswer, type WireRequest, withBody } from "./wire.ts";

/** The records on a page of the feed; none for any other answer. */
export function recordsIn({ bytes }: WireAnswer): readonly DeliveryAttempt[] {
  const { data } = Object(parsed(bytes));
  // What the server answers is what the contract says: nothing has changed it yet.
  return Array.isArray(data) ? (data as readonly DeliveryAttempt[]) : [];
}

/** The same page with other records. */
export const withRecords = (answer: WireAnswer, records: readonly unknown[]): WireAnswer =>
  withBody(answer, { ...Object(parsed(answer.bytes)), data: records });

/** Changes the records on the pages of the feed; a list takes the place of the record, and an empty one leaves it out. */
export const onRecords = (change: (record: DeliveryAttempt, request: WireRequest) => unknown): Wire =>
  onAnswer("listDeliveryAttempts", (answer, request) => {
    const records = recordsIn(answer);
    return records.length === 0
      ? answer
      : withRecords(
          answer,
          records.flatMap((record) => change(record, request)),
        );
  });
