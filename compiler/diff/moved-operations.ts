import type { Json } from "../contract.ts";
import type { Edit } from "./change.ts";
import type { HttpOperation, HttpParameter } from "./http-surface.ts";
import { meaningOf } from "./json-at.ts";
import type { Pairs } from "./pairs.ts";

/**
 * With operations that went and came by another method or path each other's, where it is certain: both have one id, which no
 * other operation of either side has, or they differ by one part of the path alone and say of what is sent and answered the
 * same, which no other does that went or came.
 */
export function withMovedOperations(
  { removed, added, both }: Pairs<HttpOperation>,
  base: readonly HttpOperation[],
  head: readonly HttpOperation[],
): Pairs<HttpOperation> {
  const byId = matched(removed, added, singles(base, idOf), singles(head, idOf));
  const rest = (all: readonly HttpOperation[]) => all.filter((one) => !byId.some((pair) => pair.includes(one)));
  const [gone, come] = [rest(removed), rest(added)];
  const byText = matched(gone, come, singles(gone, textOf), singles(come, textOf)).filter(
    ([old, now]) => partsApart(old, now) === 1,
  );
  const moved = [...byId, ...byText];
  const known = new Set(moved.flat());
  return {
    removed: removed.filter((one) => !known.has(one)),
    added: added.filter((one) => !known.has(one)),
    both: [...both, ...moved.map(([old, now]) => withCommonPathParameters(old, now))],
  };
}

type Singles = ReadonlyMap<string, HttpOperation>;

/** Operations by a key that one alone has; one without a key is left out. */
function singles(operations: readonly HttpOperation[], keyOf: (operation: HttpOperation) => string | null): Singles {
  const groups = Map.groupBy(operations, keyOf);
  return new Map(
    [...groups].flatMap(([key, [only, ...others]]) =>
      key === null || only === undefined || others.length > 0 ? [] : [[key, only]],
    ),
  );
}

function matched(
  removed: readonly HttpOperation[],
  added: readonly HttpOperation[],
  before: Singles,
  after: Singles,
): readonly (readonly [old: HttpOperation, now: HttpOperation])[] {
  return [...before].flatMap(([key, old]) => {
    const now = after.get(key);
    return now !== undefined && removed.includes(old) && added.includes(now) ? [[old, now] as const] : [];
  });
}

const idOf = ({ operationId }: HttpOperation): string | null => operationId || null;

/** Equal for operations that are sent and answered the same; null where that is too little to know one by. */
function textOf({ method, parameters, body, responses }: HttpOperation): string | null {
  const written = meaningOf([
    method,
    parameters.map(({ key, required, schema }) => ({ key, required, schema })),
    (body?.content ?? []).map(({ type, schema }) => ({ type, schema })),
    responses.map(({ status, content }) => ({
      status,
      content: content.map(({ type, schema }) => ({ type, schema })),
    })),
  ]);
  return /"(?:\$ref|properties)":/.test(written) ? written : null;
}

/** How many parts of two paths differ; infinite where one has more of them. */
function partsApart(base: HttpOperation, head: HttpOperation): number {
  const [before, after] = [base, head].map(({ path }) => path.split("/"));
  if (before?.length !== after?.length) return Number.POSITIVE_INFINITY;
  return before?.filter((part, index) => part !== after?.[index]).length ?? 0;
}

/** Parameters of a path that the other has none of come and go with the path; the others are known by their names. */
function withCommonPathParameters(base: HttpOperation, head: HttpOperation): readonly [HttpOperation, HttpOperation] {
  if (countIn(base) === countIn(head)) return [base, head];
  const common = (own: HttpOperation, other: HttpOperation): HttpOperation => ({
    ...own,
    parameters: own.parameters.flatMap((one): readonly HttpParameter[] => {
      if (one.in !== "path") return [one];
      const isCommon = other.parameters.some(({ in: where, name }) => where === "path" && name === one.name);
      return isCommon ? [{ ...one, key: `path ${one.name}` }] : [];
    }),
  });
  return [common(base, head), common(head, base)];
}

const countIn = ({ path }: HttpOperation): number => path.split("{").length;

/** The edit of what differs between two addresses: one for all operations that are moved so. */
export function moveEdit(base: HttpOperation, head: HttpOperation): Edit {
  const [before, after] = [base.path, head.path].map((path) => path.split("/").slice(1));
  const [old, now] = withoutCommon(before ?? [], after ?? []);
  const shown = (parts: readonly string[], { method }: HttpOperation): readonly Json[] => [
    [...(base.method === head.method ? [] : [method.toUpperCase()]), parts.map((part) => `/${part}`).join("")].join(
      " ",
    ),
  ];
  return { at: "/paths", keyword: "operation-moved", before: shown(old, base), after: shown(now, head) };
}

/** Both without what they begin and end with alike. */
function withoutCommon(
  one: readonly string[],
  other: readonly string[],
): readonly [readonly string[], readonly string[]] {
  const least = Math.min(one.length, other.length);
  const isSame = (index: number): boolean => one.at(index) === other.at(index);
  let start = 0;
  while (start < least && isSame(start)) start += 1;
  let end = 0;
  while (end < least - start && isSame(-1 - end)) end += 1;
  return [one.slice(start, one.length - end), other.slice(start, other.length - end)];
}
