import { diffMedia } from "./diff-media.ts";
import { type DocumentContext, type OperationPair, whereOf } from "./document-context.ts";
import { type Draft, draft } from "./draft.ts";

const asIs = <T>(schema: T): T => schema;

const kind = {
  removed: "request-media-type-removed",
  added: "request-media-type-added",
  changed: "request-media-type-changed",
  rangeNarrowed: null,
  narrowed: "request-body-narrowed",
  widened: "request-body-widened",
  isEncoded: true,
  subject: "The request body",
  variance: "request",
  whenRemoved: "a client that sends it is refused",
  whenAdded: "nobody has to send it",
  adjusted: { base: asIs, head: asIs },
} as const;

export function diffRequestBody(context: DocumentContext, operations: OperationPair): readonly Draft[] {
  const base = operations.base?.body ?? null;
  const head = operations.head?.body ?? null;
  const whereAt = (pointer: string) => whereOf(context, operations, pointer);
  if (head === null) {
    if (base === null) return [];
    return [
      draft(
        "request-body-removed",
        whereAt(base.pointer),
        "The request body is gone: what a client sends in it has no effect.",
      ),
    ];
  }
  const where = whereAt(head.pointer);
  if (base === null) {
    return [
      head.required
        ? draft(
            "request-body-added-required",
            where,
            "A request body is required now: every client that sends none is refused.",
          )
        : draft("request-body-added-optional", where, "A request body may be sent now: nobody has to."),
    ];
  }
  const drafts: Draft[] = [];
  if (!base.required && head.required) {
    drafts.push(
      draft(
        "request-body-made-required",
        where,
        "The request body is required now: a client that sends none is refused.",
      ),
    );
  }
  if (base.required && !head.required) {
    drafts.push(draft("request-body-made-optional", where, "The request body may be left out now: nobody breaks."));
  }
  return [...drafts, ...diffMedia(context, base.content, head.content, kind, whereAt)];
}
