import type { Json, JsonSchema } from "../contract.ts";
import { hasInPlaceApplicator } from "../schema/keywords.ts";
import { resolveReference } from "../schema/resolve-reference.ts";
import { anything, schemaAt, schemaMapAt, stringAt, typesOf } from "../schema/schema-node.ts";
import type { ChangeId } from "./change-table.ts";
import type { DocumentContext } from "./document-context.ts";
import { type Draft, draft, type Where } from "./draft.ts";
import type { HttpMedia } from "./http-surface.ts";
import { isTrueAt, type JsonObject, jsonAt, meaningOf, objectAt, pointerOf, textAt } from "./json-at.ts";
import type { Meant } from "./judge.ts";
import { liesIn } from "./media-range.ts";
import { rewritten, type Shape, shapesOf, type Writing } from "./writing.ts";

/** Media types whose parts are encoded each by itself; of others an encoding says nothing. */
const forms = /^(?:multipart\/|application\/x-www-form-urlencoded\b)/;

/** Those whose parts may be written by a style. */
const styledForms = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/;

/** Media types whose parts have headers of their own; OpenAPI ignores the headers of any other part. */
const isMultipart = /^multipart\//;

/** How the parts of a form are encoded that a client sends, part by part, with what holds where nothing is said. */
export function diffEncoding(
  context: DocumentContext,
  before: HttpMedia,
  after: HttpMedia,
  whereAt: (pointer: string) => Where,
): readonly Draft[] {
  if (!forms.test(after.type)) return [];
  const isStyled = styledForms.test(after.type);
  const [oldForm, newForm] = [context.base.request(before.schema), context.head.request(after.schema)];
  const encoded = [before, after].flatMap(({ encoding }) => Object.keys(objectAt(encoding)));
  const names = new Set([...encoded, ...(isMultipart.test(after.type) ? binaryOnOneSide(oldForm, newForm) : [])]);
  return [...names].flatMap((name): readonly Draft[] => {
    // Of a part that one side has not nothing is encoded there: that it came or went is told of the schema.
    if (![oldForm, newForm].every((form) => mayHave(form, name))) return [];
    const [old, now] = [partOf(before, oldForm, name), partOf(after, newForm, name)];
    const where = whereAt(`${after.pointer.replace(/schema$/, "encoding")}${pointerOf(name)}`);
    const told = (id: ChangeId, how: string, consequence: string): readonly Draft[] => [
      draft(id, where, `Part "${name}" of the form ${how}: ${consequence}.`),
    ];
    const misread = "a client that encodes it as before is misread";
    const restyled = isStyled ? restyledText(old, now) : null;
    if (restyled !== null) return told("request-encoding-changed", `is encoded otherwise${restyled}`, misread);
    if (isMultipart.test(after.type) && meaningOf(old.headers) !== meaningOf(now.headers)) {
      return told("request-encoding-changed", "has other headers", misread);
    }
    const [was, is] = [old.types, now.types].map((types) => types?.join(", ") ?? "any type");
    const isTaken = (type: string): boolean => now.types?.some((range) => liesIn(type, range)) === true;
    const isKnown = (type: string): boolean => old.types?.some((range) => liesIn(type, range)) === true;
    if (was === is) return [];
    if (old.types === null || !old.types.every(isTaken)) {
      return told("request-encoding-changed", `is of another type (${was} → ${is})`, misread);
    }
    if (now.types?.every(isKnown) === true) return [];
    return told("request-encoding-widened", `may be of more types (${was} → ${is})`, "nobody has to send them");
  });
}

/** Parts that are bytes on one side and text on the other, so that their usual media type differs. */
const binaryOnOneSide = (base: Meant, head: Meant): readonly string[] => {
  const others = schemaMapAt(followed(head), "properties");
  return [...schemaMapAt(followed(base), "properties").keys()].filter((name) => {
    if (!others.has(name)) return false;
    const [old, now] = [base, head].map((form) => usualTypes(memberOf(form, name)));
    return old != null && now != null && old[0] !== now[0] && [...old, ...now].includes("application/octet-stream");
  });
};

interface Part {
  /** Null where nothing tells. */
  readonly types: readonly string[] | null;
  readonly writing: Writing;
  readonly shapes: ReadonlySet<Shape>;
  /** Whether the style is said: of an object it is then no JSON. */
  readonly isStyled: boolean;
  readonly headers: Json;
}

function partOf({ encoding }: HttpMedia, form: Meant, name: string): Part {
  const said = objectAt(encoding, name);
  const member = memberOf(form, name);
  const style = textAt(said, "style") ?? "form";
  const explode = jsonAt(said, "explode");
  return {
    types: typesIn(textAt(said, "contentType")) ?? usualTypes(member),
    writing: {
      ...{ media: null, style, explode: typeof explode === "boolean" ? explode : style === "form" },
      ...{ reserved: isTrueAt(said, "allowReserved"), empty: false },
    },
    shapes: shapesOf(member),
    isStyled: ["style", "explode", "allowReserved"].some((keyword) => said[keyword] !== undefined),
    headers: headersOf(said),
  };
}

/**
 * Headers as pairs of a name in lower case and a header. OpenAPI ignores a `Content-Type` among them. Pairs, since a name
 * that begins with `x-` is no extension here.
 */
const headersOf = (said: JsonObject): Json =>
  Object.entries(objectAt(said, "headers"))
    .map(([name, header]): readonly [string, Json] => [name.toLowerCase(), header])
    .filter(([name]) => name !== "content-type")
    .sort(([one], [other]) => (one < other ? -1 : 1));

/** How the part is written otherwise; null where it is not. */
function restyledText(old: Part, now: Part): string | null {
  const found = rewritten(old, now);
  if (found !== null) return ` (${found.from} → ${found.to})`;
  const mayBeObject = old.shapes.has("object") && now.shapes.has("object");
  const isOther = old.writing.reserved !== now.writing.reserved || (mayBeObject && old.isStyled !== now.isStyled);
  return isOther ? "" : null;
}

const typesIn = (list: string | null): readonly string[] | null =>
  list === null
    ? null
    : list
        .toLowerCase()
        .split(",")
        .map((type) => type.trim())
        .sort();

/** The form's member as it is declared; anything where it is not, or where that can't be told. */
function memberOf({ schema, components }: Meant, name: string): Meant {
  return { schema: schemaMapAt(followed({ schema, components }), "properties").get(name) ?? anything, components };
}

/** Whether a form may have a part of a name: it names it, or what it names can't be told from its face. */
function mayHave(form: Meant, name: string): boolean {
  const schema = followed(form);
  const members = schemaMapAt(schema, "properties");
  if (members.size === 0 || members.has(name)) return true;
  const { additionalProperties: others = false } = schema;
  return hasInPlaceApplicator(schema) || schema.patternProperties !== undefined || typeof others === "object";
}

function followed({ schema, components }: Meant): JsonSchema {
  let at = schema;
  for (let steps = 0; steps < 20; steps += 1) {
    const reference = stringAt(at, "$ref");
    if (reference === undefined) return at;
    try {
      at = resolveReference(reference, components);
    } catch {
      // A broken reference is told where schemas are compared.
      return anything;
    }
  }
  return anything;
}

/** The type of a part of which none is said; null where its schema does not tell. */
function usualTypes(member: Meant, level = 0): readonly string[] | null {
  const schema = followed(member);
  const [type, ...others] = typesOf(schema).filter((one) => one !== "null");
  if (type === undefined || others.length > 0 || schema.type === undefined || level > 5) return null;
  switch (type) {
    case "object":
      return ["application/json"];
    case "array":
      return usualTypes({ ...member, schema: schemaAt(schema, "items") ?? anything }, level + 1);
    case "string":
      if (typeof schema.contentMediaType === "string") return [schema.contentMediaType.toLowerCase()];
      return isBinary(schema) ? ["application/octet-stream"] : ["text/plain"];
    default:
      return ["text/plain"];
  }
}

const isBinary = ({ format, contentEncoding }: JsonSchema): boolean =>
  format === "binary" || contentEncoding !== undefined;
