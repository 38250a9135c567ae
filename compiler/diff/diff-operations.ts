import { diffParameters } from "./diff-parameters.ts";
import { diffRequestBody } from "./diff-request-body.ts";
import { diffResponses, type RowChanges } from "./diff-responses.ts";
import { diffSecurity } from "./diff-security.ts";
import { diffServers } from "./diff-servers.ts";
import { diffWebhooks } from "./diff-webhooks.ts";
import { type DocumentContext, factsOf, type OperationPair, whereOf } from "./document-context.ts";
import { type Draft, draft, type Where } from "./draft.ts";
import type { HttpOperation } from "./http-surface.ts";
import { moveEdit, withMovedOperations } from "./moved-operations.ts";
import { pairs, textPairs } from "./pairs.ts";
import { unreadOperation, withUnreadParts } from "./unread-parts.ts";

/** What two documents say of HTTP, compared operation by operation. */
export function diffOperations(context: DocumentContext): readonly Draft[] {
  const found = matchOperations(context.base.surface.operations, context.head.surface.operations);
  const matched = found.both.map(([base, head]) => ({ base, head }));
  return [
    ...found.removed.map((base) =>
      context.head.surface.unreadPaths.has(base.path)
        ? unreadOperation(context, { base, head: undefined })
        : draft(
            "operation-removed",
            whereOf(context, { base, head: undefined }, base.pointer),
            `${shown(base)} is gone: every client that calls it fails.`,
          ),
    ),
    ...found.added.map((head) =>
      context.base.surface.unreadPaths.has(head.path)
        ? unreadOperation(context, { base: undefined, head })
        : draft(
            "operation-added",
            whereOf(context, { base: undefined, head }, head.pointer),
            `${shown(head)} is new: nobody has to call it.`,
          ),
    ),
    ...found.both.flatMap(([base, head]) => diffOperation(context, base, head)),
    ...diffSecurity(context, matched),
    ...diffServers(context, matched),
    ...diffWebhooks(
      context,
      context.base.surface.webhooks,
      context.head.surface.webhooks,
      whereOf(context, { base: undefined, head: undefined }, ""),
    ),
  ];
}

/**
 * The operations of two documents by method and path, whatever path parameters are called, and whether it ends with a slash;
 * then those that are moved.
 */
export function matchOperations(base: readonly HttpOperation[], head: readonly HttpOperation[]) {
  const exact = pairs(base, head, ({ key }) => key);
  const rest = pairs(exact.removed, exact.added, withoutSlash);
  return withMovedOperations({ ...rest, both: [...exact.both, ...rest.both] }, base, head);
}

const withoutSlash = ({ key }: HttpOperation): string => key.replace(/(?<=[^ ])\/$/, "");

const shown = ({ method, path }: HttpOperation): string => `${method.toUpperCase()} ${path}`;

function diffOperation(context: DocumentContext, base: HttpOperation, head: HttpOperation): readonly Draft[] {
  const operations: OperationPair = { base, head };
  const where = whereOf(context, operations, head.pointer);
  const drafts: Draft[] = [];
  if (base.key !== head.key) drafts.push(addressChanged(base, head, where));
  if (base.operationId !== head.operationId) {
    const message = `The operation's id is ${head.operationId ?? "gone"}, not ${base.operationId ?? "absent"}: a client generated anew has another method name.`;
    drafts.push(draft("operation-renamed", { ...where, pointer: `${where.pointer}/operationId` }, message));
  }
  if (base.deprecated !== head.deprecated) {
    const id = head.deprecated ? "operation-deprecated" : "operation-deprecation-ended";
    drafts.push(
      draft(
        id,
        where,
        `The operation is ${head.deprecated ? "deprecated now" : "deprecated no longer"}: nobody breaks yet.`,
      ),
    );
  }
  return withUnreadParts(context, { base, head }, [
    ...drafts,
    ...diffParameters(context, operations),
    ...diffRequestBody(context, operations),
    ...diffResponses(context, operations, rowChanges(context, operations)),
    ...diffWebhooks(context, base.callbacks, head.callbacks, where),
  ]);
}

function addressChanged(base: HttpOperation, head: HttpOperation, where: Where): Draft {
  if (withoutSlash(base) !== withoutSlash(head)) {
    const message = `${shown(base)} is ${shown(head)} now: a client that calls the old one fails.`;
    return draft("operation-moved", { ...where, edit: moveEdit(base, head) }, message);
  }
  const message = `${shown(base)} is ${shown(head)} now: a client that calls the old address fails where the server tells them apart.`;
  // All paths of a document are changed so at once.
  const edit = { at: "/paths", keyword: "trailing-slash-changed", before: [], after: [] };
  return draft("trailing-slash-changed", { ...where, edit }, message);
}

/** Error rows by what they are, so that a renamed one is neither new nor gone. */
function rowChanges(context: DocumentContext, { base, head }: OperationPair): RowChanges {
  const rename = (name: string): string => context.renamedErrors.get(name) ?? name;
  const before = factsOf(context.base, base)?.errors ?? [];
  const after = factsOf(context.head, head)?.errors ?? [];
  const added = textPairs(before.map(rename), after).added;
  const removed = before.filter((name) => !after.includes(rename(name)));
  return { removed: new Set(removed), added: new Set(added) };
}
