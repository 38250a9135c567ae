import type { JsonSchema, OpenApiDocument } from "../contract.ts";
import { enumerated } from "../schema/schema-node.ts";
import type { Edit, PlainChange } from "./change.ts";
import { tokensOf } from "./json-at.ts";

/**
 * The changes of two documents, with an enum's edit in place of the one by which a webhook came or went, where the enum
 * lists the names of all webhooks, and got or lost this one: a new type of event is one edit.
 */
export function withListedWebhooks(
  changes: readonly PlainChange[],
  base: OpenApiDocument,
  head: OpenApiDocument,
): readonly PlainChange[] {
  const sources = changes.filter(({ edit }) => edit.keyword === "enum" && edit.at.startsWith("/components/schemas/"));
  return changes.map((change) => {
    const name = nameOf(change);
    if (name === null) return change;
    const isNew = change.id === "webhook-added";
    const source = sources.find(
      ({ edit }) => (isNew ? edit.after : edit.before).includes(name) && listsAll(edit, isNew ? head : base),
    );
    return source === undefined ? change : { ...change, edit: source.edit };
  });
}

/** Of a webhook that came or went; null of anything else. */
function nameOf({ id, pointer, operation }: PlainChange): string | null {
  if (id !== "webhook-added" && id !== "webhook-removed") return null;
  return operation === null ? (tokensOf(pointer)[1] ?? null) : null;
}

function listsAll({ at }: Edit, { webhooks, components }: OpenApiDocument): boolean {
  const [, , name = ""] = tokensOf(at);
  const schema: JsonSchema | undefined = Object.hasOwn(components.schemas, name) ? components.schemas[name] : undefined;
  const values = schema === undefined ? undefined : enumerated(schema);
  return values !== undefined && Object.keys(webhooks ?? {}).every((webhook) => values.includes(webhook));
}
