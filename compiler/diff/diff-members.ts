import type { JsonSchema } from "../contract.ts";
import { namesIn } from "../schema/inclusion/naming.ts";
import type { Components } from "../schema/resolve-reference.ts";
import { schemaMapAt, stringsAt } from "../schema/schema-node.ts";
import { escapeToken } from "../schema/validator.ts";
import { type Alternative, alternativePairs, type PairedVisit } from "./alternatives.ts";
import type { ChangeId } from "./change-table.ts";
import { excluded, isFlagged } from "./direction-view.ts";
import { type Draft, documentPointer, draft, type Where } from "./draft.ts";
import { editIn, editText } from "./edit-text.ts";
import type { Judged, Meant } from "./judge.ts";
import { pairSearch } from "./pair-walk.ts";
import { schemaEdit } from "./schema-edit.ts";
import { namesAt } from "./schema-walk.ts";
import { type Voice, varianceOf, wordsOf } from "./voice.ts";

/**
 * Members that one side names and the other does not, where objects are open and so admit them by the letter: what a
 * client sends by that name has an effect anew or no longer, what it reads is there anew or no longer. A member that is
 * required anew, or of an answer no longer, is told as a schema that admits less or more.
 */
export function diffMembers(base: Meant, head: Meant, { voice, subject }: Judged, where: Where): readonly Draft[] {
  return membersOf[varianceOf(voice)](base, head).map(({ pointer, found: { name, id, presence } }): Draft => {
    const place = `${pointer}/${escapeToken(name)}`;
    const side = isGone(id) ? base : head;
    const about = [...where.about, ...namesAt(side.schema, side.components, place)];
    const edit = where.edit ?? schemaEdit(base, head, documentPointer(where), { place, keyword: "properties" }).edit;
    // Where all of a part came or went at once, the member is named, and what brought it.
    const isOfMembers = edit.keyword === "properties" && (isGone(id) ? edit.before : edit.after).length > 0;
    const whole = isGone(id) ? { before: [presence], after: [] } : { before: [], after: [presence] };
    const member = isOfMembers ? edit : { at: place, keyword: "properties", ...whole };
    const isTold = !isOfMembers && edit.before.length + edit.after.length > 0;
    const by = isTold ? ` (${editText(edit, voice)})` : "";
    const message = `${editIn(subject, member, voice, place)}${by}: ${consequenceOf(id, voice)}.`;
    const told = isOfMembers || isTold ? edit : { ...edit, ...whole };
    return draft(id, { ...where, pointer: `${where.pointer}${place}`, about, edit: told }, message);
  });
}

const membersIn = (variance: Variance) =>
  pairSearch((visit, base, head): readonly Told[] => {
    const told = new Map<string, Told>();
    for (const [before, after] of alternativePairs(visit, base, head)?.matched ?? [whole(visit)]) {
      for (const one of changesBetween(before, after, variance)) {
        if (!isLeftOut(one, before, after, variance, base, head)) told.set(one.name, one);
      }
    }
    return [...told.values()];
  });

type Variance = ReturnType<typeof varianceOf>;

const membersOf = { request: membersIn("request"), response: membersIn("response") } as const;

type MemberChange = Extract<
  ChangeId,
  | "request-property-added"
  | "request-property-removed"
  | "required-request-property-removed"
  | "response-property-added"
  | "response-property-removed"
>;

function consequenceOf(id: MemberChange, voice: Voice): string {
  const isAnswered = voice === "delivery-answer";
  switch (id) {
    case "request-property-added":
      return `nobody has to ${isAnswered ? "answer with" : "send"} it`;
    case "request-property-removed":
      return `what ${isAnswered ? "a receiver answers" : "a client sends"} in it has no effect, or is refused`;
    case "required-request-property-removed":
      return `what every ${isAnswered ? "receiver had to answer with" : "client had to send"} has no effect, or is refused`;
    case "response-property-added":
      return "nobody has to read it";
    case "response-property-removed":
      return `${wordsOf[voice].party} that used it, when it was there, never can`;
  }
}

interface Told {
  readonly name: string;
  readonly id: MemberChange;
  readonly presence: "optional" | "required";
}

const isGone = (id: MemberChange): boolean => id.endsWith("-removed");

/** The sides as wholes, where alternatives that are each other's can't be told. */
const whole = ({ base, head }: PairedVisit): readonly [Alternative, Alternative] => [
  { key: "", schemas: base, sure: [] },
  { key: "", schemas: head, sure: [] },
];

function changesBetween(base: Alternative, head: Alternative, variance: Variance): readonly Told[] {
  const [before, after] = [namesIn(base.schemas), namesIn(head.schemas)];
  if (before.openness === "map" || after.openness === "map") return [];
  const gone = declaredIn(base).filter((name) => !after.has(name));
  const added = declaredIn(head).filter((name) => !before.has(name));
  const requiredBefore = new Set(base.sure.flatMap((schema) => stringsAt(schema, "required")));
  const requiredAfter = new Set(head.sure.flatMap((schema) => stringsAt(schema, "required")));
  const presenceIn = (required: ReadonlySet<string>, name: string) =>
    required.has(name) ? ("required" as const) : ("optional" as const);
  const told = (names: readonly string[], id: MemberChange): readonly Told[] =>
    names.map((name) => ({ name, id, presence: presenceIn(isGone(id) ? requiredBefore : requiredAfter, name) }));
  const isRequired = (name: string): boolean => requiredBefore.has(name);
  const welcome = before.openness === "closed" ? [] : added;
  if (variance === "request") {
    const unread = after.openness === "closed" ? [] : gone;
    return [
      ...told(unread.filter(isRequired), "required-request-property-removed"),
      ...told(
        unread.filter((name) => !isRequired(name)),
        "request-property-removed",
      ),
      ...told(
        welcome.filter((name) => !requiredAfter.has(name)),
        "request-property-added",
      ),
    ];
  }
  return [
    ...told(
      gone.filter((name) => !isRequired(name)),
      "response-property-removed",
    ),
    ...told(welcome, "response-property-added"),
  ];
}

const declaredIn = ({ schemas }: Alternative): readonly string[] => [
  ...new Set(schemas.flatMap((schema) => [...schemaMapAt(schema, "properties").keys()])),
];

/** Whether the direction leaves the member out: nobody sends what is read-only. */
function isLeftOut(
  { name, id }: Told,
  base: Alternative,
  head: Alternative,
  variance: Variance,
  components: Components,
  headComponents: Components,
): boolean {
  const [{ schemas }, of] = isGone(id) ? [base, components] : [head, headComponents];
  const members = schemas.flatMap((schema): readonly JsonSchema[] => {
    const member = schemaMapAt(schema, "properties").get(name);
    return member === undefined ? [] : [member];
  });
  return members.some((member) => isFlagged(member, excluded[variance], of));
}
