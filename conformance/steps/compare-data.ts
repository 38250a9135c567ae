import { isDeepStrictEqual } from "node:util";
import { type Delivery, jsonOfDelivery } from "../exchange/delivery.ts";
import { objectOf } from "../exchange/exchange.ts";

/** Whether one delivery carries the data of another, and the words for it. */
export interface DataLikeness {
  readonly same: boolean;
  readonly expected: string;
  readonly actual: string;
}

/** What the kit had an event tell, with a text that no event has by itself. */
export interface MarkedData {
  readonly mark: string;
}

/**
 * What form a body has is open: the data is compared where the body has it under that name, or where it is found as it
 * was told, or where it holds the kit's mark; null where none of these is so.
 */
export function compareData(original: Delivery, other: Delivery, told: MarkedData): DataLikeness | null {
  const [before, after] = [original, other].map(jsonOfDelivery);
  const sent = objectOf(before)?.data;
  const again = objectOf(after)?.data;
  if (sent !== undefined)
    return {
      same: isDeepStrictEqual(again, sent),
      expected: `data ${JSON.stringify(sent)}`,
      actual: JSON.stringify(again) ?? "none",
    };
  if (contains(before, told))
    return {
      same: contains(after, told),
      expected: `a body that has ${JSON.stringify(told)} as the original has`,
      actual: JSON.stringify(after) ?? "no JSON",
    };
  const { mark } = told;
  if (!holds(before, mark)) return null;
  const same = holds(after, mark);
  return {
    same,
    expected: `a body that has ${JSON.stringify(mark)} as the original has`,
    actual: same ? "that" : "one without",
  };
}

/** Whether a JSON value is a certain one, or has it as a part. */
const contains = (json: unknown, part: unknown): boolean =>
  isDeepStrictEqual(json, part) ||
  (typeof json === "object" && json !== null && Object.values(json).some((value) => contains(value, part)));

/** Whether a JSON value holds a text, in whatever form it was written. */
const holds = (json: unknown, mark: string): boolean => JSON.stringify(json)?.includes(JSON.stringify(mark)) ?? false;
