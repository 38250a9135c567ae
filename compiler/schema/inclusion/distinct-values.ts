import type { Json } from "../json-schema.ts";
import { isObject } from "../schema-node.ts";

/**
 * Lists of as many distinct values as are wanted, made from one by counting: for a list without repetitions that is longer
 * than anybody makes values for. Each way of counting suits other patterns; whoever uses them looks which one holds.
 */
export function distinctValues(first: Json, count: number): readonly (readonly Json[])[] {
  return ways(first).map((nth) => Array.from({ length: count }, (_, index) => nth(index)));
}

type Nth = (index: number) => Json;

function ways(first: Json): readonly Nth[] {
  if (typeof first === "number") return [(index) => first + index, (index) => first - index];
  if (typeof first === "string") {
    return [
      (index) => withTail(first, String(index)),
      (index) => `${first}${String(index)}`,
      // As ids are written that have no leading zero.
      (index) => String(index + 1),
      (index) => `${String(index)}${first}`,
    ];
  }
  if (!isObject(first)) return [];
  const [name] = Object.keys(first).filter((one) => ["number", "string"].includes(typeof first[one]));
  if (name === undefined) return [];
  return ways(first[name] ?? null).map((nth) => (index: number) => ({ ...first, [name]: nth(index) }));
}

/** The text with its end replaced, as long as it was if it is long enough: a UUID stays one. */
const withTail = (text: string, tail: string): string =>
  `${text.slice(0, Math.max(0, text.length - tail.length))}${tail}`;
