import type { JsonSchema } from "../contract.ts";
import { isObject } from "../schema/schema-node.ts";
import { escapeToken } from "../schema/validator.ts";
import { gravity } from "./change.ts";
import { changeTable } from "./change-table.ts";
import { haveSameContent } from "./content-of.ts";
import { diffAnnotations } from "./diff-annotations.ts";
import { diffMembers } from "./diff-members.ts";
import type { DocumentContext } from "./document-context.ts";
import { type Draft, draft, type Where } from "./draft.ts";
import { editIn } from "./edit-text.ts";
import { excludedDrafts } from "./excluded-drafts.ts";
import { inheritedPairs } from "./inherited-schemas.ts";
import { type Judged, judge } from "./judge.ts";
import type { Meant } from "./meant.ts";
import { isWrittenAlike } from "./same-schema.ts";
import { namesAt, schemasAtPlace } from "./schema-walk.ts";
import { toldApart } from "./told-apart.ts";
import { varianceOf } from "./voice.ts";

/** Everything that changed between two schemas of a document: what they admit, and what they say beside it. */
export function diffSchema(
  context: DocumentContext,
  base: JsonSchema,
  head: JsonSchema,
  judged: Judged,
  where: Where,
): readonly Draft[] {
  const variance = varianceOf(judged.voice);
  const [before, after] = [context.base[variance](base), context.head[variance](head)];
  const own = diffOwn(context, before, after, judged, where);
  const found = new Set(own.map(identityOf));
  const inherited = diffInherited(context, before, after, judged, where);
  return [...own, ...inherited.filter((made) => !found.has(identityOf(made)))];
}

/** Equal for drafts that report one edit at one place. */
const identityOf = ({ pointer, edit }: Draft): string => JSON.stringify([pointer, edit.at, edit.keyword]);

/** Compares the child schemas of a parent, each as a part of the values at the parent's place. */
function diffInherited(
  context: DocumentContext,
  before: Meant,
  after: Meant,
  judged: Judged,
  where: Where,
): readonly Draft[] {
  if (where.edit !== undefined) return [];
  const own = { base: context.base.surface.components, head: context.head.surface.components };
  const direction = varianceOf(judged.voice);
  return inheritedPairs(before, after, own).flatMap(({ place, parent, value, base, head }): readonly Draft[] => {
    const at = { ...where, pointer: `${where.pointer}${place}` };
    if (base !== null && head !== null) {
      const subject = `${judged.subject}${place === "" ? "" : ` at ${place}`} as \`${value}\``;
      return diffOwn(context, base, head, { ...judged, subject }, at);
    }
    const isGone = head === null;
    const id = `${direction}-child-${isGone ? "removed" : "added"}` as const;
    const values = isGone ? { before: [value], after: [] } : { before: [], after: [value] };
    const edit = { at: `/components/schemas/${escapeToken(parent)}`, keyword: "discriminator-child", ...values };
    const message = `${editIn(judged.subject, edit, judged.voice, place)}: ${childConsequences[id]}.`;
    return [draft(id, { ...at, edit }, message)];
  });
}

const childConsequences = {
  "request-child-added": "nobody has to send it",
  "request-child-removed": "a client that sends it may be refused or misread",
  "response-child-added": "a client may receive a schema that it does not know",
  "response-child-removed": "a client that handles it still handles the others",
} as const;

/** Compares two schemas without the child schemas of parents. */
function diffOwn(
  context: DocumentContext,
  before: Meant,
  after: Meant,
  judged: Judged,
  where: Where,
): readonly Draft[] {
  if (isWrittenAlike(before, after)) return [];
  const annotations = diffAnnotations(before, after, judged, where).filter(
    ({ id }) => context.isText !== true || !id.startsWith("null-perhaps-"),
  );
  // Where a tag has another name, or another property is the tag, that is what is told.
  const isTold = annotations.some(({ id, edit }) => id.startsWith("discriminator-") && !isOfSameTags(edit));
  const [old, now] = isTold ? [before, after] : [toldApart(before), toldApart(after)];
  const meant = { before: context.base.compared(old), after: context.head.compared(now) };
  const isOfContent = ({ edit, pointer }: Draft): boolean => {
    if (edit.keyword !== "format") return false;
    const place = pointer.slice(where.pointer.length);
    const [one, other] = [before, after].map((side) => schemasAtPlace(side.schema, side.components, place));
    return isOtherContentKeyword(edit) && one !== undefined && other !== undefined && haveSameContent(one, other);
  };
  const found = judge(before, after, judged, where, context.includes, meant);
  const admitted = found
    .filter((made) => !isOfContent(made))
    .map((made): Draft => {
      const at = made.evidence?.kind === "value" ? made.evidence.at : "";
      const names = [before, after].flatMap(({ schema, components }) => namesAt(schema, components, at));
      return { ...made, about: [...made.about, ...names] };
    });
  const members = diffMembers(before, after, judged, where);
  const isOfExcluded = excludedDrafts(before, after, judged, where);
  const drafts = [
    ...admitted.filter((made) => !members.some((other) => other.pointer === made.pointer && isGraver(other, made))),
    ...members.filter((made) => !admitted.some((other) => other.pointer === made.pointer && !isGraver(made, other))),
    ...annotations.filter((made) => !admitted.some((other) => tellsOf(other, made))),
  ];
  return drafts.filter((made) => !isOfExcluded(made));
}

/** Returns true if a format came or went that a keyword about content may say in its place. */
const isOtherContentKeyword = ({ before, after }: Draft["edit"]): boolean =>
  before.length + after.length === 1 &&
  [...before, ...after].every((format) => format === "byte" || format === "binary");

/** Whether each value of the tag that stood for an alternative still does, however others do. */
function isOfSameTags({ before: [before], after: [after] }: Draft["edit"]): boolean {
  const [old, now] = [before, after].map((one) => (isObject(one) ? one : {}));
  if (old === undefined || now === undefined || old.propertyName !== now.propertyName) return false;
  const [was, is] = [old, now].map(({ mapping }) => (isObject(mapping) ? mapping : {}));
  return Object.entries(was ?? {}).every(([value, target]) => is?.[value] === target);
}

/** Whether what is told of values says what an annotation would: of a member that is demanded in vain, or of a tag that has other values. */
function tellsOf(admitted: Draft, { id, edit, pointer }: Draft): boolean {
  if (id === "malformed-keyword-changed") return !edit.keyword.startsWith("x-") && admitted.pointer === pointer;
  if (id !== "discriminator-value-removed" || changeTable[admitted.id].verdict !== "breaking") return false;
  const [discriminator] = edit.before;
  const name = isObject(discriminator) ? discriminator.propertyName : undefined;
  return typeof name === "string" && admitted.pointer === `${pointer}/${escapeToken(name)}`;
}

/** Of two that are told of one place the graver counts. */
const isGraver = (one: Draft, other: Draft): boolean => gravityOf(one) < gravityOf(other);

const gravityOf = ({ id }: Draft): number => gravity[changeTable[id].verdict];
