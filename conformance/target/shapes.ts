import type { OperationId } from "../../generated/operations.ts";

/** How a target writes the shapes that the document does not show, by operation; what is left out is the contract's. */
export type Shapes = Readonly<Record<string, OperationShape>>;

export interface OperationShape {
  readonly request: FieldPaths;
  readonly response: FieldPaths;
}

/**
 * The contract's field to where the target has it: names with dots between them, such as `endpoint.address`. In an
 * answer a number is a place in a list, a star all its places, and a single dot is `data` itself.
 */
export type FieldPaths = Readonly<Record<string, string>>;

/** The whole, for a path. */
export const wholeData = ".";

/** A body of the contract's shape as the target wants it. Fields without a mapping stay, whatever they are. */
export function shapeRequest(shapes: Shapes, operation: OperationId, body: unknown): unknown {
  const paths = shapes[operation]?.request ?? {};
  if (!isObject(body)) return body;
  return Object.entries(body).reduce<Members>(
    (written, [field, value]) => withValue(written, (own(paths, field) ?? field).split("."), value),
    {},
  );
}

/** An answer's `data` in the contract's shape. A mapped field that the target left out is left out. */
export function shapeResponse(shapes: Shapes, operation: OperationId, data: unknown): unknown {
  const paths = Object.entries(shapes[operation]?.response ?? {});
  if (paths.length === 0) return data;
  const mapped = new Set(paths.map(([field]) => field));
  const kept = Object.entries(isObject(data) ? data : {}).filter(([field]) => !mapped.has(field));
  const read = paths.flatMap(([field, path]) => {
    const value = path === wholeData ? data : valueAt(data, path.split("."));
    return value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries([...kept, ...read]);
}

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
