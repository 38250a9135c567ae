import type { Json } from "../contract.ts";
import type { Inclusion, Refusal } from "../schema/inclusion.ts";
import { isList, isObject } from "../schema/schema-node.ts";
import { validatorFor } from "../schema/validator.ts";
import type { DocumentContext } from "./document-context.ts";
import type { Includes, Meant } from "./judge.ts";
import { liftedToList, mayBeSent, textsOf } from "./sent-schema.ts";
import { shapesOf } from "./writing.ts";

/**
 * Inclusion of what parameters and headers say, as it goes over the wire: as text. The text of a number or of a boolean is a
 * text as any other, one value is a list of one, and nothing says null. What one schema admits as JSON and the other does too
 * is sent alike; only what is not is looked at as text.
 */
export function includesAsSent(includes: Includes): Includes {
  return (one, other) => {
    const [inner, outer] = listed(withoutNull(one), withoutNull(other));
    const plain = includes(inner, outer);
    const isOfNull = plain.kind === "not-included" && holdsNull(plain.counterexample);
    if (plain.kind === "included" || !(isOfNull || mixesTexts(inner, outer))) return told(plain, one, inner !== one);
    const [texts, textsThere] = [textsOf(inner), textsOf(outer)];
    if (texts === null || textsThere === null) return { kind: "unknown", why: notRead };
    const accepts = validatorFor({}).accepts(textsThere.schema);
    // What was found of JSON holds of its text, where the other side has no such text.
    if (plain.kind === "not-included" && !isOfNull && !accepts(written(plain.counterexample))) {
      const further = plain.further.filter((each) => each.kind !== "shown" || !accepts(written(each.counterexample)));
      return told({ ...plain, further }, one, inner !== one);
    }
    const found = includes({ schema: texts.schema, components: {} }, { schema: textsThere.schema, components: {} });
    const isCertain = found.kind === "included" ? textsThere.exact : texts.exact;
    return isCertain ? told(asOfType(found), one, inner !== one) : { kind: "unknown", why: notRead };
  };
}

/** For what is written by a style, as parameters and headers are. */
export const asText = (context: DocumentContext): DocumentContext => ({
  ...context,
  includes: includesAsSent(context.includes),
  isText: true,
});

const notRead = "Which texts the one side's values have, and whether the other side takes them, can't be told.";

function withoutNull(meant: Meant): Meant {
  return { ...meant, schema: mayBeSent(meant.schema, meant.components) };
}

/** Both sides as lists, where one is a list and the other is not. */
function listed(one: Meant, other: Meant): readonly [Meant, Meant] {
  const [first, second] = [shapesOf(one), shapesOf(other)];
  const differ =
    (first.has("scalar") && second.has("array") && !(first.has("array") && second.has("scalar"))) ||
    (first.has("array") && second.has("scalar") && !(first.has("scalar") && second.has("array")));
  if (!differ) return [one, other];
  return [
    { ...one, schema: liftedToList(one.schema, first) },
    { ...other, schema: liftedToList(other.schema, second) },
  ];
}

/** Texts stand beside numbers or booleans, so that what differs as JSON may be one text. */
function mixesTexts(one: Meant, other: Meant): boolean {
  const types = new Set([one, other].flatMap((each) => [...(textsOf(each)?.types ?? ["string", "number"])]));
  return types.has("string") && types.size > 1;
}

/** The value with its numbers and booleans as texts. */
function written(value: Json): Json {
  if (isList(value)) return value.map(written);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, written(each)]));
  return typeof value === "string" || value === null ? value : String(value);
}

const holdsNull = (value: Json): boolean =>
  value === null ||
  (isList(value) && value.some(holdsNull)) ||
  (isObject(value) && Object.values(value).some(holdsNull));

/** That a text is no number's is a matter of types to whoever reads it. */
function asOfType(found: Inclusion): Inclusion {
  if (found.kind !== "not-included") return found;
  const typed = <T extends Refusal>(refusal: T): T =>
    refusal.keyword === "pattern" || refusal.keyword === "anyOf" ? { ...refusal, keyword: "type" } : refusal;
  return { ...typed(found), further: found.further.map((each) => (each.kind === "shown" ? typed(each) : each)) };
}

/** What was found of a list of one, as told of the value. */
function told(found: Inclusion, one: Meant, lifted: boolean): Inclusion {
  if (found.kind !== "not-included" || !lifted || shapesOf(one).has("array")) return found;
  const within = (place: string): string => place.replace(/^\/(?:0|\*)(?=\/|$)/, "");
  const single = <T extends Refusal>(refusal: T): T => {
    const { counterexample, pointer, place } = refusal;
    const value = isList(counterexample) ? counterexample[0] : undefined;
    return value === undefined
      ? refusal
      : { ...refusal, counterexample: value, pointer: within(pointer), place: within(place) };
  };
  return { ...single(found), further: found.further.map((each) => (each.kind === "shown" ? single(each) : each)) };
}
