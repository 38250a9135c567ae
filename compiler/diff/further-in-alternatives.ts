import type { Json } from "../contract.ts";
import type { Inclusion, Refusal } from "../schema/inclusion.ts";
import { isList, isObject } from "../schema/schema-node.ts";
import { alternativePairs, pointerToPair, violationsOf } from "./edit-in-alternative.ts";
import { tokensOf, valueAt } from "./json-at.ts";
import type { Meant } from "./meant.ts";
import { type PlacedEdit, schemaEdit } from "./schema-edit.ts";

/** A refusal by a union, and the edit within an alternative that is behind it. */
interface FurtherRefusal {
  readonly refusal: Refusal;
  readonly edit: PlacedEdit;
}

/** Alternatives of one union that are compared with their counterparts, and refusals in them that are told, at most. */
const mostAlternatives = 30;
const mostTold = 20;

/**
 * What else a union refuses than the one value that shows that it does, where nothing tells its alternatives apart: values of
 * the alternatives that their counterparts refuse, each put in that value's place. Both sides judge the whole again, as they
 * are `compared`; edits are of what is written.
 */
export function furtherInAlternatives(
  base: Meant,
  head: Meant,
  compared: { readonly before: Meant; readonly after: Meant },
  refusal: Refusal,
  refusedBy: "base" | "head",
  root: string,
  includes: (inner: Meant, outer: Meant) => Inclusion,
): readonly FurtherRefusal[] {
  const { counterexample, pointer, place, keyword } = refusal;
  if (!unions.includes(keyword) || valueAt(counterexample, pointer) === undefined) return [];
  const { before, after } = compared;
  const [from, by] = refusedBy === "head" ? [before, after] : [after, before];
  const [valid, refused] = [violationsOf(from), violationsOf(by)];
  const found: FurtherRefusal[] = [];
  for (const pair of alternativePairs(base, head, place).slice(0, mostAlternatives)) {
    const [inner, outer] = refusedBy === "head" ? [pair.base, pair.head] : [pair.head, pair.base];
    const verdict = includes({ ...from, schema: inner }, { ...by, schema: outer });
    if (verdict.kind !== "not-included") continue;
    const shown = [verdict, ...verdict.further.filter(({ kind }) => kind === "shown")];
    for (const one of shown) {
      if (!("counterexample" in one) || found.length >= mostTold) continue;
      const whole = replaced(counterexample, tokensOf(pointer), one.counterexample);
      const isHere = refused(whole).some((broken) => broken.pointer === pointer && unions.includes(broken.keyword));
      if (!isHere || valid(whole).length > 0) continue;
      const edit = schemaEdit(
        { ...base, schema: pair.base },
        { ...head, schema: pair.head },
        pointerToPair(base, head, root, place, pair),
        {
          ...{ place: one.place, keyword: one.keyword, refusedBy },
          shown: { value: one.counterexample, pointer: one.pointer, refusedBy },
        },
      );
      found.push({
        refusal: { ...refusal, counterexample: whole },
        edit: { ...edit, place: `${place}${edit.place}` },
      });
    }
  }
  return found;
}

const unions: readonly string[] = ["anyOf", "oneOf"];

/** The value with another part where some tokens lead. */
function replaced(value: Json, [token, ...rest]: readonly string[], part: Json): Json {
  if (token === undefined) return part;
  if (isList(value)) return value.map((item, index) => (String(index) === token ? replaced(item, rest, part) : item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === token ? replaced(member, rest, part) : member]),
  );
}
