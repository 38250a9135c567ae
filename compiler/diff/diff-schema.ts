import type { JsonSchema } from "../contract.ts";
import { diffAnnotations } from "./diff-annotations.ts";
import type { DocumentContext } from "./document-context.ts";
import type { Draft, Where } from "./draft.ts";
import { type Judged, judge } from "./judge.ts";
import { isWrittenAlike } from "./same-schema.ts";
import { causeOf, namesAt } from "./schema-walk.ts";

/** Everything that changed between two schemas of a document: what they admit, and what they say beside it. */
export function diffSchema(
  context: DocumentContext,
  base: JsonSchema,
  head: JsonSchema,
  judged: Judged,
  where: Where,
): readonly Draft[] {
  const before = context.base[judged.variance](base);
  const after = context.head[judged.variance](head);
  if (isWrittenAlike(before, after)) return [];
  const admitted = judge(before, after, judged, where, context.includes).map((made): Draft => {
    const at = made.evidence?.kind === "value" ? made.evidence.at : "";
    const names = [before, after].flatMap(({ schema, components }) => namesAt(schema, components, at));
    return { ...made, about: [...made.about, ...names] };
  });
  const found = [...admitted, ...diffAnnotations(before, after, judged.variance, where)];
  return found.map((made) => ({ ...made, cause: causeOf(before, after, made.pointer.slice(where.pointer.length)) }));
}
