import type { Json } from "../contract.ts";

/** JSON text in which equal values are equal texts: members stand in the order of their names, -0 is 0. */
export function canonicalJson(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(",")}}`;
}

/** The values without repetition, in the order of their canonical texts. */
export function sortedSet<T extends Json>(values: readonly T[]): readonly T[] {
  const byText = new Map(values.map((value) => [canonicalJson(value), value]));
  return [...byText].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value);
}

export const sameJson = (one: Json, other: Json): boolean => canonicalJson(one) === canonicalJson(other);

// Array.isArray alone does not tell readonly arrays from objects.
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
