import type { OperationId } from "../../generated/operations.ts";
import { operationSchemas } from "../../generated/schemas.ts";

/** How a target writes the shapes that the document does not show, by operation; what is left out is the contract's. */
export type Shapes = Readonly<Record<string, OperationShape>>;

export interface OperationShape {
  /** A field that is null is left out: the target takes no such member. */
  readonly request: Readonly<Record<string, string | null>>;
  /** By where the target has them, what it wants in every request besides; a star is each place of a list. */
  readonly constants?: Readonly<Record<string, Constant>>;
  /** The target's own properties of an update, by place, each with two values that the target accepts. */
  readonly extra?: Readonly<Record<string, ExtraValues>>;
  /** A field that is null is in no response of the target. */
  readonly response: FieldPaths;
}

/** Two different values of a property. */
export type ExtraValues = readonly [first: Scalar, second: Scalar];

type Scalar = string | number | boolean;

/** What a request can hold of itself. */
export type Constant = string | number | boolean | readonly (string | number | boolean)[];

/**
 * The contract's field to where the target has it: names with dots between them, such as `endpoint.address`. In an
 * answer a number is a place in a list, a star all its places, and a single dot is `data` itself. A field of what is
 * listed, such as `records.*.source`, is where each place of the list has it.
 */
export type FieldPaths = Readonly<Record<string, string | null>>;

/** The whole, for a path. */
export const wholeData = ".";

/**
 * A body of the contract's shape as the target wants it, with what it wants besides. Fields without a mapping stay,
 * whatever they are.
 */
export function shapeRequest(shapes: Shapes, operation: OperationId, body: unknown): unknown {
  const { request = {}, constants = {} } = shapes[operation] ?? {};
  return withProperties(written(request, body), constants);
}

/** The target's own properties of an update, with the first or the second value of each; null if the file names none. */
export function extraProperties(
  shapes: Shapes,
  operation: OperationId,
  which: "first" | "second",
): Readonly<Record<string, Scalar>> | null {
  const extra = Object.entries(shapes[operation]?.extra ?? {});
  return extra.length === 0
    ? null
    : Object.fromEntries(extra.map(([path, [first, second]]) => [path, which === "first" ? first : second]));
}

/** A written body with properties at their places. */
export const withProperties = (body: unknown, properties: Readonly<Record<string, Constant>>): unknown =>
  Object.entries(properties).reduce((whole, [path, value]) => withConstant(whole, path.split("."), value), body);

/** The same with a constant at its place, or in each place of a list; as it is where there is none. */
function withConstant(value: unknown, [name = "", ...rest]: readonly string[], constant: Constant): unknown {
  if (name === "*")
    return Array.isArray(value) ? value.map((one: unknown) => withConstant(one, rest, constant)) : value;
  if (!isObject(value)) return value;
  if (rest.length === 0) return { ...value, [name]: constant };
  const inner = own(value, name);
  // No list is made up for what is in the places of one.
  if (inner === undefined && rest.includes("*")) return value;
  return { ...value, [name]: withConstant(inner ?? {}, rest, constant) };
}

/** What stands between a list's field and those of its places. */
export const eachPlace = ".*.";

function written(paths: OperationShape["request"], body: unknown): unknown {
  if (!isObject(body)) return body;
  return Object.entries(body).reduce<Members>((members, [field, value]) => {
    const path = own(paths, field);
    if (path === null) return members;
    const inner = below(paths, `${field}${eachPlace}`);
    const list = Array.isArray(value) ? value.map((one: unknown) => written(inner, one)) : value;
    return withValue(members, path?.split(".") ?? [field], list);
  }, {});
}

const below = <Path>(paths: Readonly<Record<string, Path>>, start: string): Readonly<Record<string, Path>> =>
  Object.fromEntries(
    Object.entries(paths)
      .filter(([field]) => field.startsWith(start))
      .map(([field, path]) => [field.slice(start.length), path]),
  );

/**
 * An answer's `data` in the contract's shape. A mapped field that the target left out is left out. Where the contract
 * has a list, each place gets what the mapped fields have there.
 */
export function shapeResponse(shapes: Shapes, operation: OperationId, data: unknown): unknown {
  const paths = shapes[operation]?.response ?? {};
  if (Object.keys(paths).length === 0) return data;
  return listing.has(operation) ? listedAt(Object.entries(paths), data) : readBy(paths, data);
}

function readBy(paths: FieldPaths, data: unknown): Members {
  const whole = Object.entries(paths).filter(([field]) => !field.includes(eachPlace));
  const mapped = new Set(whole.map(([field]) => field));
  const kept = Object.entries(isObject(data) ? data : {}).filter(([field]) => !mapped.has(field));
  const read = whole.flatMap(([field, path]) => {
    if (path === null) return [];
    const value = path === wholeData ? data : valueAt(data, path.split("."));
    return value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(
    [...kept, ...read].map(([field, value]) => [field, placesBy(below(paths, `${field}${eachPlace}`), value)]),
  );
}

/** What is listed, each place as the paths say of one; anything else as it is. */
function placesBy(paths: FieldPaths, value: unknown): unknown {
  if (Object.keys(paths).length === 0 || !Array.isArray(value)) return value;
  return value.map((one: unknown) => (isObject(one) ? readBy(paths, one) : one));
}

/** What is listed, each with its fields where the paths have them in turn; the data as it came where none has a list. */
function listedAt(paths: readonly (readonly [string, string | null])[], data: unknown): unknown {
  const columns = paths.flatMap(([field, path]) => {
    if (path === null) return [];
    const column = path === wholeData ? data : valueAt(data, path.split("."));
    return Array.isArray(column) ? [{ field, column: column as readonly unknown[] }] : [];
  });
  const mapped = new Set(paths.map(([field]) => field));
  if (columns.length === 0) return Array.isArray(data) ? data.map((one) => without(one, mapped)) : data;
  return Array.from({ length: Math.max(...columns.map(({ column }) => column.length)) }, (_, place) => {
    const before: unknown = Array.isArray(data) ? data[place] : undefined;
    const kept = Object.entries(isObject(before) ? without(before, mapped) : {});
    const read = columns.flatMap(({ field, column }) => (column[place] === undefined ? [] : [[field, column[place]]]));
    return Object.fromEntries([...kept, ...read]);
  });
}

/** Returns a record without these fields, and any other value unchanged. */
const without = <Value>(value: Value, fields: ReadonlySet<string>): Value | Members =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([field]) => !fields.has(field))) : value;

/** The contract's fields that the target file maps to null. */
export const absentFields = (shapes: Shapes, operation: OperationId): readonly string[] =>
  Object.entries(shapes[operation]?.response ?? {}).flatMap(([field, path]) => (path === null ? [field] : []));

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const own = <T>(members: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(members, name) ? members[name] : undefined;

function withValue(members: Members, [name = "", ...rest]: readonly string[], value: unknown): Members {
  if (rest.length === 0) return { ...members, [name]: value };
  const inner = own(members, name);
  return { ...members, [name]: withValue(isObject(inner) ? inner : {}, rest, value) };
}

function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (Array.isArray(value) && name === "*") return value.map((one) => valueAt(one, rest));
  if (Array.isArray(value)) return /^\d{1,9}$/.test(name) ? valueAt(value[Number(name)], rest) : undefined;
  return isObject(value) ? valueAt(own(value, name), rest) : undefined;
}

/** Operations whose `data` is a list, by the contract. */
export const listing: ReadonlySet<string> = new Set(
  Object.entries(operationSchemas)
    .filter(([, { answer }]) => valueAt(answer, ["properties", "data", "type"]) === "array")
    .map(([id]) => id),
);
