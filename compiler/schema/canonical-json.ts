import type { Json } from "./json-schema.ts";

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

/** Equal values, as their canonical texts would be, told at the first difference. */
export function sameJson(one: Json, other: Json): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (isList(one)) {
    return (
      isList(other) && one.length === other.length && one.every((item, index) => sameJson(item, other[index] ?? null))
    );
  }
  if (isList(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && sameJson(one[name] ?? null, other[name] ?? null))
  );
}

// Array.isArray alone does not tell readonly arrays from objects.
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
