import type { Json, JsonSchema } from "../contract.ts";
import { unreadPrefix } from "../openapi/dialect.ts";
import { canonicalJson, sameJson } from "../schema/canonical-json.ts";
import { isAnnotation } from "../schema/keywords.ts";
import { parseReference } from "../schema/resolve-reference.ts";
import { enumerated, isObject, schemaMapAt, schemasAt, stringAt, stringsAt } from "../schema/schema-node.ts";
import { escapeToken } from "../schema/validator.ts";
import { meaningOf } from "./json-at.ts";

/** One difference between two texts of a schema; references are not followed. */
export interface TextEdit {
  /** JSON Pointer from the schema to what was edited: `/properties/size`. */
  readonly at: string;
  /** Where its values stand in a value of the schema: `/size`; `*` stands for any item or undeclared member. */
  readonly place: string;
  /** The keyword that differs; `properties` for a member that one side alone names. */
  readonly keyword: string;
  /** What stands there no longer: values of an enum, names of alternatives, whether a member is optional or required. */
  readonly before: readonly Json[];
  /** What stands there instead. */
  readonly after: readonly Json[];
}

const prose: ReadonlySet<string> = new Set([
  ...["title", "description", "examples", "example", "externalDocs", "$comment", "xml"],
]);

/** Keywords whose schema speaks about parts of the value that have no name. */
const aboutParts = ["items", "additionalProperties", "unevaluatedItems", "unevaluatedProperties"];

/** Keywords whose schema speaks about the value itself, or is not told apart from it. */
const aboutItself = ["not", "if", "then", "else", "contains", "propertyNames", "contentSchema"];

const known = new WeakMap<JsonSchema, WeakMap<JsonSchema, readonly TextEdit[]>>();

/** Every difference between two texts of one schema, the outer before the inner; kept for each pair, by identity. */
export function textEdits(before: JsonSchema, after: JsonSchema): readonly TextEdit[] {
  const ofBefore = known.get(before) ?? new WeakMap<JsonSchema, readonly TextEdit[]>();
  known.set(before, ofBefore);
  const found = ofBefore.get(after) ?? editsIn(before, after, "", "");
  ofBefore.set(after, found);
  return found;
}

function editsIn(base: JsonSchema, head: JsonSchema, at: string, place: string): readonly TextEdit[] {
  if (sameJson(base, head)) return [];
  const other = otherUnion(base, head);
  const [before, after] = [asUnionLike(renamedUnion(base, other), head), asUnionLike(head, base)];
  const edit = (keyword: string, old: readonly Json[], now: readonly Json[]): readonly TextEdit[] =>
    old.length + now.length === 0 ? [] : [{ at, place, keyword, before: old, after: now }];
  const inner: TextEdit[] = [];
  const own = keywordsOf(before, after).flatMap((keyword): readonly TextEdit[] => {
    const unread = unreadEdit(keyword, before, after);
    if (unread !== null) return edit(...unread);
    const [old, now] = [before[keyword], after[keyword]];
    switch (keyword) {
      case "properties":
      case "required":
        return [];
      case "enum":
      case "const":
        return keyword === "const" && before.enum !== undefined ? [] : valueEdits(before, after, edit);
      case "type":
        return edit(keyword, listed(old), listed(now));
      case "anyOf":
      case "oneOf":
      case "allOf":
      case "prefixItems": {
        const whole = wholeUnion(keyword, before, after);
        if (whole !== null) return edit(keyword, ...whole);
        const found = alignedEdits(before, after, keyword, at, place);
        inner.push(...found.inner);
        return edit(keyword, found.gone, found.come);
      }
      case "patternProperties":
      case "dependentSchemas":
        inner.push(...mapEdits(before, after, keyword, at, keyword === "patternProperties" ? `${place}/*` : place));
        return [];
      case "$ref":
        return edit(keyword, nameOf(old), nameOf(now));
      default: {
        const isSchema = aboutParts.includes(keyword) || aboutItself.includes(keyword);
        if (isSchema && isObject(old) && isObject(now)) {
          const part = aboutParts.includes(keyword) ? `${place}/*` : place;
          inner.push(...editsIn(old, now, `${at}/${keyword}`, part));
          return [];
        }
        return edit(keyword, old === undefined ? [] : [old], now === undefined ? [] : [now]);
      }
    }
  });
  const kind = other === null ? [] : edit(other.now, [other.old], [other.now]);
  return [...own, ...kind, ...memberEdits(before, after, at, place), ...inner];
}

/** Alternatives as one list that stands in place of a schema which is none of them, or the other way round; else null. */
function wholeUnion(
  keyword: string,
  before: JsonSchema,
  after: JsonSchema,
): readonly [old: readonly Json[], now: readonly Json[]] | null {
  if (!unions.includes(keyword) || (before[keyword] === undefined) === (after[keyword] === undefined)) return null;
  const [union, other] = before[keyword] === undefined ? [after, before] : [before, after];
  // That all of them are objects says nothing more.
  const said = Object.entries(union).filter(
    ([one, json]) =>
      !isAnnotation(one) && !prose.has(one) && one !== "discriminator" && !(one === "type" && json === "object"),
  );
  const branches = schemasAt(union, keyword);
  if (said.length !== 1 || ![...branches, other].every(isOfObjects)) return null;
  const list = branches.map((branch) => nameOfBranch(branch) ?? branch);
  return union === before ? [[list], []] : [[], [list]];
}

/** Whether a schema is a named one, or names members: what is of another type is told by the types. */
const isOfObjects = ({ $ref, properties }: JsonSchema): boolean => $ref !== undefined || properties !== undefined;

/** What the alternatives of both sides are called, where one side has them as `anyOf` and the other as `oneOf`. */
function otherUnion(base: JsonSchema, head: JsonSchema): { readonly old: string; readonly now: string } | null {
  const [[old, ...others], [now, ...more]] = [base, head].map((schema) =>
    unions.filter((keyword) => schema[keyword] !== undefined),
  ) as [string[], string[]];
  if (old === undefined || now === undefined || old === now || others.length + more.length > 0) return null;
  const texts = new Set(schemasAt(head, now).map(textOf));
  return schemasAt(base, old).some((branch) => texts.has(textOf(branch))) ? { old, now } : null;
}

const textOf = (branch: JsonSchema): string => nameOfBranch(branch) ?? canonicalJson(branch);

function renamedUnion(schema: JsonSchema, other: ReturnType<typeof otherUnion>): JsonSchema {
  if (other === null) return schema;
  const { [other.old]: branches, ...rest } = schema;
  return branches === undefined ? schema : { ...rest, [other.now]: branches };
}

/**
 * What a keyword says on either side where one of them can't be read; the name tells so. Nothing is told by the name of the
 * keyword itself then. Null where both can.
 */
function unreadEdit(
  keyword: string,
  before: JsonSchema,
  after: JsonSchema,
): readonly [keyword: string, old: readonly Json[], now: readonly Json[]] | null {
  const isUnread = keyword.startsWith(unreadPrefix);
  const unread = isUnread ? keyword : `${unreadPrefix}${keyword}`;
  const read = unread.slice(unreadPrefix.length);
  if (before[unread] === undefined && after[unread] === undefined) return null;
  if (!isUnread) return [unread, [], []];
  const saidBy = (schema: JsonSchema): readonly Json[] => {
    const said = schema[unread] ?? schema[read];
    return said === undefined ? [] : [said];
  };
  return [unread, saidBy(before), saidBy(after)];
}

/**
 * One schema as a union of itself, or as all that has to hold, where the other side has it among alternatives or parts, or one that
 * alone is of its type.
 */
function asUnionLike(schema: JsonSchema, other: JsonSchema): JsonSchema {
  const together = [...unions, "allOf"];
  if (together.some((keyword) => schema[keyword] !== undefined)) return schema;
  const keyword = together.find((one) => {
    const branches = schemasAt(other, one);
    if (schema.type === "object" && branches.length > 1) {
      if (one === "allOf") return branches.some((branch) => namesAllOf(branch, schema));
      const isOfObjects = branches.every(({ type }) => type === "object");
      if (isOfObjects && branches.some((branch) => meaningOf(branch) === meaningOf(schema))) return true;
    }
    if (schema.$ref !== undefined) return branches.some((branch) => sameJson(branch, schema));
    const only = branches.length > 1 && other.type === undefined ? onlyOfType(schema, branches) : undefined;
    return only !== undefined && meaningOf(only) !== meaningOf(schema);
  });
  if (keyword === undefined) return schema;
  // What only tells about values stands beside the union where the other side has it there.
  const isBeside = ([name]: readonly [string, Json]): boolean => isAnnotation(name) && other[name] !== undefined;
  const [beside, within] = [true, false].map((is) =>
    Object.fromEntries(Object.entries(schema).filter((entry) => isBeside(entry) === is)),
  );
  return { ...beside, [keyword]: [within ?? schema] };
}

/** Whether a part of what has to hold names each member that a schema names. */
function namesAllOf(part: JsonSchema, schema: JsonSchema): boolean {
  const names = [...schemaMapAt(schema, "properties").keys()];
  const own = schemaMapAt(part, "properties");
  return names.length > 0 && names.every((name) => own.has(name));
}

/** The one of several schemas that is of the only type of another one. */
export function onlyOfType(schema: JsonSchema, among: readonly JsonSchema[]): JsonSchema | undefined {
  if (typeof schema.type !== "string") return undefined;
  const [only, ...others] = among.filter(({ type }) => type === schema.type);
  return others.length === 0 ? only : undefined;
}

const unions = ["oneOf", "anyOf"];

function keywordsOf(before: JsonSchema, after: JsonSchema): readonly string[] {
  const all = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...all].filter((keyword) => !prose.has(keyword) && !sameAt(keyword, before, after));
}

const sameAt = (keyword: string, before: JsonSchema, after: JsonSchema): boolean => {
  const [old, now] = [before[keyword], after[keyword]];
  return old !== undefined && now !== undefined && sameJson(old, now);
};

/** `enum` and `const` say the same thing. */
function valueEdits(
  before: JsonSchema,
  after: JsonSchema,
  edit: (keyword: string, old: readonly Json[], now: readonly Json[]) => readonly TextEdit[],
): readonly TextEdit[] {
  const [old, now] = [enumerated(before), enumerated(after)];
  // A list of values that comes or goes is one value of the keyword.
  if (old === undefined) return edit("enum", [], [now ?? []]);
  if (now === undefined) return edit("enum", [old], []);
  return edit("enum", less(old, now), less(now, old));
}

function memberEdits(before: JsonSchema, after: JsonSchema, at: string, place: string): readonly TextEdit[] {
  const [old, now] = [schemaMapAt(before, "properties"), schemaMapAt(after, "properties")];
  const [was, is] = [stringsAt(before, "required"), stringsAt(after, "required")];
  return [...new Set([...old.keys(), ...now.keys(), ...was, ...is])].flatMap((name): readonly TextEdit[] => {
    const [member, other] = [old.get(name), now.get(name)];
    const [presence, later] = [was, is].map((list) => [list.includes(name) ? "required" : "optional"]);
    const where = { at: `${at}/properties/${escapeToken(name)}`, place: `${place}/${escapeToken(name)}` };
    if (presence === undefined || later === undefined) return [];
    if (member === undefined && other !== undefined)
      return [{ ...where, keyword: "properties", before: [], after: later }];
    if (member !== undefined && other === undefined)
      return [{ ...where, keyword: "properties", before: presence, after: [] }];
    const demanded =
      presence[0] === later[0] ? [] : [{ ...where, keyword: "required", before: presence, after: later }];
    if (member === undefined || other === undefined) return demanded;
    return [...demanded, ...editsIn(member, other, where.at, where.place)];
  });
}

function mapEdits(
  before: JsonSchema,
  after: JsonSchema,
  keyword: string,
  at: string,
  place: string,
): readonly TextEdit[] {
  const [old, now] = [schemaMapAt(before, keyword), schemaMapAt(after, keyword)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name): readonly TextEdit[] => {
    const [one, other] = [old.get(name), now.get(name)];
    const where = `${at}/${keyword}/${escapeToken(name)}`;
    if (one !== undefined && other !== undefined) return editsIn(one, other, where, place);
    const [gone, come] = [one, other].map((side) => (side === undefined ? [] : [name]));
    return [{ at: where, place, keyword, before: gone ?? [], after: come ?? [] }];
  });
}

interface Aligned {
  readonly inner: readonly TextEdit[];
  readonly gone: readonly Json[];
  readonly come: readonly Json[];
}

/** Alternatives that are each other's are compared; the others came or went. */
function alignedEdits(before: JsonSchema, after: JsonSchema, keyword: string, at: string, place: string): Aligned {
  const texts = new Set(schemasAt(after, keyword).map((schema) => canonicalJson(schema)));
  const known = new Set(schemasAt(before, keyword).map((schema) => canonicalJson(schema)));
  const numbered = (schema: JsonSchema, same: ReadonlySet<string>) =>
    schemasAt(schema, keyword)
      .map((branch, index) => ({ branch, index }))
      .filter(({ branch }) => !same.has(canonicalJson(branch)));
  const gone = numbered(before, texts);
  const come = numbered(after, known);
  const meanings = come.map(({ branch }) => meaningOf(branch));
  const isNamed = [...gone, ...come].every(({ branch }) => nameOfBranch(branch) !== null);
  const pairs =
    gone.length === come.length && !isNamed
      ? gone.flatMap((one, index) => (come[index] === undefined ? [] : [[one, come[index]] as const]))
      : gone.flatMap((one) => {
          const meaning = meaningOf(one.branch);
          const match =
            come.find((_, index) => meanings[index] === meaning) ??
            come.find(({ branch }) => keyOf(branch) !== null && keyOf(branch) === keyOf(one.branch)) ??
            come.find(({ branch }) => branch === onlyPair(one, gone, come)?.branch) ??
            (keyword === "allOf" ? come.find(({ branch }) => namesAllOf(branch, one.branch)) : undefined);
          return match === undefined ? [] : [[one, match] as const];
        });
  const [left, right] = [new Set(pairs.map(([one]) => one)), new Set(pairs.map(([, other]) => other))];
  return {
    inner: pairs.flatMap(([one, other]) =>
      editsIn(
        one.branch,
        other.branch,
        `${at}/${keyword}/${other.index}`,
        keyword === "prefixItems" ? `${place}/${other.index}` : place,
      ),
    ),
    gone: gone.filter((one) => !left.has(one)).map(({ branch }) => nameOfBranch(branch) ?? branch),
    come: come.filter((one) => !right.has(one)).map(({ branch }) => nameOfBranch(branch) ?? branch),
  };
}

interface Numbered {
  readonly branch: JsonSchema;
  readonly index: number;
}

/** The alternative that alone is of the type of one that alone is. */
function onlyPair({ branch }: Numbered, gone: readonly Numbered[], come: readonly Numbered[]): Numbered | undefined {
  if (
    onlyOfType(
      branch,
      gone.map((one) => one.branch),
    ) !== branch
  )
    return undefined;
  const found = onlyOfType(
    branch,
    come.map((one) => one.branch),
  );
  return come.find((one) => one.branch === found);
}

/** What a branch is called: the component that it refers to, or its type where it says nothing else. */
export function nameOfBranch(branch: JsonSchema): string | null {
  const reference = stringAt(branch, "$ref");
  if (reference !== undefined) return componentIn(reference);
  return typeof branch.type === "string" && Object.keys(branch).length === 1 ? branch.type : null;
}

/** What tells a branch from the others, whatever else it says: a title, or the value of a tag. */
export function keyOf(branch: JsonSchema): string | null {
  const title = stringAt(branch, "title");
  if (title !== undefined) return title;
  for (const [name, member] of schemaMapAt(branch, "properties")) {
    const values = enumerated(member);
    if (values?.length === 1) return `${name}=${canonicalJson(values[0] ?? null)}`;
  }
  return null;
}

const nameOf = (json: Json | undefined): readonly Json[] => (typeof json === "string" ? [componentIn(json)] : []);

function componentIn(reference: string): string {
  try {
    return parseReference(reference).component;
  } catch {
    // A broken reference is told where schemas are compared.
    return reference;
  }
}

const listed = (json: Json | undefined): readonly Json[] =>
  json === undefined ? [] : typeof json === "string" ? [json] : Array.isArray(json) ? json : [json];

const less = (some: readonly Json[], others: readonly Json[]): readonly Json[] => {
  const texts = new Set(others.map((value) => canonicalJson(value)));
  return some.filter((value) => !texts.has(canonicalJson(value)));
};
