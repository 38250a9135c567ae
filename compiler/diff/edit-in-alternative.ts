import type { JsonSchema } from "../contract.ts";
import { bareReference } from "../schema/inclusion/counterpart.ts";
import { causes } from "../schema/inclusion/find-places.ts";
import { checkable, checkableSide, plain } from "../schema/inclusion/two-sides.ts";
import { placeIn } from "../schema/inclusion/witnesses.ts";
import { schemasAt, stringAt } from "../schema/schema-node.ts";
import { validatorFor } from "../schema/validator.ts";
import { valueAt } from "./json-at.ts";
import type { Meant } from "./meant.ts";
import type { Found } from "./place-edit.ts";
import { schemasAtPlace } from "./schema-walk.ts";

/** Two components of one name that are an alternative at a place, and what the one of them refuses there. */
interface InAlternative {
  readonly base: Meant;
  readonly head: Meant;
  readonly found: Found;
}

/**
 * What a value breaks that no alternative of a union admits, within the one that admits it on the other side; null where the
 * union was found to differ without a value, or that alternative has no namesake.
 */
export function inAlternative(base: Meant, head: Meant, { place, keyword, shown }: Found): InAlternative | null {
  const value = shown === undefined ? undefined : valueAt(shown.value, shown.pointer);
  if (shown === undefined || value === undefined) return null;
  const [old, now] = [base, head].map((side) => namedAlternatives(side, place, keyword));
  for (const [name, before] of old ?? []) {
    const after = now?.get(name);
    if (after === undefined) continue;
    const sides = { base: { ...base, schema: before }, head: { ...head, schema: after } };
    const [from, by] = shown.refusedBy === "base" ? [sides.head, sides.base] : [sides.base, sides.head];
    const [violation] = causes(violationsOf(by, value));
    if (violation === undefined || violationsOf(from, value).length > 0) continue;
    const inner = { place: placeIn(value, violation.pointer), keyword: violation.keyword };
    return { ...sides, found: { ...inner, shown: { ...shown, value, pointer: violation.pointer } } };
  }
  return null;
}

const violationsOf = ({ schema, components }: Meant, value: unknown) =>
  validatorFor(checkableSide(components)).compile(checkable(plain(schema)))(value);

/** Alternatives that are nothing but a component, by its reference. */
function namedAlternatives(side: Meant, place: string, keyword: string): ReadonlyMap<string, JsonSchema> {
  const branches = schemasAtPlace(side.schema, side.components, place).flatMap((schema) => schemasAt(schema, keyword));
  return new Map(
    branches.flatMap((branch) => {
      const name = stringAt(bareReference(branch) ?? {}, "$ref");
      return name === undefined ? [] : [[name, branch] as const];
    }),
  );
}
