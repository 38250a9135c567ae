import type { JsonSchema } from "../contract.ts";
import type { ChangeId } from "./change-table.ts";
import { diffEncoding } from "./diff-encoding.ts";
import { diffSchema } from "./diff-schema.ts";
import { diffXml } from "./diff-xml.ts";
import type { DocumentContext } from "./document-context.ts";
import { type Draft, draft, type Where } from "./draft.ts";
import type { HttpMedia } from "./http-surface.ts";
import { meaningOf } from "./json-at.ts";
import type { Judged } from "./judge.ts";
import { liesIn } from "./media-range.ts";

/** What differs between the contents of requests and of answers. */
export interface MediaKind extends Judged {
  readonly removed: ChangeId;
  readonly added: ChangeId;
  /** One that is called otherwise and is else the same; null where that is told as one gone and one new. */
  readonly changed: ChangeId | null;
  /** A range that is left in part only, where that breaks nobody; null where it is gone to those who use the rest. */
  readonly rangeNarrowed: ChangeId | null;
  /** Who breaks when a media type goes, and when one comes; each ends a sentence. */
  readonly whenRemoved: string;
  readonly whenAdded: string;
  /** Whether what is said of the parts of forms counts: it is for requests of clients. */
  readonly isEncoded: boolean;
  /** The schemas as they are compared. */
  readonly adjusted: {
    readonly base: (schema: JsonSchema) => JsonSchema;
    readonly head: (schema: JsonSchema) => JsonSchema;
  };
}

/** Compares what stands in each media type; one side's type may be covered by a range of the other's. */
export function diffMedia(
  context: DocumentContext,
  base: readonly HttpMedia[],
  head: readonly HttpMedia[],
  kind: MediaKind,
  whereAt: (pointer: string) => Where,
): readonly Draft[] {
  const uncovered = base.filter((media) => coverOf(media, head) === undefined);
  // Of a range that is narrower now, what is answered still is one of those that could be.
  const isNarrower = ({ type }: HttpMedia): boolean => head.some((other) => liesIn(other.type, type));
  const narrower = kind.rangeNarrowed === null ? [] : uncovered.filter(isNarrower);
  const gone = uncovered.filter((media) => !narrower.includes(media));
  const come = head.filter((media) => coverOf(media, base) === undefined);
  const renamed = kind.changed === null ? null : renamedMedia(gone, come, kind.changed);
  const [removed, added] = renamed === null ? [gone, come] : [[], []];
  const matched = [
    ...base.map((media) => [media, coverOf(media, head)] as const),
    ...head
      .filter((media) => !base.some(({ type }) => type === media.type))
      .map((media) => [coverOf(media, base), media] as const),
  ];
  return [
    ...removed.map((media) =>
      draft(kind.removed, whereAt(media.pointer), `${kind.subject} as ${media.type} is gone: ${kind.whenRemoved}.`),
    ),
    ...(renamed === null
      ? []
      : [
          draft(
            renamed.id,
            { ...whereAt(renamed.head.pointer), edit: renamed.edit },
            `${kind.subject} as ${renamed.base.type} is ${renamed.head.type} now: ${kind.whenRemoved}.`,
          ),
        ]),
    ...narrower.map((media) =>
      draft(
        kind.rangeNarrowed ?? kind.removed,
        whereAt(media.pointer),
        `${kind.subject} as ${media.type} comes in fewer types: a client that reads all of them still does.`,
      ),
    ),
    ...added.map((media) =>
      draft(kind.added, whereAt(media.pointer), `${kind.subject} as ${media.type} is new: ${kind.whenAdded}.`),
    ),
    ...matched.flatMap(([before, after]): readonly Draft[] => {
      if (before === undefined || after === undefined) return [];
      const where = whereAt(after.pointer);
      const { base: adjustBase, head: adjustHead } = kind.adjusted;
      const recoded = kind.isEncoded ? diffEncoding(context, before, after, whereAt) : [];
      const [old, now] = [adjustBase(before.schema), adjustHead(after.schema)];
      return [
        ...diffSchema(context, old, now, kind, where),
        ...recoded,
        ...diffXml(context, after.type, old, now, kind, where),
      ];
    }),
  ];
}

/** The one that came in place of the one that went, where it differs by its name alone. */
function renamedMedia(gone: readonly HttpMedia[], come: readonly HttpMedia[], id: ChangeId) {
  const [[base, ...othersGone], [head, ...othersCome]] = [gone, come];
  if (base === undefined || head === undefined || othersGone.length + othersCome.length > 0) return null;
  const [before, after] = [base, head].map(({ schema, encoding }) => meaningOf([schema, encoding]));
  if (before !== after) return null;
  return { id, base, head, edit: { at: head.pointer, keyword: id, before: [base.type], after: [head.type] } };
}

/** The media type itself, or the narrowest range that it lies in. */
const coverOf = (media: HttpMedia, among: readonly HttpMedia[]): HttpMedia | undefined =>
  among
    .filter(({ type }) => liesIn(media.type, type))
    .reduce<HttpMedia | undefined>(
      (narrowest, other) => (narrowest === undefined || liesIn(other.type, narrowest.type) ? other : narrowest),
      undefined,
    );
