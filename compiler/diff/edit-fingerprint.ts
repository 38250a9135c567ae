import { createHash } from "node:crypto";
import type { Contract, Json, OpenApiDocument } from "../contract.ts";
import { canonicalJson } from "../schema/canonical-json.ts";
import { isList, isObject } from "../schema/schema-node.ts";
import type { Edit, PlainChange } from "./change.ts";
import { jsonAt, meaningOf, textAt, tokensOf } from "./json-at.ts";

/** The contracts and the documents of one service in which an edit was made. */
export interface EditedSides {
  readonly base: EditedSide;
  readonly head: EditedSide;
}

interface EditedSide {
  readonly contract: Contract;
  readonly document: OpenApiDocument;
}

/** Hexadecimal digits of a fingerprint: 128 bits. */
const digits = 32;

/**
 * Returns the fingerprint of an edit: a hash of its service, keyword and values. The schemas behind the names that it exchanges
 * count too. An edit without values is known by both sides of its place. The place itself does not count, so that the same
 * edit of several schemas has one fingerprint. Prose does not count either.
 */
export function fingerprinter(sidesOf: (service: string) => EditedSides): (change: PlainChange) => string {
  const known = new Map<string, string>();
  return ({ service, edit }) => {
    const key = canonicalJson([service, edit.at, edit.keyword, [...edit.before], [...edit.after]]);
    const found =
      known.get(key) ??
      hashOf([service, edit.keyword, [...edit.before], [...edit.after], contentsOf(edit, sidesOf(service))]);
    known.set(key, found);
    return found;
  };
}

const hashOf = (value: Json): string =>
  createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, digits);

/** Keywords whose values are schemas, or names of schemas. */
const ofSchemas: ReadonlySet<string> = new Set(["$ref", "allOf", "anyOf", "oneOf"]);

function contentsOf(edit: Edit, { base, head }: EditedSides): Json {
  if (edit.before.length + edit.after.length === 0) return differingAt(edit.at, base, head);
  const [old, now] = [referenceAt(edit.at, base), referenceAt(edit.at, head)];
  // The edit may be the effect of a schema that stands in place of another, such as its type.
  const isSwap = old !== now;
  const reached = (values: Edit["before"], reference: string | null, { document }: EditedSide) =>
    reachedFrom(
      [
        ...values.flatMap(referencesIn),
        ...(ofSchemas.has(edit.keyword) ? values.flatMap(namedIn) : []),
        ...(isSwap && reference !== null ? [reference] : []),
      ],
      document,
    );
  const [before, after] = [reached(edit.before, old, base), reached(edit.after, now, head)];
  return before.size + after.size === 0 ? null : [Object.fromEntries(before), Object.fromEntries(after)];
}

/** The reference that stands at a place; null where none does. */
const referenceAt = (at: string, side: EditedSide): string | null =>
  referenceOf(partsOnWay(at, side)[tokensOf(at).length] ?? null);

type TextOf = (json: Json) => string;

/**
 * The hashes on both sides of the innermost part that differs on the way to a place. Prose and extensions count where nothing
 * else differs.
 */
function differingAt(at: string, base: EditedSide, head: EditedSide): Json {
  for (const textOf of [meaningOf, canonicalJson]) {
    const before = hashesOnWay(at, base, textOf);
    const after = hashesOnWay(at, head, textOf);
    for (let depth = Math.max(before.length, after.length) - 1; depth >= 0; depth -= 1) {
      const [old, now] = [before, after].map((hashes) => hashes[depth]?.() ?? null);
      if (old !== now) return [old ?? null, now ?? null];
    }
  }
  return [];
}

/** The hashes of the whole and of each part on the way to a place, outermost first, each made when it is asked for. */
function hashesOnWay(at: string, side: EditedSide, textOf: TextOf): readonly (() => string)[] {
  const { document } = side;
  const hash = (value: Json) => (): string =>
    isInDocument(at, side)
      ? hashOf([textOf(value), Object.fromEntries(reachedFrom(referencesIn(value), document))])
      : hashOf(withoutPlaces(value));
  return partsOnWay(at, side).map(hash);
}

/** True if a place is in the document, and not among the contract's own facts. */
const isInDocument = (at: string, { document }: EditedSide): boolean => Object.hasOwn(document, tokensOf(at)[0] ?? "");

/** The whole and each part on the way to a place, outermost first, as far as there are any. */
function partsOnWay(at: string, side: EditedSide): readonly Json[] {
  const parts = [asJson(isInDocument(at, side) ? side.document : side.contract)];
  for (const token of tokensOf(at)) {
    const part = itemAt(parts.at(-1) ?? null, token, side.document);
    if (part === undefined) break;
    parts.push(part);
  }
  return parts;
}

/** The item or property that a token of a change's pointer names. */
function itemAt(json: Json, token: string, document: OpenApiDocument): Json | undefined {
  const at = followed(json, document);
  if (!isList(at)) return jsonAt(at, token);
  return at.find((item) => namesOf(followed(item, document)).includes(token)) ?? at[Number(token)];
}

const namesOf = (json: Json): readonly string[] => {
  const [name, id, place, url] = ["name", "id", "in", "url"].map((property) => textAt(json, property));
  return [name, id, url, `${place ?? ""}:${name ?? ""}`].filter((one) => one !== null && one !== undefined);
};

function followed(json: Json, document: OpenApiDocument): Json {
  const reference = referenceOf(json);
  return reference === null ? json : (jsonAt(asJson(document), ...tokensOf(reference.slice(1))) ?? json);
}

/** The reference within the document that an object is; null where it is none. */
function referenceOf(json: Json): string | null {
  const reference = textAt(json, "$ref");
  return reference?.startsWith("#/") ? reference : null;
}

/** Hashes of all components to which references lead, directly or through others, by their references. */
function reachedFrom(references: readonly string[], document: OpenApiDocument): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const open = [...references];
  for (let reference = open.pop(); reference !== undefined; reference = open.pop()) {
    const target = found.has(reference) ? null : targetOf(reference, document);
    if (target === null) continue;
    found.set(reference, target.hash);
    open.push(...target.references);
  }
  return found;
}

interface Target {
  readonly hash: string;
  readonly references: readonly string[];
}

const targets = new WeakMap<OpenApiDocument, Map<string, Target | null>>();

/** The target of a reference, read once for each document; null where it leads nowhere. */
function targetOf(reference: string, document: OpenApiDocument): Target | null {
  const known = targets.get(document) ?? new Map<string, Target | null>();
  targets.set(document, known);
  const found = known.get(reference);
  if (found !== undefined) return found;
  const json = jsonAt(asJson(document), ...tokensOf(reference.slice(1)));
  const target = json === undefined ? null : { hash: hashOf(meaningOf(json)), references: referencesIn(json) };
  known.set(reference, target);
  return target;
}

const namedIn = (value: Json): readonly string[] =>
  (isList(value) ? value : [value]).flatMap((name) =>
    typeof name === "string" ? [`#/components/schemas/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`] : [],
  );

function referencesIn(json: Json): readonly string[] {
  if (isList(json)) return json.flatMap(referencesIn);
  if (!isObject(json)) return [];
  const own = referenceOf(json);
  return [...(own === null ? [] : [own]), ...Object.values(json).flatMap(referencesIn)];
}

/** A fact of a contract without the lines of its declaration. */
function withoutPlaces(json: Json): Json {
  if (isList(json)) return json.map(withoutPlaces);
  if (!isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json)
      .filter(([name, value]) => name !== "place" && value !== undefined)
      .map(([name, value]) => [name, withoutPlaces(value)]),
  );
}

/** A contract or document as JSON, from which it was read or to which it is printed. */
const asJson = (value: Contract | OpenApiDocument): Json => value as unknown as Json;
