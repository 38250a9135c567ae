import { isDeepStrictEqual } from "node:util";
import { type Delivery, jsonOfDelivery } from "../exchange/delivery.ts";
import { objectOf } from "../exchange/exchange.ts";

/** Whether one delivery carries the data of another, and the words for it. */
export interface DataLikeness {
  readonly same: boolean;
  readonly expected: string;
  readonly actual: string;
}

/**
 * What form a body has is open: the data is compared where the body has it under that name, or where it holds the
 * kit's `mark`; null where neither is so.
 */
export function compareData(original: Delivery, other: Delivery, mark: string): DataLikeness | null {
  const [before, after] = [original, other].map(jsonOfDelivery);
  const sent = objectOf(before)?.data;
  const again = objectOf(after)?.data;
  if (sent !== undefined)
    return {
      same: isDeepStrictEqual(again, sent),
      expected: `data ${JSON.stringify(sent)}`,
      actual: JSON.stringify(again) ?? "none",
    };
  if (!holds(before, mark)) return null;
  const same = holds(after, mark);
  return {
    same,
    expected: `a body that has ${JSON.stringify(mark)} as the original has`,
    actual: same ? "that" : "one without",
  };
}

/** Whether a JSON value holds a text, in whatever form it was written. */
const holds = (json: unknown, mark: string): boolean => JSON.stringify(json)?.includes(JSON.stringify(mark)) ?? false;
