import { slipOf, unreadPrefix, unreadReference } from "../openapi/dialect.ts";
import { isCheckableFormat } from "../schema/inclusion/two-sides.ts";
import type { Inclusion, Refusal } from "../schema/inclusion.ts";
import type { Edit, Evidence } from "./change.ts";
import type { ChangeId } from "./change-table.ts";
import { refusesOnlyUnnamed } from "./closed-anew.ts";
import { differingAlternatives } from "./differing-alternatives.ts";
import { type Draft, documentPointer, draft, unfollowed, type Where } from "./draft.ts";
import { editIn } from "./edit-text.ts";
import { namesNothing } from "./free-form.ts";
import { furtherInAlternatives } from "./further-in-alternatives.ts";
import { hiddenByType } from "./hidden-by-type.ts";
import type { Meant } from "./meant.ts";
import { asAnnounced } from "./open-enums.ts";
import { leniently } from "./overlaps.ts";
import type { Found } from "./place-edit.ts";
import { haveOneForm, isWrittenAlike } from "./same-schema.ts";
import { type PlacedEdit, schemaEdit } from "./schema-edit.ts";
import { type Voice, varianceOf, wordsOf } from "./voice.ts";

export type { Meant };

/** Whether every value of one schema is a value of the other. */
export type Includes = (inner: Meant, outer: Meant) => Inclusion;

/** The ids for a schema that admits less or more than before. */
export interface Judged {
  readonly narrowed: ChangeId;
  readonly widened: ChangeId;
  /** What is lost when the one way round fails; begins a sentence. */
  readonly subject: string;
  readonly voice: Voice;
}

/**
 * What became of a schema: nothing, when both admit the same; else it is narrower, wider, or both, at each place that is
 * told apart. Where inclusion can't be decided, the dangerous one is reported with the reason. Compared is what each is taken
 * to say, `before` and `after`; edits are of what stands in the documents.
 */
export function judge(
  base: Meant,
  head: Meant,
  judged: Judged,
  where: Where,
  includes: Includes,
  { before, after } = { before: base, after: head },
): readonly Draft[] {
  if (isWrittenAlike(base, head)) return [];
  const request = varianceOf(judged.voice) === "request";
  const { party, lost, gained } = wordsOf[judged.voice];
  const forward = includes(before, after);
  const backward = includes(after, before);
  const announced = request || backward.kind === "included" ? null : asAnnounced(before);
  const isUndecided = forward.kind === "unknown" || backward.kind === "unknown";
  if (isUndecided && forward.kind !== "not-included" && backward.kind !== "not-included" && haveOneForm(base, head)) {
    return [];
  }
  const root = documentPointer(where);
  const editAt = (found: Found): PlacedEdit =>
    where.edit === undefined ? schemaEdit(base, head, root, found) : { edit: where.edit, place: found.place };
  // What came, went or differs as a whole has one edit.
  const furtherFrom =
    (refusedBy: "base" | "head") =>
    (refusal: Refusal): ReturnType<typeof furtherInAlternatives> =>
      where.edit === undefined
        ? furtherInAlternatives(base, head, { before, after }, refusal, refusedBy, root, includes)
        : [];
  const told =
    (consequence: string, ofNewMember = consequence) =>
    (placed: PlacedEdit | null): string => {
      if (placed === null || !isToldApart(placed.edit)) return `${judged.subject} differs: ${consequence}.`;
      const edit = editIn(judged.subject, placed.edit, judged.voice, placed.place);
      const why = placed.overlaps === true ? ofSeveral : isNewMember(placed.edit) ? ofNewMember : consequence;
      return `${edit}: ${why}.`;
    };
  const ofSeveral = request
    ? `values are of several alternatives now of which they may be of one alone, so ${lost}`
    : `values are of one alternative alone now that were of several, and so ruled out; ${party} may hold to that`;
  const isFreeForm = (side: "base" | "head", place: string): boolean =>
    namesNothing(side === "base" ? base : head, place);
  const mayBeOfSeveral = told("whether values are of several alternatives now, or no longer, was not decided");
  const alternativesAt = (place: string | null): string | null => differingAlternatives(base, head, place);
  const less: Way = {
    ...{ id: judged.narrowed, breaks: request },
    refusedBy: "head",
    editAt,
    furtherOf: furtherFrom("head"),
    alternativesAt,
    shown: told(lost),
    unproved: told("it can't be shown that all is admitted that was"),
    mayBeOfSeveral,
    freeForm: specified(judged, "specified of an object that named none", "may have sent others by these names"),
    isFreeForm: (place) => isFreeForm("base", place),
    isOfUnnamed: ({ edit, place }) => request && refusesOnlyUnnamed(edit, place, base, head),
    undecided: told("whether all is admitted that was, was not decided"),
    because: told,
  };
  const more: Way = {
    ...{ id: judged.widened, breaks: !request },
    refusedBy: "base",
    editAt,
    furtherOf: furtherFrom("base"),
    alternativesAt,
    shown: told(gained, request ? gained : ruledOut(party)),
    unproved: told("it can't be shown that nothing new is admitted"),
    mayBeOfSeveral,
    freeForm: specified(judged, "specified no longer of an object", "may find anything by these names"),
    isFreeForm: (place) => isFreeForm("head", place),
    isOfUnnamed: () => false,
    undecided: told("whether anything new is admitted was not decided"),
    because: told,
  };
  const draftsIn = (inner: Meant, outer: Meant, found: Inclusion, way: Way, dangerous: boolean): readonly Draft[] => {
    const made = draftsOfTypes(inner, outer, found, way, dangerous);
    if (!way.breaks) return made;
    const hidden = made.flatMap((one) => hiddenByType(inner, outer, refusalOf(one, where.pointer), includes));
    return onceForEachEdit([...made, ...hidden.map((refusal) => shown(refusal, way, where))]);
  };
  const draftsOfTypes = (
    inner: Meant,
    outer: Meant,
    found: Inclusion,
    way: Way,
    dangerous: boolean,
  ): readonly Draft[] => {
    const isTold = way.breaks && (dangerous || found.kind !== "unknown");
    const lenient = isTold ? leniently(inner, outer, found, includes) : null;
    if (lenient === null) return draftsOf(found, way, where, dangerous);
    const certain = draftsOf(lenient.verdict, way, where, dangerous);
    const isCertain = ({ pointer, edit }: Draft): boolean =>
      certain.some((one) => one.pointer === pointer && JSON.stringify(one.edit) === JSON.stringify(edit));
    return onceForEachEdit([
      ...certain,
      ...overlapping(found, lenient.overlaps, way, where).filter((made) => !isCertain(made)),
    ]);
  };
  const narrower = draftsIn(before, after, forward, less, request || backward.kind === "included");
  const wider = draftsIn(after, before, backward, more, !request || forward.kind === "included");
  if (announced === null) return [...narrower, ...wider];
  const unexpected = draftsIn(after, announced, includes(after, announced), more, true);
  const constraintOf = ({ pointer, edit }: Draft): string => `${pointer} ${edit.keyword}`;
  const known = new Set(unexpected.map(constraintOf));
  const expected = wider.filter((made) => !known.has(constraintOf(made)));
  return [...narrower, ...unexpected, ...expected.map((made) => inOpenEnum(made, judged, where.pointer))];
}

/** Returns the refusal of a value by its type, or null if the draft shows something else. */
const refusalOf = ({ edit, evidence, pointer }: Draft, start: string): Refusal | null =>
  edit.keyword === "type" && evidence?.kind === "value"
    ? {
        counterexample: evidence.value,
        pointer: evidence.at,
        place: pointer.slice(start.length),
        keyword: evidence.keyword,
        why: "",
      }
    : null;

const isNewMember = ({ keyword, after }: Edit): boolean => keyword === "properties" && after.length > 0;

/** Of an answer's new member that makes it wider: in an open object it would not. */
const ruledOut = (party: string): string =>
  `the schema ruled it out, by what it says of other properties, and ${party} may hold to that`;

/** Whether a sentence can name what was edited. */
const isToldApart = ({ keyword, before, after }: Edit): boolean => keyword !== "" || before.length + after.length > 0;

/** What was found to be wider, where it is no wider than was announced; anything else as it is. */
export function inOpenEnum(made: Draft, { subject, widened, voice }: Judged, start: string): Draft {
  if (made.id !== widened) return made;
  const place = made.pointer.slice(start.length);
  const message = `${editIn(subject, made.edit, voice, place)}: the enum is open, so others were announced, yet ${wordsOf[voice].party} may not know it.`;
  return { ...made, id: "open-enum-extended", message };
}

/** One of the two ways in which inclusion may fail, and how it is told. */
interface Way {
  readonly id: ChangeId;
  /** Whether someone breaks who relied on the schema. */
  readonly breaks: boolean;
  readonly refusedBy: "base" | "head";
  readonly editAt: (found: Found) => PlacedEdit;
  /** What else a union refuses that a value was found of. */
  readonly furtherOf: (refusal: Refusal) => ReturnType<typeof furtherInAlternatives>;
  /** Which alternatives differ at or around a place, or anywhere; a sentence, null where there are none. */
  readonly alternativesAt: (place: string | null) => string | null;
  readonly shown: (placed: PlacedEdit) => string;
  readonly unproved: (placed: PlacedEdit) => string;
  /** The same where it rests on a value's being of several alternatives of a `oneOf`. */
  readonly mayBeOfSeveral: (placed: PlacedEdit) => string;
  /** That members are specified that were free, or free that were specified, in the object at a place. */
  readonly freeForm: (place: string) => string;
  /** Whether the side that admits more names no member of the object at a place. */
  readonly isFreeForm: (place: string) => boolean;
  /** Whether an edit refuses nothing but members of a request that nobody has named. */
  readonly isOfUnnamed: (placed: PlacedEdit) => boolean;
  /** The same for another reason. */
  readonly because: (why: string) => (placed: PlacedEdit) => string;
  /** The same where the work did not suffice to tell. */
  readonly undecided: (placed: PlacedEdit | null) => string;
}

/** How something is told that breaks nobody for sure. */
interface Told {
  readonly id: ChangeId;
  readonly why: string;
}

/** An edit of formats alone: what refuses values is one that cannot be checked, or that whole numbers fit into 64 bits; else null. */
function ofFormats({ keyword, before, after }: Edit, { breaks, refusedBy }: Way): Told | null {
  if (!breaks || keyword !== "format") return null;
  const isRequest = refusedBy === "head";
  const [asked, instead] = isRequest ? [after, before] : [before, after];
  if (asked.length > 0 && !asked.some((one) => isCheckableFormat(String(one)))) {
    const why = isRequest
      ? "no validator knows the format, so it refuses nothing there; a server that does may refuse others"
      : "no validator knows the old format, so it promised nothing there; who does may hold to it";
    return { id: "unknown-format-changed", why };
  }
  if (instead.length > 0 || asked.length === 0 || !asked.every((one) => one === "int64")) return null;
  const why = isRequest
    ? "by the letter greater numbers were taken, which hardly anybody sends"
    : "by the letter greater numbers may come now, which hardly anybody answers with";
  return { id: "wide-integers-refused", why };
}

/** `dangerous`: what can't be decided is told. */
function draftsOf(found: Inclusion, way: Way, where: Where, dangerous: boolean): readonly Draft[] {
  const unproved = (why: string, place: string, keyword: string): Draft => {
    const found = way.editAt({ place, keyword, refusedBy: way.refusedBy });
    const at = { ...placed(where, place), edit: found.edit };
    const evidence = { kind: "unproven", why } as const;
    const ofFormat = ofFormats(found.edit, way);
    if (ofFormat !== null) return draft(ofFormat.id, at, way.because(ofFormat.why)(found), evidence);
    return draft(way.id, at, way.unproved(found), evidence);
  };
  const undecided = (why: string, place: string, keyword: string): Draft => {
    const evidence = { kind: "unproven", why } as const;
    // Where no proof got so far as to tell a place, any edit of the schema may be the cause.
    if (keyword === "") return draft("schema-undecided", where, way.undecided(null), evidence);
    const { edit, ...rest } = way.editAt({ place, keyword, refusedBy: way.refusedBy });
    if (ofFormats(edit, way) !== null) return unproved(why, place, keyword);
    return draft("schema-undecided", { ...placed(where, place), edit }, way.undecided({ edit, ...rest }), evidence);
  };
  const shownWithFurther = (refusal: Refusal): readonly Draft[] => [
    shown(refusal, way, where),
    ...way.furtherOf(refusal).map((further) => shown(further.refusal, way, where, further.edit)),
  ];
  switch (found.kind) {
    case "included":
      return [];
    case "unknown": {
      if (!dangerous) return [];
      // Whatever more work would tell of what breaks nobody, it would be as safe.
      const told = found.isUnfinished === true && way.breaks ? undecided : unproved;
      const doubted = found.doubted?.length ? found.doubted : [{ place: "", keyword: "" }];
      const whyAt = (place: string): string =>
        [found.why, way.alternativesAt(found.doubted?.length ? place : null) ?? []].flat().join(" ");
      const drafts = doubted.map(({ place, keyword }) => told(whyAt(place), place, keyword));
      // What one edit makes doubtful at several places is told at the first.
      return [...Map.groupBy(drafts, ({ edit }) => JSON.stringify(edit)).values()].flatMap((alike) =>
        alike.slice(0, 1),
      );
    }
    case "not-included":
      return onceForEachEdit([
        ...shownWithFurther(found),
        ...found.further.flatMap((one) => {
          if (one.kind === "shown") return shownWithFurther(one);
          if (!dangerous) return [];
          const tell = one.isUnfinished === true && way.breaks ? undecided : unproved;
          const made = tell(one.why, one.place, one.keyword);
          if (isUntold(made.edit) && isBesideShown(one.place, found)) return [];
          return one.isBesideShown === true && made.edit.keyword !== one.keyword ? [] : [made];
        }),
      ]);
  }
}

/** Whether something is shown of the same object: where nothing was edited at a place, what is doubted there follows from that. */
const isBesideShown = (place: string, found: Extract<Inclusion, { readonly kind: "not-included" }>): boolean =>
  [found, ...found.further.filter(({ kind }) => kind === "shown")].some(
    (one) => one.place !== "" && objectOf(one.place) === objectOf(place),
  );

const objectOf = (place: string): string => place.slice(0, Math.max(0, place.lastIndexOf("/")));

/** What was found by the letter alone, since values are of several alternatives of a `oneOf`; else that this was not decided. */
function overlapping(found: Inclusion, overlaps: readonly Refusal[], way: Way, where: Where): readonly Draft[] {
  const { refusedBy } = way;
  const id = "alternatives-overlap";
  if (found.kind === "unknown") {
    const [{ place, keyword } = { place: "", keyword: "oneOf" }] = found.doubted ?? [];
    const edited = way.editAt({ place, keyword, refusedBy });
    const why = [found.why, way.alternativesAt(found.doubted?.length ? place : null) ?? []].flat().join(" ");
    const evidence = { kind: "unproven", why } as const;
    return [draft(id, { ...placed(where, place), edit: edited.edit }, way.mayBeOfSeveral(edited), evidence)];
  }
  return overlaps.map(({ counterexample, pointer, place, keyword }) => {
    const edited = way.editAt({ place, keyword, refusedBy, shown: { value: counterexample, pointer, refusedBy } });
    const evidence: Evidence = { kind: "value", value: counterexample, refusedBy, at: pointer, keyword };
    return draft(
      id,
      { ...placed(where, place), edit: edited.edit },
      way.shown({ ...edited, overlaps: true }),
      evidence,
    );
  });
}

/** Whether nothing is known of an edit but the keyword. */
const isUntold = ({ before, after }: Edit): boolean => before.length + after.length === 0;

/** Several keywords may refuse at a place what one edit did; of a member that came or went all that it is follows from it. */
function onceForEachEdit(drafts: readonly Draft[]): readonly Draft[] {
  const found = new Map<string, Draft>();
  for (const made of drafts) {
    const { at, keyword } = made.edit;
    const isOfMember = [...found.values()].some(
      ({ pointer, edit }) =>
        pointer === made.pointer && edit.keyword === "properties" && `${edit.at}/`.startsWith(`${at}/`),
    );
    const key = JSON.stringify([made.pointer, at, keyword]);
    // What nobody can name below an edit that has a name follows from that.
    const isBelow =
      isUntold(made.edit) &&
      [...found.values()].some(({ edit }) => `${at}/`.startsWith(`${edit.at}/`) && !isUntold(edit));
    // What a new alternative says of a member, which is told of that alternative already, stands in no text at that way.
    const isOfUnion = [...found.values()].some(
      ({ pointer, edit }) =>
        pointer === made.pointer &&
        /^(?:any|one)Of$/.test(edit.keyword) &&
        at.startsWith(`${edit.at}/`) &&
        /^\/(?:properties|items)\b/.test(at.slice(edit.at.length)),
    );
    if (!isOfMember && !isBelow && !isOfUnion && !found.has(key)) found.set(key, made);
  }
  return [...found.values()];
}

/** Whether a keyword differs that one side malforms: what it admits then, its author did not mean to. */
const isOfMalformed = ({ keyword }: Edit, { breaks }: Way): boolean =>
  breaks && keyword.startsWith(unreadPrefix) && slipOf(keyword) !== null;

/** Whether a member came or went by what values of it are refused for, and nobody had to send it or could count on it. */
const isOfValues = ({ keyword, before, after }: Edit, refused: string): boolean =>
  keyword === "properties" &&
  [...before, ...after].every((presence) => presence === "optional") &&
  !["required", "additionalProperties", "unevaluatedProperties"].includes(refused);

/** Where the object of a member stands: what is refused may be a part of the member. */
function ownerOf({ edit: { at }, place }: PlacedEdit): string {
  const name = at.slice(at.lastIndexOf("/"));
  const index = `${place}/`.lastIndexOf(`${name}/`);
  return place.slice(0, Math.max(0, index < 0 ? place.lastIndexOf("/") : index));
}

const parentOf = (at: string): string => at.replace(/\/properties\/[^/]*$/, "");

const specified =
  ({ subject, voice }: Judged, how: string, why: string) =>
  (place: string): string =>
    `properties ${how} in ${subject.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}${place === "" ? "" : ` at ${place}`}: ${wordsOf[voice].party} ${why}.`;

function shown(refusal: Refusal, way: Way, where: Where, known?: PlacedEdit): Draft {
  const { counterexample, pointer, place, keyword } = refusal;
  const evidence: Evidence = { kind: "value", value: counterexample, refusedBy: way.refusedBy, at: pointer, keyword };
  const { refusedBy } = way;
  const found =
    known ?? way.editAt({ place, keyword, refusedBy, shown: { value: counterexample, pointer, refusedBy } });
  if (way.breaks && found.edit.keyword === unreadReference) {
    const at = { ...placed(where, place), edit: found.edit };
    return draft("malformed-keyword-changed", at, way.undecided(found), unfollowed);
  }
  const owner = ownerOf(found);
  if (way.breaks && isOfValues(found.edit, keyword) && way.isFreeForm(owner)) {
    // All members of the object are one edit.
    const edit = { at: parentOf(found.edit.at), keyword: "free-form-specified", before: [], after: [] };
    return draft("free-form-specified", { ...placed(where, place), edit }, way.freeForm(owner), evidence);
  }
  const ofFormat = ofFormats(found.edit, way);
  if (ofFormat !== null) {
    return draft(
      ofFormat.id,
      { ...placed(where, place), edit: found.edit },
      way.because(ofFormat.why)(found),
      evidence,
    );
  }
  if (way.isOfUnnamed(found)) {
    const at = { ...placed(where, place), edit: found.edit };
    return draft("unnamed-members-refused", at, way.because(unnamedRefused)(found), evidence);
  }
  const id = isOfMalformed(found.edit, way) ? "malformed-keyword-changed" : way.id;
  return draft(id, { ...placed(where, place), edit: found.edit }, way.shown(found), evidence);
}

const unnamedRefused = "nothing was said of members that nobody has named, and read by name nobody sends one";

/** Each place of the value has a pointer of its own: the schema's, and on through the value. */
const placed = (where: Where, place: string): Where => ({ ...where, pointer: `${where.pointer}${place}` });
