import type { Json, JsonSchema } from "../contract.ts";
import { canonicalJson, sameJson } from "../schema/canonical-json.ts";
import { enumerated, schemaMapAt, schemasAt, stringsAt } from "../schema/schema-node.ts";
import { admittedTypes } from "./admitted-types.ts";
import type { Edit } from "./change.ts";
import type { Meant } from "./meant.ts";
import { schemasAtPlace, writtenAtPlace } from "./schema-walk.ts";
import { nameOfBranch } from "./text-edits.ts";

/** What was found to differ: where in the value, and by which keyword. */
export interface Found {
  readonly place: string;
  readonly keyword: string;
  /** Which side may refuse values there; left out where what is told is no refusal. */
  readonly refusedBy?: "base" | "head";
  /** A value of one side that the other refuses there; left out where none was found. */
  readonly shown?: Shown;
}

export interface Shown {
  readonly value: Json;
  /** JSON Pointer to what is refused in it. */
  readonly pointer: string;
  readonly refusedBy: "base" | "head";
}

/**
 * What differs between all that two sides say about a place of their values, wherever it stands: for schemas that were
 * put together otherwise. Null where it can't be told from the keyword alone.
 */
export function placeEdit(base: Meant, head: Meant, { place, keyword }: Found): Omit<Edit, "at"> | null {
  const at = (side: Meant, where: string): readonly JsonSchema[] => schemasAtPlace(side.schema, side.components, where);
  const sides: Sides = { before: at(base, place), after: at(head, place) };
  switch (keyword) {
    case "type":
      return typeEdit(base, head, place);
    case "enum":
    case "const":
      if ([sides.before, sides.after].some((schemas) => !schemas.some((schema) => enumerated(schema)))) {
        return listEdit(sides);
      }
      return differing("enum", sides, (schema) => enumerated(schema) ?? []);
    case "anyOf":
    case "oneOf":
      return (
        unionEdit(sides) ??
        differing(keyword, sides, (schema) => schemasAt(schema, keyword).flatMap((one) => nameOfBranch(one) ?? []))
      );
    // The members of all texts together are no edit of any.
    case "properties":
      return null;
    case "required":
    case "additionalProperties":
    case "unevaluatedProperties": {
      const [, parent = "", token = ""] = /^(.*)\/([^/]*)$/s.exec(place) ?? [];
      if (token === "") return null;
      if (token === "*") return unionEdit({ before: at(base, parent), after: at(head, parent) });
      const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
      return memberEdit(name, { before: at(base, parent), after: at(head, parent) });
    }
    default: {
      const [before, after] = [sides.before, sides.after].map((schemas) => valuesOf(schemas, keyword));
      if (before === undefined || after === undefined || canonicalJson(before) === canonicalJson(after)) return null;
      return before.length > 1 || after.length > 1 ? null : { keyword, before, after };
    }
  }
}

/** Types that come or go; null where what stands at the place says the same of them, or one thing here and another there. */
function typeEdit(base: Meant, head: Meant, place: string): Omit<Edit, "at"> | null {
  const [before, after] = [base, head].map((side) => {
    const written = writtenAtPlace(side.schema, side.components, place);
    const said = written.map((schema) => admittedTypes(schema, side.components));
    return new Map(said.map((types) => [canonicalJson(types), types]));
  });
  const [[old] = [], [now] = []] = [[...(before?.values() ?? [])], [...(after?.values() ?? [])]];
  if (before?.size !== 1 || after?.size !== 1 || old === undefined || now === undefined) return null;
  return sameJson(old, now) ? null : { keyword: "type", before: old, after: now };
}

/** A list of values that comes or goes as a whole, where no alternatives stand beside it. */
function listEdit({ before, after }: Sides): Omit<Edit, "at"> | null {
  if ([...before, ...after].some(({ anyOf, oneOf }) => anyOf !== undefined || oneOf !== undefined)) return null;
  const [old, now] = [before, after].map((schemas) => [...byText(schemas.flatMap((one) => list(one))).values()]);
  return old === undefined || now === undefined || old.length + now.length !== 1
    ? null
    : { keyword: "enum", before: old, after: now };
}

const list = (schema: JsonSchema): readonly Json[] => {
  const values = enumerated(schema);
  return values === undefined ? [] : [values];
};

interface Sides {
  readonly before: readonly JsonSchema[];
  readonly after: readonly JsonSchema[];
}

const byText = (values: readonly Json[]): ReadonlyMap<string, Json> =>
  new Map(values.map((value) => [canonicalJson(value), value]));

const valuesOf = (schemas: readonly JsonSchema[], keyword: string): readonly Json[] => [
  ...byText(schemas.flatMap((schema) => (schema[keyword] === undefined ? [] : [schema[keyword]]))).values(),
];

function differing(
  keyword: string,
  { before, after }: Sides,
  read: (schema: JsonSchema) => readonly Json[],
): Omit<Edit, "at"> | null {
  const [old, now] = [before, after].map((schemas) => byText(schemas.flatMap(read)));
  if (old === undefined || now === undefined) return null;
  const [gone, come] = [
    [...old].filter(([text]) => !now.has(text)).map(([, value]) => value),
    [...now].filter(([text]) => !old.has(text)).map(([, value]) => value),
  ];
  return gone.length + come.length === 0 ? null : { keyword, before: gone, after: come };
}

/** Alternatives of one side alone: as one list where they stand in place of one schema, else one by one. */
function unionEdit({ before, after }: Sides): Omit<Edit, "at"> | null {
  for (const keyword of ["oneOf", "anyOf"]) {
    const [old = [], now = []] = [before, after].map((schemas) => schemas.filter((one) => one[keyword] !== undefined));
    const [union, ...others] = [...old, ...now];
    if (union === undefined || others.length > 0) continue;
    const branches = new Set(schemasAt(union, keyword));
    const isBeside = (old.length > 0 ? before : after).some(
      (one) => one.properties !== undefined && !branches.has(one),
    );
    const named = [...branches].map((one) => nameOfBranch(one) ?? one);
    const told = isBeside ? named : [named];
    return { keyword, before: old.length > 0 ? told : [], after: now.length > 0 ? told : [] };
  }
  return null;
}

function memberEdit(name: string, sides: Sides): Omit<Edit, "at"> | null {
  const presence = (schemas: readonly JsonSchema[]): readonly Json[] => {
    if (schemas.some((schema) => stringsAt(schema, "required").includes(name))) return ["required"];
    return schemas.some((schema) => schemaMapAt(schema, "properties").has(name)) ? ["optional"] : [];
  };
  const [before, after] = [presence(sides.before), presence(sides.after)];
  if (canonicalJson([...before]) === canonicalJson([...after])) return null;
  return { keyword: before.length > 0 && after.length > 0 ? "required" : "properties", before, after };
}
