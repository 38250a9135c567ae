import type { Json, JsonSchema } from "../contract.ts";
import type { Inclusion, Refusal } from "../schema/inclusion.ts";
import { isList, isObject } from "../schema/schema-node.ts";
import { tokensOf } from "./json-at.ts";
import type { Meant } from "./meant.ts";
import { targetOf, writtenAtPlace } from "./schema-walk.ts";

/**
 * Returns refusals that a refused type hides: values of the types that the refusing side admits, which it refuses for
 * another keyword. A value is refused for its type first, so an enum that comes with another type would not be reported.
 */
export function hiddenByType(
  inner: Meant,
  outer: Meant,
  refusal: Refusal | null,
  includes: (inner: Meant, outer: Meant) => Inclusion,
): readonly Refusal[] {
  if (refusal === null) return [];
  const [own, other] = [inner, outer].map((side) => onlyAt(side, refusal.place));
  if (own == null || other?.type === undefined) return [];
  const { type } = other;
  const admitted = { schema: other, components: outer.components };
  const ofTypes = { schema: { allOf: [own, { type }] }, components: inner.components };
  const found = includes(ofTypes, admitted);
  // Texts of numbers are texts: whether every text of the type was admitted is asked of the type alone.
  const ofText = { schema: { type }, components: {} };
  const isOfText = found.kind === "included" && includes(ofText, { ...ofTypes, schema: own }).kind === "included";
  const hidden = isOfText ? includes(ofText, admitted) : found;
  if (hidden.kind !== "not-included") return [];
  return [hidden, ...hidden.further.filter((one) => one.kind === "shown")].map((one) => ({
    counterexample: withValueAt(refusal.counterexample, tokensOf(refusal.pointer), one.counterexample),
    pointer: `${refusal.pointer}${one.pointer}`,
    place: `${refusal.place}${one.place}`,
    keyword: one.keyword,
    why: one.why,
  }));
}

/** The one schema that stands at a place, its reference followed; null where there are several. */
function onlyAt({ schema, components }: Meant, place: string): JsonSchema | null {
  const [only, ...others] = writtenAtPlace(schema, components, place);
  if (only === undefined || others.length > 0) return null;
  const { $ref: reference } = only;
  return typeof reference === "string" ? (targetOf(reference, components)?.schema ?? null) : only;
}

function withValueAt(value: Json, [token, ...rest]: readonly string[], part: Json): Json {
  if (token === undefined) return part;
  if (isList(value))
    return value.map((item, index) => (String(index) === token ? withValueAt(item, rest, part) : item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === token ? withValueAt(member, rest, part) : member]),
  );
}
