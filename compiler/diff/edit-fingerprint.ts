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
  if (!ofSchemas.has(edit.keyword)) return null;
  return [reachedFrom([...edit.before], base.document), reachedFrom([...edit.after], head.document)];
}

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
function hashesOnWay(at: string, { contract, document }: EditedSide, textOf: TextOf): readonly (() => string)[] {
  const tokens = tokensOf(at);
  const isInDocument = tokens[0] !== undefined && Object.hasOwn(document, tokens[0]);
  const root: Json = isInDocument ? asJson(document) : asJson(contract);
  const hash = (value: Json) => (): string =>
    isInDocument ? hashOf([textOf(value), reachedFrom([value], document)]) : hashOf(withoutPlaces(value));
  const values: Json[] = [root];
  for (const token of tokens) {
    const value = itemAt(values.at(-1) ?? null, token, document);
    if (value === undefined) break;
    values.push(value);
  }
  return values.map(hash);
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
  const target = textAt(json, "$ref");
  if (target === null || !target.startsWith("#/")) return json;
  return jsonAt(asJson(document), ...tokensOf(target.slice(1))) ?? json;
}

/** Hashes of all components that values refer to or name, directly or through others, by their references. */
function reachedFrom(values: readonly Json[], document: OpenApiDocument): Json {
  const found = new Map<string, string>();
  const open = values.flatMap((value) => [...referencesIn(value), ...namedIn(value)]);
  for (let reference = open.pop(); reference !== undefined; reference = open.pop()) {
    const target = found.has(reference) ? null : targetOf(reference, document);
    if (target === null) continue;
    found.set(reference, target.hash);
    open.push(...target.references);
  }
  return Object.fromEntries(found);
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
  const own = textAt(json, "$ref");
  return [...(own?.startsWith("#/") ? [own] : []), ...Object.values(json).flatMap(referencesIn)];
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
