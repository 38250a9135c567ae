import type { Json, JsonSchema } from "../contract.ts";
import { unreadPrefix } from "../openapi/dialect.ts";
import { canonicalJson } from "../schema/canonical-json.ts";
import { isObject } from "../schema/schema-node.ts";
import type { ChangeId } from "./change-table.ts";
import { type Draft, draft, type Where } from "./draft.ts";
import type { Meant } from "./judge.ts";
import { namesAt, walkSchema } from "./schema-walk.ts";

/** Keywords that refuse nothing and yet mean something to one of the two directions. */
const meaningful = {
  request: ["default", "readOnly", "deprecated", "discriminator", "contentEncoding", "contentMediaType"],
  response: ["writeOnly", "deprecated", "discriminator", "contentEncoding", "contentMediaType"],
} as const;

type Keyword = (typeof meaningful)["request" | "response"][number];

interface Told {
  readonly added: ChangeId;
  readonly removed: ChangeId;
  readonly changed: ChangeId;
  readonly why: string;
}

const told: Readonly<Record<Keyword, Told>> = {
  default: {
    ...{ added: "default-added", removed: "default-removed", changed: "default-changed" },
    why: "a client that leaves it out gets another meaning",
  },
  readOnly: {
    ...{ added: "made-read-only", removed: "read-only-ended", changed: "made-read-only" },
    why: "whether a client may send it differs",
  },
  writeOnly: {
    ...{ added: "made-write-only", removed: "write-only-ended", changed: "made-write-only" },
    why: "whether a client finds it in an answer differs",
  },
  deprecated: {
    ...{ added: "schema-deprecated", removed: "schema-deprecation-ended", changed: "schema-deprecated" },
    why: "nobody breaks now; its end is announced or called off",
  },
  discriminator: {
    ...{ added: "discriminator-changed", removed: "discriminator-changed", changed: "discriminator-changed" },
    why: "a generated client that picks the type by it may pick another",
  },
  contentEncoding: {
    ...{ added: "content-encoding-changed", removed: "content-encoding-changed", changed: "content-encoding-changed" },
    why: "a client decodes or encodes the text in the old way",
  },
  contentMediaType: {
    ...{ added: "content-encoding-changed", removed: "content-encoding-changed", changed: "content-encoding-changed" },
    why: "a client reads or writes the text as the old media type",
  },
};

/** Changes of defaults, of what is read- or write-only, of deprecation and the like, each at its pointer. */
export function diffAnnotations(
  base: Meant,
  head: Meant,
  direction: "request" | "response",
  where: Where,
): readonly Draft[] {
  const before = annotationsOf(base, direction);
  const after = annotationsOf(head, direction);
  const places = new Set([...before.members, ...after.members]);
  return [...places].flatMap((pointer) => {
    // A member that is new or gone is judged as such.
    if (!before.members.has(pointer) || !after.members.has(pointer)) return [];
    return meaningful[direction]
      .flatMap((keyword): readonly Draft[] => {
        const key = `${keyword} ${pointer}`;
        const [old, now] = [before.values.get(key), after.values.get(key)];
        if (old === now) return [];
        const { added, removed, changed, why } = told[keyword];
        const id = old === undefined ? added : now === undefined ? removed : changed;
        const what = pointer === "" ? "The value" : pointer;
        const change = `${old ?? "none"} → ${now ?? "none"}`;
        const side = now === undefined ? base : head;
        const about = [...where.about, ...namesAt(side.schema, side.components, pointer)];
        return [draft(id, { ...where, about }, `${what}: "${keyword}" ${change}; ${why}.`)];
      })
      .concat(diffUnread(before.unread.get(pointer), after.unread.get(pointer), pointer, where));
  });
}

/** Keywords that no validator applies: what they mean is known to their authors only. */
function diffUnread(
  base: string | undefined,
  head: string | undefined,
  pointer: string,
  where: Where,
): readonly Draft[] {
  if (base === head) return [];
  const what = pointer === "" ? "The value" : pointer;
  const message = `${what}: keywords that can't be applied differ (${base ?? "none"} → ${head ?? "none"}); who obeys them may break.`;
  const why = "the keywords are unknown or malformed";
  return [draft("unread-keyword-changed", where, message, { kind: "unproven", why })];
}

interface Annotations {
  /** Pointers that the schema speaks about. */
  readonly members: ReadonlySet<string>;
  /** Texts of the values, by keyword and pointer. */
  readonly values: ReadonlyMap<string, string>;
  /** Texts of the keywords that no validator applies, by pointer. */
  readonly unread: ReadonlyMap<string, string>;
}

function annotationsOf({ schema, components }: Meant, direction: "request" | "response"): Annotations {
  const members = new Set<string>();
  const found = new Map<string, Set<string>>();
  const unread = new Map<string, Set<string>>();
  for (const visit of walkSchema(schema, components)) {
    members.add(visit.pointer);
    for (const keyword of meaningful[direction]) {
      const text = textOf(keyword, visit.schema);
      if (text === null) continue;
      const key = `${keyword} ${visit.pointer}`;
      found.set(key, (found.get(key) ?? new Set()).add(text));
    }
    for (const [keyword, json] of Object.entries(visit.schema)) {
      if (!keyword.startsWith(unreadPrefix)) continue;
      const text = `${keyword.slice(unreadPrefix.length)} ${canonicalJson(json)}`;
      unread.set(visit.pointer, (unread.get(visit.pointer) ?? new Set()).add(text));
    }
  }
  return { members, values: joined(found), unread: joined(unread) };
}

const joined = (texts: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, string> =>
  new Map([...texts].map(([key, each]) => [key, [...each].sort().join(" or ")]));

/** Null when the keyword is absent or says the same as its absence. */
function textOf(keyword: Keyword, schema: JsonSchema): string | null {
  const json = schema[keyword];
  if (json === undefined || json === false) return keyword === "default" && json === false ? "false" : null;
  return canonicalJson(keyword === "discriminator" ? discriminatorOf(json) : json);
}

/** Names of components are no part of the meaning. */
function discriminatorOf(json: Json): Json {
  if (!isObject(json)) return json;
  const values = isObject(json.mapping) ? Object.keys(json.mapping).sort() : [];
  return { propertyName: json.propertyName ?? null, values };
}
