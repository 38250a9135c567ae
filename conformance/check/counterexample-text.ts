import * as fc from "fast-check";

/** Characters of a value that a report shows. */
const longest = 1_000;

/** A value of a property as it can be read: commands as a sequence of calls, any other as the library writes it. */
export function counterexampleText(value: unknown): string {
  const text = isSequence(value) ? value.join(" → ") || "nothing" : fc.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

const isSequence = (value: unknown): value is readonly object[] => Array.isArray(value) && value.every(isCommand);

const isCommand = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "check" in value && "run" in value;
