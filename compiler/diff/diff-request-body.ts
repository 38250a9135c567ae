import { changeTable } from "./change-table.ts";
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
  voice: "request",
  whenRemoved: "a client that sends it is refused",
  whenAdded: "nobody has to send it",
  adjusted: { base: asIs, head: asIs },
} as const;

/** Of a body that is to be ignored nothing is certain but that no client has to break. */
export function diffRequestBody(context: DocumentContext, operations: OperationPair): readonly Draft[] {
  const { base, head } = operations;
  const drafts = diffBodies(context, operations);
  if (base?.body?.isUnread !== true && head?.body?.isUnread !== true) return drafts;
  const method = (head ?? base)?.method.toUpperCase() ?? "";
  return drafts
    .filter(({ id }) => changeTable[id].verdict !== "safe")
    .map((made) =>
      changeTable[made.id].isBeyondLetter === true
        ? made
        : {
            ...made,
            id: "malformed-keyword-changed",
            message: `${made.message} But OpenAPI 3.0 has bodies of ${method} ignored: by the letter nobody sends or reads one, and what was meant is anyone's guess.`,
          },
    );
}

function diffBodies(context: DocumentContext, operations: OperationPair): readonly Draft[] {
  const base = operations.base?.body ?? null;
  const head = operations.head?.body ?? null;
  const whereAt = (pointer: string) => whereOf(context, operations, pointer);
  if (head === null) {
    if (base === null) return [];
    const at = whereAt(base.pointer);
    return [
      base.required
        ? draft("request-body-removed", at, "The request body is gone: what every client had to send has no effect.")
        : draft(
            "optional-request-body-removed",
            at,
            "The request body, which nobody had to send, is gone: what a client sends in it has no effect, or is refused.",
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
