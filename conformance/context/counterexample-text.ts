import * as fc from "fast-check";

/** Characters of a value that a report shows. */
const longest = 1_000;

/** A value of a property as it can be read: commands as a sequence of calls, any other as the library writes it. */
export function counterexampleText(value: unknown): string {
  const text = isSequence(value) ? value.join(" → ") : fc.stringify(ordinary(value));
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

const isSequence = (value: unknown): value is readonly object[] =>
  Array.isArray(value) && value.length > 0 && value.every(isCommand);

const isCommand = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "check" in value && "run" in value;

/** The value with ordinary objects in place of those without a prototype, which say so in writing. */
function ordinary(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordinary);
  if (typeof value !== "object" || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, ordinary(member)]));
}
