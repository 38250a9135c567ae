import type { JsonSchema } from "../json-schema.ts";
import { isNothing, numberAt, schemaAt, schemasAt } from "../schema-node.ts";
import { type Doubt, doubt, type Judge, ofPart } from "./doubt.ts";
import { everyOf } from "./every-of.ts";
import type { Left } from "./left.ts";

/** What stands against all arrays of the left side keeping what a schema says about arrays. */
export function arrayDoubts(left: Left, schema: JsonSchema, judge: Judge): readonly Doubt[] {
  return [
    ...itemDoubts(left, schema, judge),
    ...countDoubts(left, schema),
    ...(schema.uniqueItems === true ? uniqueDoubts(left) : []),
    ...(schema.contains === undefined ? [] : containsDoubts(left, schema, judge)),
  ];
}

/** Everything that the views say about the item at an index; an index past all first items stands for the rest. */
const itemAt = (views: readonly JsonSchema[], index: number): JsonSchema =>
  everyOf(views.map((view) => schemasAt(view, "prefixItems")[index] ?? schemaAt(view, "items") ?? {}));

const prefixLength = (views: readonly JsonSchema[]): number =>
  Math.max(0, ...views.map((view) => schemasAt(view, "prefixItems").length));

/** Least number of items: stated, or as many as the array must contain. */
const least = ({ views }: Left): number =>
  Math.max(
    0,
    ...views.flatMap((view) => [numberAt(view, "minItems") ?? 0, view.contains === undefined ? 0 : minContains(view)]),
  );

/** Greatest number of items: stated, or where a closed list ends. */
const most = ({ views }: Left): number =>
  Math.min(
    ...views.flatMap((view) => {
      const closed = isNothing(schemaAt(view, "items") ?? {}) ? schemasAt(view, "prefixItems").length : Infinity;
      return [numberAt(view, "maxItems") ?? Infinity, closed];
    }),
  );

function itemDoubts(left: Left, schema: JsonSchema, judge: Judge): readonly Doubt[] {
  if (schema.items === undefined && schema.prefixItems === undefined) return [];
  const last = Math.min(prefixLength([...left.views, schema]), most(left) - 1);
  const indexes = Array.from({ length: Math.max(0, last + 1) }, (_, index) => index);
  return indexes.flatMap((index) =>
    judge.partIncludes(itemAt(left.views, index), itemAt([schema], index)).map((inner): Doubt => {
      const token = index < prefixLength([...left.views, schema]) ? index : "*";
      return ofPart(left, index, inner, `/${token}`);
    }),
  );
}

function countDoubts(left: Left, schema: JsonSchema): readonly Doubt[] {
  const [min, max] = [numberAt(schema, "minItems") ?? 0, numberAt(schema, "maxItems") ?? Infinity];
  return [
    ...(least(left) >= min ? [] : [doubt(left, "minItems", { maxItems: Math.ceil(min) - 1 })]),
    ...(most(left) <= max ? [] : [doubt(left, "maxItems", { minItems: Math.floor(max) + 1 })]),
  ];
}

function uniqueDoubts(left: Left): readonly Doubt[] {
  if (left.views.some((view) => view.uniqueItems === true) || most(left) <= 1) return [];
  return [doubt(left, "uniqueItems", { minItems: 2, not: { uniqueItems: true } })];
}

const minContains = (schema: JsonSchema): number => numberAt(schema, "minContains") ?? 1;

function containsDoubts(left: Left, schema: JsonSchema, judge: Judge): readonly Doubt[] {
  const wanted = schemaAt(schema, "contains") ?? {};
  const [min, max] = [minContains(schema), numberAt(schema, "maxContains") ?? Infinity];
  const containing = left.views.flatMap((view) => {
    const contains = schemaAt(view, "contains");
    return contains === undefined ? [] : [{ contains, min: minContains(view), max: numberAt(view, "maxContains") }];
  });
  // An item may be spoken of beside what it is looked at for, so no name counts as missing.
  const isWithin = (item: JsonSchema, other: JsonSchema): boolean =>
    judge.byLetter(() => judge.partIncludes(item, other)).length === 0;
  const isWanted = (item: JsonSchema): boolean => isWithin(item, wanted);
  const isEnough = (): boolean => {
    if (containing.some((own) => own.min >= min && isWanted(own.contains))) return true;
    const sure = Array.from({ length: Math.min(least(left), prefixLength(left.views)) }, (_, index) => index);
    const rest = least(left) - sure.length;
    const found = sure.filter((index) => isWanted(itemAt(left.views, index))).length;
    return found >= min || (found + rest >= min && isWanted(itemAt(left.views, prefixLength(left.views))));
  };
  const isNotMore = (): boolean =>
    most(left) <= max || containing.some((own) => (own.max ?? Infinity) <= max && isWithin(wanted, own.contains));
  const counted = (counts: JsonSchema): Doubt => doubt(left, "contains", { contains: wanted, ...counts });
  return [
    ...(min <= 0 || isEnough() ? [] : [counted({ minContains: 0, maxContains: min - 1 })]),
    ...(max === Infinity || isNotMore() ? [] : [counted({ minContains: max + 1 })]),
  ];
}

export function isEmptyOfArrays(left: Left, judge: Judge): boolean {
  const min = least(left);
  if (min > most(left)) return true;
  const prefix = prefixLength(left.views);
  const sure = Array.from({ length: Math.min(min, prefix + 1) }, (_, index) => index);
  const lacks = left.views.some((view) => {
    const contains = schemaAt(view, "contains");
    return contains !== undefined && minContains(view) > 0 && judge.partIsEmpty(contains);
  });
  return lacks || sure.some((index) => judge.partIsEmpty(itemAt(left.views, index)));
}
