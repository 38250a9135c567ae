import type { JsonSchema } from "../contract.ts";
import { schemasAt, stringAt } from "../schema/schema-node.ts";
import type { Edit } from "./change.ts";
import { diffHeaders } from "./diff-headers.ts";
import { diffMedia } from "./diff-media.ts";
import { type DocumentContext, type OperationPair, whereOf } from "./document-context.ts";
import { type Draft, draft, type Where } from "./draft.ts";
import type { HttpResponse } from "./http-surface.ts";
import { meaningOf, objectAt, pointerOf } from "./json-at.ts";
import { pairs } from "./pairs.ts";
import { areComparable, renamedSuccess, sayTheSame } from "./renamed-status.ts";

/** Names of error rows that an operation lists on one side only; they are told as such, not as other bodies. */
export interface RowChanges {
  readonly removed: ReadonlySet<string>;
  readonly added: ReadonlySet<string>;
}

/** Compares, for every status that a server may answer, what each side says of it. */
export function diffResponses(context: DocumentContext, operations: OperationPair, rows: RowChanges): readonly Draft[] {
  const base = operations.base?.responses ?? [];
  const head = operations.head?.responses ?? [];
  const drafts: Draft[] = [];
  const renamed = renamedSuccess(base, head);
  if (renamed !== null) drafts.push(...statusRenamed(context, operations, ...renamed, rows));
  const told = new Set<string>();
  for (const status of statusesToTry(base, head)) {
    const before = namedAnswer(status, base);
    const after = namedAnswer(status, head);
    if (renamed?.some((one) => one === before || one === after)) continue;
    const key = `${before?.status} ${after?.status}`;
    if (told.has(key) || (before === undefined && after === undefined)) continue;
    told.add(key);
    if (before !== undefined && isLeftOpen(before, after, base)) {
      drafts.push(errorGone(context, operations, before));
    } else if (before !== undefined && after !== undefined) {
      drafts.push(...diffResponse(context, operations, before, after, rows));
    } else if (before !== undefined) {
      drafts.push(statusGone(context, operations, before, base, head));
    } else if (after !== undefined) {
      drafts.push(statusNew(context, operations, after, base, head));
    }
  }
  return drafts;
}

const classes = ["1", "2", "3", "4", "5"];

/** Each status that is named, and one of each class that none names. */
function statusesToTry(base: readonly HttpResponse[], head: readonly HttpResponse[]): readonly string[] {
  const named = new Set([...base, ...head].map(({ status }) => status).filter((status) => /^[1-5]\d\d$/.test(status)));
  return [...named, ...classes.map((digit) => `${digit}XX`)];
}

/** What a side says of a status: by itself, by its range, or by default. */
export const answerOf = (status: string, among: readonly HttpResponse[]): HttpResponse | undefined =>
  [status, `${status[0]}XX`, "default"]
    .map((name) => among.find((response) => response.status === name))
    .find((found) => found !== undefined);

/** The same, but that a default which stands for errors says nothing of a success that is named. */
function namedAnswer(status: string, among: readonly HttpResponse[]): HttpResponse | undefined {
  const found = answerOf(status, among);
  return found?.status === "default" && /^[123]\d\d$/.test(status) && !isSuccess(found, among) ? undefined : found;
}

/** An answer by default is an error where successes are named. */
const isSuccess = ({ status }: HttpResponse, among: readonly HttpResponse[]): boolean =>
  status === "default" ? !among.some((other) => /^[123]/.test(other.status)) : /^[123]/.test(status);

/** An error that had a body and a status of its own, where nothing is said any more but that there may be errors. */
const isLeftOpen = (before: HttpResponse, after: HttpResponse | undefined, base: readonly HttpResponse[]): boolean =>
  after?.status === "default" &&
  after.content.length === 0 &&
  before.status !== "default" &&
  before.content.length > 0 &&
  !isSuccess(before, base);

const errorGone = (context: DocumentContext, operations: OperationPair, gone: HttpResponse): Draft =>
  draft(
    "error-status-removed",
    whereOf(context, operations, gone.pointer),
    `status ${gone.status} gone: a client that acts on it never does, or meets another.`,
  );

function statusGone(
  context: DocumentContext,
  operations: OperationPair,
  gone: HttpResponse,
  base: readonly HttpResponse[],
  head: readonly HttpResponse[],
): Draft {
  const where = whereOf(context, operations, gone.pointer);
  const partly = isPartOf(gone, base, head);
  if (isSuccess(gone, base)) {
    return partly
      ? draft(
          "success-range-narrowed",
          where,
          `Fewer statuses of ${gone.status} may be answered: a client that handles them all still does.`,
        )
      : draft(
          "success-status-removed",
          where,
          `status ${gone.status} gone: a client that waits for it takes success for failure.`,
        );
  }
  return partly
    ? draft(
        "error-range-narrowed",
        where,
        `Fewer statuses of ${gone.status} may be answered: a client that handles them all still does.`,
      )
    : errorGone(context, operations, gone);
}

function statusNew(
  context: DocumentContext,
  operations: OperationPair,
  added: HttpResponse,
  base: readonly HttpResponse[],
  head: readonly HttpResponse[],
): Draft {
  const where = whereOf(context, operations, added.pointer);
  const partly = isPartOf(added, head, base);
  if (isSuccess(added, head)) {
    return partly
      ? draft(
          "success-range-widened",
          where,
          `More statuses of ${added.status} may be answered: a client that knows one of them takes the others for failure.`,
        )
      : draft(
          "success-status-added",
          where,
          `status ${added.status} added: a client that knows the old ones only takes it for failure.`,
        );
  }
  return partly
    ? draft(
        "error-range-widened",
        where,
        `More statuses of ${added.status} may be answered: a client that tells errors apart may meet an unknown one.`,
      )
    : draft(
        "error-status-added",
        where,
        `status ${added.status} added: a client that tells errors apart may meet an unknown one.`,
      );
}

/** The other side answers some of the statuses that the response stands for. */
const isPartOf = ({ status }: HttpResponse, own: readonly HttpResponse[], other: readonly HttpResponse[]): boolean =>
  statusesToTry(own, other).some(
    (tried) => namedAnswer(tried, own)?.status === status && namedAnswer(tried, other) !== undefined,
  );

/** A success whose status is another now; what it holds is compared where it is of the same types. */
function statusRenamed(
  context: DocumentContext,
  operations: OperationPair,
  base: HttpResponse,
  head: HttpResponse,
  rows: RowChanges,
): readonly Draft[] {
  const id = "success-status-changed";
  const edit = { at: head.pointer, keyword: id, before: [base.status], after: [head.status] };
  const [was, is] = [base, head].map(({ content }) => content.length > 0);
  const body = was === is ? "" : is ? ", with a body" : ", without a body";
  const message = `status ${base.status} is ${head.status} now${body}: a client that waits for the old one takes success for failure.`;
  return [
    draft(id, { ...whereOf(context, operations, head.pointer), edit }, message),
    ...(areComparable(base, head) ? diffResponse(context, operations, base, head, rows) : []),
  ];
}

function diffResponse(
  context: DocumentContext,
  operations: OperationPair,
  base: HttpResponse,
  head: HttpResponse,
  rows: RowChanges,
): readonly Draft[] {
  const edit = otherAnswer(base, head);
  const whereAt = (pointer: string): Where => {
    const where = whereOf(context, operations, pointer);
    return edit === null ? where : { ...where, edit };
  };
  const subject = `The ${namedOf(base, head).status} answer`;
  const kind = {
    removed:
      base.content.length > 0 && head.content.length === 0 ? "response-body-removed" : "response-media-type-removed",
    added: base.content.length === 0 && head.content.length > 0 ? "response-body-added" : "response-media-type-added",
    changed: "response-media-type-changed",
    rangeNarrowed: "response-media-type-narrowed",
    narrowed: "response-body-narrowed",
    widened: "response-body-widened",
    isEncoded: false,
    subject,
    voice: "response",
    whenRemoved: "a client that reads it finds nothing it can read",
    whenAdded:
      base.content.length === 0
        ? "a client that reads no body still need not"
        : "a client that asks for no type may get this one",
    adjusted: {
      base: (schema: JsonSchema) => lessRows(schema, rows.removed),
      head: (schema: JsonSchema) => lessRows(schema, rows.added),
    },
  } as const;
  return [
    ...diffHeaders(context, base, head, subject, whereAt),
    ...diffMedia(context, base.content, head.content, kind, whereAt),
    ...diffLinks(base, head, subject, whereAt),
  ];
}

/**
 * That a status has an answer of its own, or falls under a range or the default: what differs follows from that, unless both
 * say the same in the documents.
 */
function otherAnswer(base: HttpResponse, head: HttpResponse): Edit | null {
  const isOther = [base, head].filter(({ status }) => isOfMany(status)).length === 1;
  if (!isOther || sayTheSame(base, head)) return null;
  const { pointer } = namedOf(base, head);
  const [before, after] = [base, head].map(({ status, content }) => [status, ...content.map(({ schema }) => schema)]);
  return { at: pointer, keyword: "responses", before: before ?? [], after: after ?? [] };
}

/** Of two answers the one that speaks of fewer statuses; of like ones the head's. */
const namedOf = (base: HttpResponse, head: HttpResponse): HttpResponse =>
  head.status === "default" || (isOfMany(head.status) && !isOfMany(base.status)) ? base : head;

const isOfMany = (status: string): boolean => status === "default" || status.endsWith("XX");

function diffLinks(
  base: HttpResponse,
  head: HttpResponse,
  subject: string,
  whereAt: (pointer: string) => Where,
): readonly Draft[] {
  const at = (name: string): Where => whereAt(`${head.pointer}${pointerOf("links", name)}`);
  const found = pairs(Object.entries(objectAt(base.links)), Object.entries(objectAt(head.links)), ([name]) => name);
  const changed = [
    ...found.removed.map(([name]) => [name, "is gone"] as const),
    ...found.both.flatMap(([[name, old], [, now]]) =>
      meaningOf(old) === meaningOf(now) ? [] : [[name, "leads elsewhere"] as const],
    ),
  ];
  return [
    ...changed.map(([name, how]) =>
      draft("links-changed", at(name), `${subject}'s link ${name} ${how}: a client that follows it may fail.`),
    ),
    ...found.added.map(([name]) =>
      draft("link-added", at(name), `${subject} has the link ${name} now: nobody has to follow it.`),
    ),
  ];
}

/** The schema without the alternatives that are error rows of these names; as it is, when none would be left. */
function lessRows(schema: JsonSchema, names: ReadonlySet<string>): JsonSchema {
  if (names.size === 0) return schema;
  for (const keyword of ["anyOf", "oneOf"]) {
    const alternatives = schemasAt(schema, keyword);
    const kept = alternatives.filter((one) => {
      const reference = stringAt(one, "$ref");
      return reference === undefined || !names.has(reference.slice(reference.lastIndexOf("/") + 1));
    });
    if (kept.length > 0 && kept.length < alternatives.length) return { ...schema, [keyword]: kept };
  }
  return schema;
}
