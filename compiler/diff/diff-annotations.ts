import { openEnum } from "../../spec/vocabulary/extensions.ts";
import type { Json, JsonSchema } from "../contract.ts";
import { nullableAlone, slipOf, unreadPrefix, unreadReference } from "../openapi/dialect.ts";
import { canonicalJson } from "../schema/canonical-json.ts";
import { enumerated, isList } from "../schema/schema-node.ts";
import { escapeToken } from "../schema/validator.ts";
import type { ChangeId } from "./change-table.ts";
import { haveSameContent } from "./content-of.ts";
import { contraryDemands } from "./contrary-demands.ts";
import { discriminatorChange } from "./discriminators.ts";
import { type Draft, documentPointer, draft, unfollowed, type Where } from "./draft.ts";
import { editIn } from "./edit-text.ts";
import { listAt, textAt, tokensOf } from "./json-at.ts";
import type { Judged, Meant } from "./judge.ts";
import { isDemandedAlways } from "./named-always.ts";
import { pairSearch } from "./pair-walk.ts";
import { isNullRefusedBeside } from "./refused-null.ts";
import { schemaEdit } from "./schema-edit.ts";
import { namesAt, writtenAtPlace } from "./schema-walk.ts";
import { isTaggedByDiscriminator } from "./told-apart.ts";
import { varianceOf } from "./voice.ts";

/** Stands for the precision of numbers, which their format says. */
const precision = "format";

/** Keywords that refuse nothing and yet mean something to one of the two directions. */
const meaningful = {
  request: ["default", precision, "readOnly", "deprecated", "contentEncoding", "contentMediaType", nullableAlone],
  response: [
    "default",
    precision,
    "writeOnly",
    "deprecated",
    "contentEncoding",
    "contentMediaType",
    openEnum,
    nullableAlone,
  ],
} as const;

type Keyword = (typeof meaningful)["request" | "response"][number];

interface Told {
  readonly added: ChangeId;
  readonly removed: ChangeId;
  readonly changed: ChangeId;
  readonly why: string;
}

/** In a request the server fills in the default; in a response the client does. */
const toldOfDefault: Readonly<Record<"request" | "response" | "null", Told>> = {
  request: {
    ...{ added: "default-added", removed: "default-removed", changed: "default-changed" },
    why: "who leaves it out gets another meaning",
  },
  null: {
    ...{ added: "null-default-changed", removed: "null-default-changed", changed: "null-default-changed" },
    why: "an absent value may mean null on one side alone",
  },
  response: {
    added: "response-default-added",
    removed: "response-default-changed",
    changed: "response-default-changed",
    why: "a client that fills in the default fills in another value",
  },
};

const told: Readonly<Record<Exclude<Keyword, typeof nullableAlone | typeof precision | "default">, Told>> = {
  readOnly: {
    ...{ added: "made-read-only", removed: "read-only-ended", changed: "made-read-only" },
    why: "whether it may be sent differs",
  },
  writeOnly: {
    ...{ added: "made-write-only", removed: "write-only-ended", changed: "made-write-only" },
    why: "whether it is there to be read differs",
  },
  deprecated: {
    ...{ added: "schema-deprecated", removed: "schema-deprecation-ended", changed: "schema-deprecated" },
    why: "nobody breaks now; its end is announced or called off",
  },
  [openEnum]: {
    ...{ added: "enum-opened", removed: "enum-closed", changed: "enum-opened" },
    why: "whether values that nobody knows yet must be expected differs",
  },
  contentEncoding: {
    ...{ added: "content-encoding-changed", removed: "content-encoding-changed", changed: "content-encoding-changed" },
    why: "who decodes or encodes the text does so in the old way",
  },
  contentMediaType: {
    ...{ added: "content-encoding-changed", removed: "content-encoding-changed", changed: "content-encoding-changed" },
    why: "who reads or writes the text does so as the old media type",
  },
};

/** By the letter of OpenAPI 3.0 nothing changes; many mean by it that null is admitted. */
const toldOfNull: Readonly<Record<keyof typeof meaningful, Told>> = {
  request: {
    ...{ added: "null-perhaps-taken", removed: "null-perhaps-refused", changed: "null-perhaps-taken" },
    why: "it says nothing by the letter of OpenAPI; where it is meant, whether null is taken differs",
  },
  response: {
    ...{ added: "null-perhaps-answered", removed: "null-perhaps-gone", changed: "null-perhaps-answered" },
    why: "it says nothing by the letter of OpenAPI; where it is meant, whether null may come differs",
  },
};

/** Changes of defaults, of what is read- or write-only, of deprecation and the like, each at its pointer. */
export function diffAnnotations(
  base: Meant,
  head: Meant,
  { voice, subject, narrowed }: Pick<Judged, "voice" | "subject" | "narrowed">,
  where: Where,
): readonly Draft[] {
  const direction = varianceOf(voice);
  const all = annotationsOf[direction](base, head);
  // A response has no absent item, nor is it absent itself.
  const isMet = (pointer: string): boolean =>
    !isSentAlways(head, pointer) && (direction === "request" || /\/(?!\*$)[^/]*$/.test(pointer));
  const told = all.filter(({ pointer, found }) => found.keyword !== "default" || isMet(pointer));
  return told.map(({ pointer: around, found }): Draft => {
    const { id, keyword, isGone, why } = found;
    const pointer = found.member === undefined ? around : `${around}/${escapeToken(found.member)}`;
    const { edit } = schemaEdit(base, head, documentPointer(where), { place: pointer, keyword });
    const at = { ...where, pointer: `${where.pointer}${pointer}`, edit };
    const message = `${editIn(subject, edit, voice, pointer)}: ${why}.`;
    if (unreadIds.has(id) && found.member === undefined)
      return draft(id, at, message, keyword === unreadReference ? unfollowed : { kind: "unproven", why: unreadable });
    const side = isGone ? base : head;
    // Who sends such an object is refused for sure; nobody can say what becomes of one that is answered.
    const isRefused = found.member !== undefined && direction === "request" && !isGone;
    return draft(
      isRefused ? narrowed : id,
      { ...at, about: [...where.about, ...namesAt(side.schema, side.components, pointer)] },
      message,
    );
  });
}

/** Whether the object demands the member at a place: nobody leaves it out, so that its default says nothing. */
function isSentAlways({ schema, components }: Meant, place: string): boolean {
  const name = tokensOf(place).at(-1);
  const owner = place.slice(0, Math.max(0, place.lastIndexOf("/")));
  return (
    name !== undefined &&
    writtenAtPlace(schema, components, owner).some((one) => isDemandedAlways(one, components, name))
  );
}

interface Change {
  readonly id: ChangeId;
  readonly keyword: string;
  /** The head says nothing by the keyword. */
  readonly isGone: boolean;
  readonly why: string;
  /** Whose place it is, where it is of a member of what is looked at. */
  readonly member?: string;
}

const annotationsIn = (direction: keyof typeof meaningful) =>
  pairSearch((visit, base, head): readonly Change[] => {
    const refused = {
      base: isNullRefusedBeside(visit.written.base, base),
      head: isNullRefusedBeside(visit.written.head, head),
    };
    const changes = meaningful[direction].flatMap((keyword): readonly Change[] => {
      const [old, now] = (["base", "head"] as const).map(
        (side) => textOfAll(keyword, visit[side]) ?? (keyword === nullableAlone && refused[side] ? "true" : undefined),
      );
      if (old === now) return [];
      // Of values that no list bounded any could come before.
      if (keyword === openEnum && old === undefined && !visit.base.some(enumerated)) return [];
      const [silent, isRefused] = old === undefined ? [visit.base, refused.base] : [visit.head, refused.head];
      if (keyword === nullableAlone && !isRefused && silent.some(admitsNull)) return [];
      if (isSaidByFormat(keyword, visit.base, visit.head)) return [];
      if (keyword === precision) return precisionChange(old, now, direction);
      // Most servers treat a null value as an absent property.
      const isOfNull = keyword === "default" && [old, now].every((one) => one === undefined || one === "null");
      const { added, removed, changed, why } =
        keyword === nullableAlone
          ? toldOfNull[direction]
          : keyword === "default"
            ? toldOfDefault[isOfNull && direction === "request" ? "null" : direction]
            : told[keyword];
      const id = old === undefined ? added : now === undefined ? removed : changed;
      return [{ id, keyword, isGone: now === undefined, why }];
    });
    const isTagged = (): boolean => visit.base.some((schema) => isTaggedByDiscriminator(schema, base));
    const discriminator = discriminatorChange({ schemas: visit.base, isTagged }, visit.head, direction);
    if (discriminator !== null) {
      const isGone = !visit.head.some((schema) => schema.discriminator !== undefined);
      changes.push({ ...discriminator, keyword: "discriminator", isGone });
    }
    changes.push(...contraryChanges(visit.base, visit.head));
    const [unread, other] = [unreadIn(visit.base), unreadIn(visit.head)];
    const [keyword] = [...unread.keys(), ...other.keys()].filter((name) => unread.get(name) !== other.get(name));
    if (keyword === undefined) return changes;
    const isGone = !other.has(keyword);
    const slip = slipOf(keyword);
    if (slip !== null)
      return [
        ...changes,
        {
          id: "malformed-keyword-changed",
          keyword,
          isGone,
          why: misread[keyword === unreadReference ? "broken" : slip](
            unread.has(keyword) && other.has(keyword) ? "both sides" : "one side",
          ),
        },
      ];
    const why = "it can't be applied, and who obeys it may break";
    return [...changes, { id: "unread-keyword-changed", keyword, isGone, why }];
  });

/** Float is narrower than double (IEEE 754): a client may receive, or a server may be sent, what it can't hold. */
function precisionChange(
  old: string | undefined,
  now: string | undefined,
  direction: keyof typeof meaningful,
): readonly Change[] {
  if (old === undefined || now === undefined) return [];
  const isWider = now === "double";
  const isExceeded = isWider === (direction === "response");
  return [
    {
      id: isExceeded ? "number-range-exceeded" : "number-range-covered",
      keyword: precision,
      isGone: false,
      why: isExceeded ? "a double may be out of the range of a float, or be rounded to one" : "every float is a double",
    },
  ];
}

/** Returns true if a keyword about content differs, and a format says the same in its place. */
const isSaidByFormat = (keyword: Keyword, base: readonly JsonSchema[], head: readonly JsonSchema[]): boolean =>
  (keyword === "contentEncoding" || keyword === "contentMediaType") && haveSameContent(base, head);

/** Members that one side alone demands and refuses. */
function contraryChanges(base: readonly JsonSchema[], head: readonly JsonSchema[]): readonly Change[] {
  const [old, now] = [base, head].map((schemas) => new Set(schemas.flatMap(contraryDemands)));
  return [...new Set([...(old ?? []), ...(now ?? [])])].flatMap((member): readonly Change[] => {
    const isGone = now?.has(member) === false;
    if (old?.has(member) === now?.has(member)) return [];
    const why = isGone
      ? "it was demanded of an object that refused it, so by the letter there was no such object"
      : "it is demanded of an object that refuses it, so by the letter there is no such object; name it among the properties, or demand it no longer";
    return [{ id: "malformed-keyword-changed", keyword: "required", isGone, why, member }];
  });
}

const annotationsOf = { request: annotationsIn("request"), response: annotationsIn("response") } as const;

/** Whether null is admitted by the letter, as far as the schema itself tells. */
const admitsNull = (schema: JsonSchema): boolean =>
  listAt(schema, "type").includes("null") ||
  ["anyOf", "oneOf"].some((keyword) => listAt(schema, keyword).some((one) => textAt(one, "type") === "null"));

const unreadable = "the keywords are unknown or malformed";

const unreadIds: ReadonlySet<ChangeId> = new Set(["unread-keyword-changed", "malformed-keyword-changed"]);

/** Why nobody knows what a keyword means on one side, or on both. */
const misread = {
  broken: (sides: string) => `it leads nowhere on ${sides}, so what differs there was not decided`,
  malformed: (sides: string) =>
    `it is malformed on ${sides}, so it says nothing there by the letter, and what was meant is anyone's guess`,
  unknown: () => "there is no such keyword, so it says nothing by the letter, and what was meant is anyone's guess",
} as const;

/** Texts of a keyword's values; of several schemas at one place each may have its own. */
const textOfAll = (keyword: Keyword, schemas: readonly JsonSchema[]): string | undefined =>
  joined(schemas.flatMap((schema) => textOf(keyword, schema) ?? []));

/** Texts of the keywords that no validator applies, since what they mean is known to their authors only; by keyword. */
const unreadIn = (schemas: readonly JsonSchema[]): ReadonlyMap<string, string> =>
  new Map(
    [...Map.groupBy(schemas.flatMap(unreadOf), ([keyword]) => keyword)].map(([keyword, found]) => [
      keyword,
      joined(found.map(([, text]) => text)) ?? "",
    ]),
  );

const unreadOf = (schema: JsonSchema): readonly (readonly [keyword: string, text: string])[] =>
  Object.entries(schema).flatMap(([keyword, json]) =>
    keyword.startsWith(unreadPrefix) ? [[keyword, canonicalJson(json)] as const] : [],
  );

const joined = (texts: readonly string[]): string | undefined =>
  texts.length === 0 ? undefined : [...new Set(texts)].sort().join(" or ");

/** The default; of a flag or number one that is put between quotes means what stands there. */
function defaultOf(schema: JsonSchema): Json | undefined {
  const written = schema.default;
  if (typeof written !== "string") return written;
  const types = listAt(schema, "type").length > 0 ? listAt(schema, "type") : [schema.type ?? "string"];
  const isQuoted = types.includes("boolean") ? /^(true|false)$/ : /^-?(0|[1-9]\d*)(\.\d+)?$/;
  if (types.includes("string") || !types.some((type) => quotable.has(type)) || !isQuoted.test(written)) return written;
  return JSON.parse(written);
}

const quotable: ReadonlySet<Json> = new Set(["boolean", "integer", "number"]);

/** Null when the keyword is absent or says the same as its absence. */
function textOf(keyword: Keyword, schema: JsonSchema): string | null {
  if (keyword === precision) return precisionOf(schema);
  const json = keyword === "default" ? defaultOf(schema) : schema[keyword];
  if (json === undefined || json === false) return keyword === "default" && json === false ? "false" : null;
  return canonicalJson(json);
}

/** Returns `float` or `double`, or null if the schema does not speak of numbers, or says more of them. A plain number is a double. */
function precisionOf({ type, format, enum: values, const: value }: JsonSchema): string | null {
  const types = typeof type === "string" ? [type] : isList(type) ? type : [];
  if (!types.includes("number") || values !== undefined || value !== undefined) return null;
  return format === "float" ? "float" : format === undefined || format === "double" ? "double" : null;
}
