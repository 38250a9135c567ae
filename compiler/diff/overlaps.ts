import type { JsonSchema } from "../contract.ts";
import type { Inclusion, Refusal } from "../schema/inclusion.ts";
import { mapSubschemas } from "../schema/keywords.ts";
import type { Components } from "../schema/resolve-reference.ts";
import { schemasAt } from "../schema/schema-node.ts";
import { violationsOf } from "./edit-in-alternative.ts";
import type { Meant } from "./meant.ts";

/** What two schemas come to where a value may be of several alternatives of a `oneOf`, as most servers and clients have it. */
export interface Leniently {
  readonly verdict: Inclusion;
  /** The refusals that rest on a value's being of several alternatives alone. */
  readonly overlaps: readonly Refusal[];
}

/** Null where what was found does not rest on it, as far as it is known. */
export function leniently(
  inner: Meant,
  outer: Meant,
  found: Inclusion,
  includes: (inner: Meant, outer: Meant) => Inclusion,
): Leniently | null {
  if (found.kind === "included") return null;
  if (found.kind === "unknown") {
    if (found.doubted?.some(({ keyword }) => keyword === "oneOf") !== true) return null;
    const verdict = includes(asUnions(inner), asUnions(outer));
    return verdict.kind === "unknown" ? null : { verdict, overlaps: [] };
  }
  const lenient = asUnions(outer);
  const refusals = [found, ...found.further.filter((one) => one.kind === "shown")];
  const overlaps = refusals.filter(
    ({ keyword, counterexample }) => keyword === "oneOf" && violationsOf(lenient)(counterexample).length === 0,
  );
  return overlaps.length === 0 ? null : { verdict: includes(asUnions(inner), lenient), overlaps };
}

const asUnions = ({ schema, components }: Meant): Meant => ({
  schema: asUnion(schema),
  components: unionsOf(components),
});

const known = new WeakMap<Components, Components>();

/** By identity, as what is known of components is kept. */
function unionsOf(components: Components): Components {
  const made =
    known.get(components) ??
    Object.fromEntries(Object.entries(components).map(([name, schema]) => [name, asUnion(schema)]));
  known.set(components, made);
  return made;
}

function asUnion(schema: JsonSchema): JsonSchema {
  const { oneOf, ...rest } = mapSubschemas(schema, asUnion);
  if (oneOf === undefined) return rest;
  return rest.anyOf === undefined
    ? { ...rest, anyOf: oneOf }
    : { ...rest, allOf: [...schemasAt(rest, "allOf"), { anyOf: oneOf }] };
}
