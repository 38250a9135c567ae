import { escapeToken } from "../../compiler/schema/validator.ts";

/** The pointer to a member of what another pointer leads to (RFC 6901). */
export const childPointer = (pointer: string, name: string): string => `${pointer}/${escapeToken(name)}`;

/** The names on the way, outermost first. */
export const namesIn = (pointer: string): readonly string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));

/** What a pointer leads to; undefined where nothing is there. */
export function valueAt(value: unknown, pointer: string): unknown {
  let at = value;
  for (const name of namesIn(pointer)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
  return at;
}

/** Nothing that an API answers in earnest is nested deeper. */
const deepest = 100;

/** Every value in a value of JSON with its pointer, what holds others before them. */
export function* valuesIn(
  value: unknown,
  pointer = "",
  depth = 0,
): Generator<readonly [pointer: string, value: unknown]> {
  yield [pointer, value];
  if (typeof value !== "object" || value === null || depth === deepest) return;
  for (const [name, inner] of Object.entries(value)) yield* valuesIn(inner, childPointer(pointer, name), depth + 1);
}
