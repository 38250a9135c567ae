import { asWritten } from "./diff-parameters.ts";
import { diffSchema } from "./diff-schema.ts";
import type { DocumentContext } from "./document-context.ts";
import { type Draft, draft, type Where } from "./draft.ts";
import type { HttpHeader, HttpResponse } from "./http-surface.ts";
import { pairs } from "./pairs.ts";
import { rewritten, shapesOf } from "./writing.ts";

/** Compares the headers of two answers; `subject` begins a sentence about the answer. */
export function diffHeaders(
  context: DocumentContext,
  base: HttpResponse,
  head: HttpResponse,
  subject: string,
  whereAt: (pointer: string) => Where,
): readonly Draft[] {
  const found = pairs(base.headers, head.headers, ({ key }) => key);
  return [
    ...found.removed.map((header) =>
      header.required
        ? draft(
            "response-header-removed",
            whereAt(header.pointer),
            `${subject} lacks ${header.name}: a client that reads it fails.`,
          )
        : draft(
            "optional-response-header-removed",
            whereAt(header.pointer),
            `${subject} never has ${header.name}: a client that used it, when it was there, never can.`,
          ),
    ),
    ...found.added.map((header) =>
      header.required
        ? draft(
            "response-header-added",
            whereAt(header.pointer),
            `${subject} has ${header.name} now: nobody has to read it.`,
          )
        : draft(
            "optional-response-header-added",
            whereAt(header.pointer),
            `${subject} may have ${header.name} now: nobody has to read it.`,
          ),
    ),
    ...found.both.flatMap(([before, after]) => diffHeader(context, before, after, subject, whereAt(after.pointer))),
  ];
}

function diffHeader(
  context: DocumentContext,
  base: HttpHeader,
  head: HttpHeader,
  subject: string,
  where: Where,
): readonly Draft[] {
  const drafts: Draft[] = [];
  if (base.required && !head.required) {
    drafts.push(
      draft(
        "response-header-made-optional",
        where,
        `${subject} may lack ${head.name}: a client that counts on it fails.`,
      ),
    );
  }
  if (!base.required && head.required) {
    drafts.push(draft("response-header-made-required", where, `${subject} always has ${head.name}: nobody breaks.`));
  }
  const found = rewritten(
    { writing: base.writing, shapes: shapesOf(context.base.response(base.schema)) },
    { writing: head.writing, shapes: shapesOf(context.head.response(head.schema)) },
  );
  if (found !== null) {
    const message = `${head.name} of ${subject} is written otherwise (${found.from} → ${found.to}): a client that reads it as before misreads it.`;
    drafts.push(draft("response-header-serialization-changed", where, message));
  }
  const judged = {
    narrowed: "response-header-narrowed",
    widened: "response-header-widened",
    subject: `${head.name} of ${subject.toLowerCase()}`,
    voice: "response",
  } as const;
  return [
    ...drafts,
    ...diffSchema(asWritten(context, base, head), base.schema, head.schema, judged, {
      ...where,
      pointer: `${where.pointer}/schema`,
    }),
  ];
}
