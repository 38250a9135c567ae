import { canonicalJson } from "../canonical-json.ts";
import type { Json, JsonSchema } from "../json-schema.ts";
import { enumerated, type JsonType, schemaMapAt, stringsAt } from "../schema-node.ts";
import { type Left, type SideOf, sureNames } from "./left.ts";
import type { Naming } from "./naming.ts";

/** Whether a schema admits the left side's type, as far as its face tells. */
export function admitsType({ type }: Left, other: JsonSchema, sideOf: SideOf): boolean {
  const side = sideOf(other);
  return side.kind === "values" || side.lefts.some((one) => mayBe(type, one.type));
}

const mayBe = (type: JsonType, admitted: JsonType): boolean =>
  type === admitted || [type, admitted].every((one) => one === "integer" || one === "number");

/**
 * Whether a look at their faces tells that no value of the left side is one of the other schema's: by its type, by a member
 * that the other requires and the left side does not name, or by one whose values no other has. `naming` is null
 * where the left side is read by the letter.
 */
export function areApart(left: Left, other: JsonSchema, naming: Naming | null, sideOf: SideOf): boolean {
  if (!admitsType(left, other, sideOf)) return true;
  const side = sideOf(other);
  if (side.kind === "values" || left.type !== "object") return false;
  const sure = sureNames(left.views);
  const views = side.lefts.flatMap((one) => (one.type === "object" ? one.views : []));
  return views.some(
    (view) =>
      (naming !== null && stringsAt(view, "required").some((name) => !naming.has(name))) ||
      [...schemaMapAt(view, "properties")].some(([name, member]) => {
        const admitted = enumerated(member);
        const own = sure.has(name) && admitted !== undefined ? valuesOf(left, name, sideOf) : null;
        const known = new Set(admitted?.map(canonicalJson));
        return own !== null && !own.some((value) => known.has(canonicalJson(value)));
      }),
  );
}

/** Values among which a member's are; null where no view lists them. */
function valuesOf(left: Left, name: string, sideOf: SideOf): readonly Json[] | null {
  for (const view of left.views) {
    const member = schemaMapAt(view, "properties").get(name);
    const side = member === undefined ? null : sideOf(member);
    if (side?.kind === "values") return side.values;
  }
  return null;
}
