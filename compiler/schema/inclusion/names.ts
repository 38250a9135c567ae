import type { JsonSchema } from "../json-schema.ts";
import { enumerated, schemaAt, schemaIn, schemaMapAt, stringAt, stringsAt } from "../schema-node.ts";
import { everyOf } from "./every-of.ts";
import { findText, type TextCondition } from "./find-text.ts";
import { schemasUnder } from "./left.ts";

/** Names that no schema lists, alike in the patterns that they match. */
export interface NameClass {
  readonly patterns: ReadonlySet<string>;
  /** One of them; null where none could be found although there may be some. */
  readonly example: string | null;
}

/** More patterns than this are not looked at in all their combinations. */
const mostPatterns = 5;

export const listedNames = (schemas: readonly JsonSchema[]): ReadonlySet<string> =>
  new Set(
    schemas.flatMap((schema) => [
      ...schemaMapAt(schema, "properties").keys(),
      ...stringsAt(schema, "required"),
      ...(enumerated(schemaAt(schema, "propertyNames") ?? {}) ?? []).map(String),
    ]),
  );

/** What a schema says about the member of a name that matches certain patterns. */
export function memberSchema(
  schema: JsonSchema,
  name: string | null,
  matches: (pattern: string) => boolean,
): JsonSchema {
  const declared = name === null ? undefined : schemaIn(schema, "properties", name);
  const matching = [...schemaMapAt(schema, "patternProperties")].filter(([pattern]) => matches(pattern));
  const speaking = [...(declared === undefined ? [] : [declared]), ...matching.map(([, member]) => member)];
  if (speaking.length === 0) return schemaAt(schema, "additionalProperties") ?? {};
  return everyOf(speaking);
}

/**
 * The classes of names beyond the listed ones that objects of the left side may have, told apart by every pattern
 * that either side speaks of. Null where there are too many patterns.
 */
export function otherNames(left: readonly JsonSchema[], right: JsonSchema): readonly NameClass[] | null {
  const naming = schemasUnder(left, "propertyNames");
  // All names that may be are listed.
  if (naming.some((names) => enumerated(names) !== undefined)) return [];
  const listed = listedNames([...left, right]);
  const patterns = [...new Set([...left, right].flatMap((view) => [...schemaMapAt(view, "patternProperties").keys()]))];
  if (patterns.length > mostPatterns) return null;
  const conditions = naming.flatMap((names): readonly TextCondition[] => {
    const pattern = stringAt(names, "pattern");
    return pattern === undefined ? [] : [{ pattern, matches: true }];
  });
  return subsets(patterns).flatMap((chosen): readonly NameClass[] => {
    const sorted = patterns.map((pattern): TextCondition => ({ pattern, matches: chosen.has(pattern) }));
    const found = unlisted([...conditions, ...sorted], listed);
    if (found === "none") return [];
    return [{ patterns: chosen, example: found }];
  });
}

/** A text that keeps the conditions and is not listed; null when it is not known whether there is one. */
function unlisted(conditions: readonly TextCondition[], listed: ReadonlySet<string>): string | "none" | null {
  const lengths = { min: 0, max: Infinity };
  if (conditions.length === 0) {
    let name = "extra";
    while (listed.has(name)) name += "_";
    return name;
  }
  const first = findText(conditions, { min: 1, max: Infinity });
  if (first.kind === "found" && !listed.has(first.text)) return first.text;
  const literal = [...listed].map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
  const found = findText([...conditions, { pattern: `^(?:${literal})$`, matches: listed.size === 0 }], lengths);
  if (found.kind === "unknown") return null;
  return found.kind === "none" ? "none" : found.text;
}

function subsets(patterns: readonly string[]): readonly ReadonlySet<string>[] {
  const [first, ...rest] = patterns;
  if (first === undefined) return [new Set()];
  const without = subsets(rest);
  return [...without, ...without.map((set) => new Set([...set, first]))];
}
