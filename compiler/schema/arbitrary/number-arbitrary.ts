import fc from "fast-check";
import { greatestCommonDivisor } from "../intersect.ts";
import { decimalsOf } from "../is-multiple.ts";
import type { JsonSchema } from "../json-schema.ts";
import { numberAt, stringAt } from "../schema-node.ts";

interface Range {
  readonly min: number;
  readonly max: number;
  readonly minExcluded: boolean;
  readonly maxExcluded: boolean;
}

/**
 * Integers for a flat schema; null when there is none. They stay where every integer is exact in JSON
 * (±(2⁵³-1)), unless the bounds ask for more.
 */
export function integerArbitrary(schema: JsonSchema): fc.Arbitrary<number> | null {
  const range = clipped(rangeOf(schema), formatRange(schema));
  const min = range.minExcluded ? Math.floor(range.min) + 1 : Math.ceil(range.min);
  const max = range.maxExcluded ? Math.ceil(range.max) - 1 : Math.floor(range.max);
  const step = integerStep(numberAt(schema, "multipleOf") ?? 1);
  return multiples(step, { min, max }, step);
}

/** Numbers for a flat schema, whole ones among them; null when there is none. Never -0, which JSON can't tell from 0. */
export function numberArbitrary(schema: JsonSchema): fc.Arbitrary<number> | null {
  const range = rangeOf(schema);
  const { min, max, minExcluded, maxExcluded } = range;
  if (min > max || (min === max && (minExcluded || maxExcluded))) return null;
  const step = numberAt(schema, "multipleOf");
  if (step !== undefined) return multiples(step, range, step);
  const doubles = fc
    .double({ min, max, minExcluded, maxExcluded, noNaN: true, noDefaultInfinity: true })
    .filter((value) => !Object.is(value, -0));
  const integers = integerArbitrary(schema);
  return integers === null ? doubles : fc.oneof(doubles, integers);
}

function rangeOf(schema: JsonSchema): Range {
  const [min, above] = [numberAt(schema, "minimum"), numberAt(schema, "exclusiveMinimum")];
  const [max, below] = [numberAt(schema, "maximum"), numberAt(schema, "exclusiveMaximum")];
  return {
    min: Math.max(min ?? -Number.MAX_VALUE, above ?? -Number.MAX_VALUE),
    max: Math.min(max ?? Number.MAX_VALUE, below ?? Number.MAX_VALUE),
    minExcluded: above !== undefined && above >= (min ?? above),
    maxExcluded: below !== undefined && below <= (max ?? below),
  };
}

function formatRange(schema: JsonSchema): { readonly min: number; readonly max: number } {
  if (stringAt(schema, "format") === "int32") return { min: -(2 ** 31), max: 2 ** 31 - 1 };
  return { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };
}

function clipped(range: Range, to: { readonly min: number; readonly max: number }): Range {
  // A range beyond exact integers is asked for on purpose; then its bound alone has to do.
  const min = range.min < to.min ? { min: Math.min(to.min, range.max), minExcluded: false } : {};
  const max = range.max > to.max ? { max: Math.max(to.max, range.min), maxExcluded: false } : {};
  return { ...range, ...min, ...max };
}

/** Multiples of `step` within the range, of exactly as many decimals as the step has. */
function multiples(
  step: number,
  range: { readonly min: number; readonly max: number; readonly minExcluded?: boolean; readonly maxExcluded?: boolean },
  precision: number,
): fc.Arbitrary<number> | null {
  const whole = (bound: number, round: (value: number) => number): number => {
    const factor = bound / step;
    const nearest = Math.round(factor);
    return Math.abs(factor - nearest) < 1e-9 ? nearest : round(factor);
  };
  const first = whole(range.min, Math.ceil);
  const last = whole(range.max, Math.floor);
  const from = range.minExcluded && isAt(first * step, range.min) ? first + 1 : first;
  const to = range.maxExcluded && isAt(last * step, range.max) ? last - 1 : last;
  if (from > to) return null;
  const decimals = decimalsOf(precision);
  const written = (factor: number): number =>
    (decimals === 0 ? factor * step : Number((factor * step).toFixed(decimals))) + 0;
  const [low, high] = [Math.max(from, Number.MIN_SAFE_INTEGER), Math.min(to, Number.MAX_SAFE_INTEGER)];
  if (low > high) return fc.constant(written(from > 0 ? from : to));
  const all = fc.integer({ min: low, max: high });
  // A bound that somebody set is where mistakes sit.
  const edges = [low, high]
    .filter((edge) => edge === from || edge === to)
    .filter((edge) => Math.abs(edge) < Number.MAX_SAFE_INTEGER);
  if (edges.length === 0) return all.map(written);
  return fc.oneof({ weight: 4, arbitrary: all }, { weight: 1, arbitrary: fc.constantFrom(...edges) }).map(written);
}

const isAt = (value: number, bound: number): boolean => Math.abs(value - bound) <= Math.abs(bound) * 1e-12;

/** The smallest integer whose multiples are the whole multiples of `step`: 5 for 2.5, 1 for 0.25. */
function integerStep(step: number): number {
  const scale = 10 ** decimalsOf(step);
  return Math.round(step * scale) / greatestCommonDivisor(Math.round(step * scale), scale);
}
