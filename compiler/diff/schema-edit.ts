import type { Json } from "../contract.ts";
import { unreadPrefix } from "../openapi/dialect.ts";
import { isAnnotation } from "../schema/keywords.ts";
import { isList, isObject, schemaMapAt } from "../schema/schema-node.ts";
import { escapeToken } from "../schema/validator.ts";
import type { Edit } from "./change.ts";
import { inAlternative, isOfNone } from "./edit-in-alternative.ts";
import { pointerOf, tokensOf as pointerTokens, valueAt } from "./json-at.ts";
import type { Meant } from "./meant.ts";
import { isOnWayOf, mayBe } from "./met-alternative.ts";
import { isNamedAlways } from "./named-always.ts";
import { type Found, placeEdit, type Shown } from "./place-edit.ts";
import { type Entry, entriesTo, schemasAtPlace, writtenAtPlace } from "./schema-walk.ts";
import { type TextEdit, textEdits } from "./text-edits.ts";

/** An edit, and where its values stand in a value of the schema. */
export interface PlacedEdit {
  readonly edit: Edit;
  readonly place: string;
  /** An alternative admits more, so that a value is of several of a `oneOf`. */
  readonly overlaps?: true;
}

/**
 * The edit behind what was found at a place of two schemas: of the texts on the way there, which are the schema's own (it
 * stands at `root`) and those of the components that it leads through, the difference that is nearest to the place.
 * Of alternatives those count first that the value may be of.
 */
export function schemaEdit(base: Meant, head: Meant, root: string, found: Found): PlacedEdit {
  const near = nearestEdit(base, head, root, found);
  return isTold(near.edit) ? near : (editOfAlternative(base, head, root, found) ?? near);
}

/**
 * What a value breaks of the alternative that it is of on the other side, where nothing was edited at the place itself: it may be
 * the tag that came to tell another alternative. Null where the value is in no union, or that tells nothing either.
 */
function editOfAlternative(base: Meant, head: Meant, root: string, found: Found): PlacedEdit | null {
  const { shown } = found;
  if (shown === undefined) return null;
  const [pointer, place] = [pointerTokens(shown.pointer), tokensOf(found.place)];
  for (let depth = Math.min(pointer.length, place.length) - 1; depth >= 0; depth -= 1) {
    const union = place.slice(0, depth).map((token) => `/${token}`);
    const around = { ...shown, pointer: pointerOf(...pointer.slice(0, depth)) };
    const told = { ...found, place: union.join(""), keyword: "oneOf", shown: around };
    const inner = inAlternative(base, head, root, told);
    if (inner === null || inner.overlaps) continue;
    const { edit, place: within } = nearestEdit(inner.base, inner.head, inner.at, inner.found);
    if (isTold(edit)) return { edit, place: `${inner.place}${within}` };
  }
  return null;
}

/** Whether more is known of an edit than its keyword. */
const isTold = ({ before, after }: Edit): boolean => before.length + after.length > 0;

function nearestEdit(base: Meant, head: Meant, root: string, found: Found): PlacedEdit {
  const inner = isUnion(found) ? inAlternative(base, head, root, found) : null;
  if (inner !== null) {
    const { place, ...rest } = schemaEdit(inner.base, inner.head, inner.at, inner.found);
    const overlaps = inner.overlaps ? ({ overlaps: true } as const) : {};
    return { ...rest, ...overlaps, place: `${inner.place}${place}` };
  }
  const all = ownersOf(base, head, root, found.place);
  const met = found.shown === undefined ? all : ownersMet(all, head, found.shown);
  const owners = met.some(({ edits }) => edits.length > 0) ? met : all;
  const among = (isIt: (edit: TextEdit, place: string) => boolean): readonly PlacedEdit[] =>
    owners.flatMap(({ at, start, place, edits }) =>
      edits
        .filter((edit) => mayBeBehind(edit, found) && isIt(edit, place))
        .map((edit) => ({ edit: asEdit(edit, `${at}${edit.at}`), place: `${start}${edit.place}` })),
    );
  const here = (edit: Edit): PlacedEdit => ({ edit, place: found.place });
  const untold = { keyword: found.keyword, before: [], after: [] };
  // What differs between two schemas of which one stands in place of the other is no edit of either.
  const isInStead = (edit: TextEdit): boolean =>
    isSwap(base, head, edit) || (isWholeUnion(edit) && ofMembers.has(found.keyword));
  // What a member is follows from that, not whether it has to be there, or may.
  const isHeldIn = (place: string, outer: string): boolean =>
    ofMembers.has(found.keyword) ? place !== "" && isWithin(parentOf(place), outer) : isWithin(place, outer);
  const swap = among((edit, place) => isHeldIn(place, edit.place) && isInStead(edit)).at(-1);
  if (swap !== undefined) return swap;
  // The values of a tag follow from the alternatives that it tells apart.
  const [union] =
    found.keyword === "discriminator" ? among((edit, place) => isUnion(edit) && isAt(edit.place, place)) : [];
  if (union !== undefined) return here(union.edit);
  const seen = placeEdit(base, head, found);
  const [exact] = among((edit, place) => isAt(edit.place, place) && isOfKeyword(edit.keyword, found.keyword));
  if (exact !== undefined) {
    // What one text lost another may have got, a member or a type: what it is in effect counts.
    const isPresence = isOfMember(exact.edit) && isDemand(seen);
    const isMeant =
      found.keyword === "type" || isListElsewhere(exact.edit, seen, found)
        ? !isUnread(exact.edit)
        : isPresence && (isOnBothSides(base, head, found.place) || isLack(exact.edit, found));
    const { at } = exact.edit;
    if (isMeant && seen !== null) return here({ ...seen, at });
    if (!isContrary(exact.edit, found)) return { ...here(exact.edit), ...overlapOf(exact.edit, found, head) };
    // The alternatives that only went, or came, are written elsewhere, or otherwise.
    const [moved] = among((edit, place) => isAt(edit.place, place) && edit.keyword === "$ref");
    const effect = moved === undefined ? placeEdit(base, head, { ...found, keyword: "type" }) : null;
    return here(moved?.edit ?? { ...(effect ?? untold), at });
  }
  const isOfParts = !isUnion(found) && found.keyword !== "type";
  const isOfOthers = found.place.endsWith("/*");
  const [closing] =
    isOfParts || isOfOthers
      ? among(
          (edit, place) =>
            (edit.keyword === found.keyword || (isOfOthers && otherMembers.includes(edit.keyword))) &&
            isAt(edit.place, parentOf(place)),
        )
      : [];
  if (closing !== undefined) return here(closing.edit);
  const beside = among((edit, place) => isAt(edit.place, place));
  // That a member has to be there says nothing of its values.
  // What refuses the value may stand in a part that came, or went, as a whole.
  const holds = ({ keyword, before, after }: Edit): boolean =>
    keyword === "allOf" &&
    (found.refusedBy === "head" ? after : before).some((part) => isObject(part) && part[found.keyword] !== undefined);
  const other =
    beside.find(({ edit }) => isUnion(found) && holds(edit)) ??
    (seen === null ? beside.find(({ edit }) => edit.keyword === "$ref") : undefined) ??
    beside.find(({ edit }) => edit.keyword !== "required") ??
    beside[0];
  // A member that another text names still is there.
  const stays = ({ edit, place }: PlacedEdit): boolean =>
    isOfMember(edit) &&
    isOnBothSides(base, head, place) &&
    placeEdit(base, head, { place, keyword: "required" }) === null;
  if (other !== undefined) {
    const { at } = other.edit;
    if (stays(other)) return here({ ...(seen ?? untold), at });
    // What holds the member may have become an alternative, or be none any more.
    if (isOfMember(other.edit) && seen !== null && isNamedOnBoth(base, head, found.place)) return here({ ...seen, at });
    return here(seen !== null && isOfWriting(other.edit) ? { ...seen, at } : other.edit);
  }
  // That the types of what holds it differ says nothing of a part.
  const around = among((edit, place) => isWithin(place, edit.place) && edit.keyword !== "type").at(-1);
  if (around !== undefined && isUnread(around.edit)) return around;
  // What an alternative holds follows from its name.
  if (
    around !== undefined &&
    isUnion(around.edit) &&
    [...around.edit.before, ...around.edit.after].flat().every(isName)
  ) {
    if (!isOneWay(around.edit, found)) return around;
    // Alternatives that only came refuse nothing, and those that only went admit nothing.
    const effect = placeEdit(base, head, { ...found, keyword: "type" }) ?? seen ?? untold;
    return here({ ...effect, at: `${around.edit.at}${textWay(around.place, found.place)}` });
  }
  if (around !== undefined) {
    const at = `${around.edit.at}${textWay(around.place, found.place)}`;
    if (seen !== null) return here({ ...seen, at });
    if (stays(around)) return here({ ...untold, at });
    return isUnion(around.edit) ? around : here(around.edit);
  }
  const [below] = among((edit, place) => isWithin(edit.place, place));
  if (below !== undefined) return here(below.edit);
  return here({ ...(seen ?? untold), at: `${root}${found.place}` });
}

/** Alternatives that only went make nothing wider, those that only came nothing narrower, but that values may be of several. */
const isContrary = (edit: Edit, found: Found): boolean =>
  isOneWay(edit, found) && !(found.refusedBy === "head" && found.keyword === "oneOf");

/**
 * Whether a list of values that stands on one side alone is one on the other by what that refers to: then what came or went
 * of it is told, where that is what is refused.
 */
const isListElsewhere = (
  { keyword, before, after }: Edit,
  seen: Omit<Edit, "at"> | null,
  { refusedBy }: Found,
): boolean =>
  keyword === "enum" &&
  before.length + after.length === 1 &&
  [...before, ...after].every(isList) &&
  (refusedBy === "head" ? seen?.before : seen?.after)?.length !== 0;

const isOneWay = (edit: Edit, { refusedBy }: Found): boolean =>
  isUnion(edit) &&
  !isWholeUnion(edit) &&
  (refusedBy === "base" ? edit.after.length === 0 : refusedBy === "head" && edit.before.length === 0);

/** Whether alternatives stand in place of one schema, or one in place of alternatives: it refuses values and admits others. */
const isWholeUnion = (edit: Pick<Edit, "keyword" | "before" | "after">): boolean =>
  isUnion(edit) && [...edit.before, ...edit.after].some(isList);

/** An alternative that came may admit values that others do. */
const overlapOf = (edit: Edit, found: Found, head: Meant): Pick<PlacedEdit, "overlaps"> =>
  edit.keyword === "oneOf" &&
  found.keyword === "oneOf" &&
  found.refusedBy === "head" &&
  edit.before.length === 0 &&
  !isOfNone(head, found)
    ? { overlaps: true }
    : {};

/** Whether an edit may be behind what was found: what only tells about values refuses none. */
const mayBeBehind = ({ keyword }: TextEdit, found: Found): boolean =>
  keyword === found.keyword || keyword.startsWith(unreadPrefix) || !isAnnotation(keyword);

const isOfMember = ({ keyword }: Pick<Edit, "keyword">): boolean => keyword === "properties";

const isDemand = (seen: Pick<Edit, "keyword"> | null): boolean => seen?.keyword === "required";

/** Whether a member went, or came, as one text has it, where it is the other side that demands it. */
const isLack = ({ before, after }: Edit, { refusedBy }: Found): boolean =>
  refusedBy === "head" ? after.length === 0 : refusedBy === "base" && before.length === 0;

/** Whether a member is named on both sides, whatever alternatives there are. */
function isOnBothSides(base: Meant, head: Meant, place: string): boolean {
  const name = pointerTokens(place).at(-1) ?? "";
  return [base, head].every(({ schema, components }) =>
    writtenAtPlace(schema, components, parentOf(place)).some((one) => isNamedAlways(one, components, name)),
  );
}

/** Whether something on each side names a member. */
function isNamedOnBoth(base: Meant, head: Meant, place: string): boolean {
  const name = pointerTokens(place).at(-1) ?? "";
  return [base, head].every(({ schema, components }) =>
    schemasAtPlace(schema, components, parentOf(place)).some((one) => schemaMapAt(one, "properties").has(name)),
  );
}

/** Whether an edit may be of how a schema is put together alone. */
const isOfWriting = ({ keyword }: Edit): boolean => ["$ref", "allOf", "type"].includes(keyword);

/** The way through a text to what speaks at a place, from where another place is spoken of. */
const textWay = (from: string, to: string): string =>
  tokensOf(to)
    .slice(tokensOf(from).length)
    .map((token) => (token === "*" ? "/items" : `/properties/${token}`))
    .join("");

const isUnion = ({ keyword }: Pick<Edit, "keyword">): boolean => keyword === "oneOf" || keyword === "anyOf";

const isName = (json: Json): boolean => typeof json === "string";

const asEdit = ({ keyword, before, after }: TextEdit, at: string): Edit => ({ at, keyword, before, after });

/** A text whose differences may be the edit, and where the place is within its values. */
interface Owner {
  readonly at: string;
  /** Where the text's own values stand in a value of the schema. */
  readonly start: string;
  readonly place: string;
  readonly edits: readonly TextEdit[];
  /** What says it on either side. */
  readonly text: { readonly base: Meant; readonly head: Meant };
}

/** Texts that a value may be of, with their differences that are not within alternatives that it is none of. */
const ownersMet = (owners: readonly Owner[], { components }: Meant, { value, pointer, refusedBy }: Shown) =>
  owners.flatMap((owner): readonly Owner[] => {
    const tokens = pointerTokens(pointer);
    const depth = tokensOf(owner.start).length;
    const own = valueAt(value, pointerOf(...tokens.slice(0, depth)));
    const { schema, components: known } = owner.text[refusedBy === "head" ? "base" : "head"];
    if (own === undefined) return [owner];
    if (!mayBe(schema, known, own)) return [];
    const { head } = owner.text;
    const isMet = ({ at }: TextEdit): boolean =>
      isOnWayOf(head.schema, components, pointerTokens(at), own, tokens.slice(depth));
    return [{ ...owner, edits: owner.edits.filter(isMet) }];
  });

/** The innermost text first. */
function ownersOf(base: Meant, head: Meant, root: string, place: string): readonly Owner[] {
  const [before, after] = [base, head].map(({ schema, components }) => entriesTo(schema, components, place));
  const owners = (after ?? []).flatMap((entry): readonly Owner[] => {
    const old = counterpartOf(entry, before ?? [], after ?? []);
    const [was, is] = [componentOf(base, old), componentOf(head, entry)];
    if (was === undefined || is === undefined) return [];
    const within = place
      .split("/")
      .slice(entry.pointer.split("/").length)
      .map((token) => `/${token}`)
      .join("");
    const at = pointerOf("components", "schemas", entry.component);
    const text = { base: { ...base, schema: was }, head: { ...head, schema: is } };
    return [{ at, start: entry.pointer, place: within, edits: textEdits(was, is), text }];
  });
  const whole: Owner = { at: root, start: "", place, edits: textEdits(base.schema, head.schema), text: { base, head } };
  return [...owners.toReversed(), whole];
}

/** Whether a component stands in place of another that is no former name of it: such a name is in one of both documents only. */
function isSwap(base: Meant, head: Meant, { keyword, before, after }: TextEdit): boolean {
  const [old, now] = [before[0], after[0]];
  if (keyword !== "$ref" || typeof old !== "string" || typeof now !== "string") return false;
  if (Object.hasOwn(head.components, old) || Object.hasOwn(base.components, now)) return true;
  const [were, are] = [base.components[old], head.components[now]].map((schema) => [
    ...schemaMapAt(schema ?? {}, "properties").keys(),
  ]);
  if (were === undefined || are === undefined || were.length === 0) return false;
  return were.filter((name) => are.includes(name)).length * 2 < were.length;
}

/** The component that stood where this one stands: it may have had another name. */
function counterpartOf(entry: Entry, before: readonly Entry[], after: readonly Entry[]): Entry | undefined {
  const old = before.filter(({ pointer }) => pointer === entry.pointer);
  const same = old.find(({ component }) => component === entry.component);
  if (same !== undefined) return same;
  const now = after.filter(({ pointer }) => pointer === entry.pointer);
  const isIn = (list: readonly Entry[], { component }: Entry): boolean =>
    list.some((one) => one.component === component);
  const renamed = old.filter((one) => !isIn(now, one));
  // Of several that came in place of one none is that one by another name.
  return renamed.length === 1 && now.filter((one) => !isIn(old, one)).length === 1 ? renamed[0] : undefined;
}

const componentOf = ({ components }: Meant, entry: Entry | undefined) =>
  entry !== undefined && Object.hasOwn(components, entry.component) ? components[entry.component] : undefined;

const spellings: Readonly<Record<string, readonly string[]>> = {
  const: ["enum"],
  required: ["properties"],
  additionalProperties: ["properties"],
  unevaluatedProperties: ["properties"],
  // Alternatives are alternatives, be one alone met or several.
  anyOf: ["oneOf"],
  oneOf: ["anyOf"],
};

const isOfKeyword = (edited: string, found: string): boolean =>
  edited === found || edited === `${unreadPrefix}${found}` || spellings[found]?.includes(edited) === true;

const isUnread = ({ keyword }: Pick<Edit, "keyword">): boolean => keyword.startsWith(unreadPrefix);

const tokensOf = (place: string): readonly string[] => place.split("/").slice(1);

/** Keywords that refuse members for being there, or an object for lacking one. */
const ofMembers: ReadonlySet<string> = new Set(["required", "additionalProperties", "unevaluatedProperties"]);

/** Keywords that speak of members that no other names. */
const otherMembers = ["additionalProperties", "unevaluatedProperties"];

/** Whether an edit is of a place; `*` is any item or undeclared member. */
const isAt = (edited: string, place: string): boolean =>
  isWithin(place, edited) && tokensOf(edited).length === tokensOf(place).length;

function isWithin(inner: string, outer: string): boolean {
  const tokens = tokensOf(inner);
  return tokensOf(outer).every((token, index) => {
    const own = tokens[index];
    // Any item may be one of the first; what is named is no undeclared member.
    return own !== undefined && (token === own || token === escapeToken("*") || (own === "*" && /^\d+$/.test(token)));
  });
}

const parentOf = (place: string): string => place.slice(0, Math.max(0, place.lastIndexOf("/")));
