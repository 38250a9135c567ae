import { type DocumentContext, type OperationPair, whereOf } from "./document-context.ts";
import { type Draft, documentPointer, draft, unfollowed } from "./draft.ts";
import type { HttpOperation } from "./http-surface.ts";
import { pointerOf } from "./json-at.ts";

/** Changes of an operation without those that rest on a part that one side could not read, and with a word on each such part. */
export function withUnreadParts(
  context: DocumentContext,
  operations: { readonly base: HttpOperation; readonly head: HttpOperation },
  drafts: readonly Draft[],
): readonly Draft[] {
  const { base, head } = operations;
  const parts = [...new Set([...base.unreadParts.keys(), ...head.unreadParts.keys()])];
  if (parts.length === 0) return drafts;
  const isOf = (part: string, made: Draft): boolean =>
    [base, head].some(({ pointer }) => {
      const at = `${pointer}/${part}`;
      const own = documentPointer({ ...made, prefix: context.prefix });
      return own === at || own.startsWith(`${at}/`);
    });
  const differing = parts.filter((part) => base.unreadParts.get(part) !== head.unreadParts.get(part));
  return [
    ...drafts.filter((made) => !parts.some((part) => isOf(part, made) && !isSure(part, made))),
    ...differing.map((part) => unreadPart(context, operations, part)),
  ];
}

/** Of parameters those that both sides have are known, whatever others there may be. */
const isSure = (part: string, { id }: Draft): boolean => part === "parameters" && !/-removed|-added/.test(id);

function unreadPart(context: DocumentContext, { base, head }: OperationPair, part: string): Draft {
  const [side, reference] =
    head?.unreadParts.get(part) === undefined
      ? ["base", base?.unreadParts.get(part)]
      : ["head", head.unreadParts.get(part)];
  const at = whereOf(context, { base, head }, `${head?.pointer ?? base?.pointer ?? ""}/${part}`);
  return draft(
    "part-unread",
    at,
    `${part}: ${reference} leads nowhere in the ${side}, so what differs there was not decided.`,
    unfollowed,
  );
}

/** That an operation is on one side alone, where the other one's path could not be read. */
export function unreadOperation(context: DocumentContext, operations: OperationPair): Draft {
  const { base, head } = operations;
  const shown = head ?? base;
  const path = shown?.path ?? "";
  const side = head === undefined ? "head" : "base";
  const where = whereOf(context, operations, shown?.pointer ?? "");
  const edit = { at: pointerOf("paths", path), keyword: "part-unread", before: [], after: [] };
  return draft(
    "part-unread",
    { ...where, edit },
    `${path} can't be read in the ${side}, since a reference leads nowhere: what differs there was not decided.`,
    unfollowed,
  );
}
