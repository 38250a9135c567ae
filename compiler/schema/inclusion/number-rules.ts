import { isMultiple } from "../is-multiple.ts";
import type { JsonSchema } from "../json-schema.ts";
import { numberAt, stringAt, typesOf } from "../schema-node.ts";
import { type Doubt, doubt } from "./doubt.ts";
import type { Left } from "./left.ts";
import { isCheckableFormat } from "./two-sides.ts";

interface Bound {
  readonly at: number;
  readonly open: boolean;
}

/** The numbers among which the left side's are. */
interface Numbers {
  readonly low: Bound;
  readonly high: Bound;
  /** Every number is a multiple of each of these. */
  readonly steps: readonly number[];
}

const integerLimits: ReadonlyMap<string, readonly [min: number, below: number]> = new Map([
  ["int32", [-(2 ** 31), 2 ** 31]],
  ["int64", [-(2 ** 63), 2 ** 63]],
]);

function numbersOf({ type, views }: Left): Numbers {
  const formats = views.flatMap((view) => integerLimits.get(stringAt(view, "format") ?? "") ?? []);
  const all = (keyword: string): readonly number[] => views.flatMap((view) => numberAt(view, keyword) ?? []);
  const bounds = (keyword: string, open: boolean): readonly Bound[] => all(keyword).map((at) => ({ at, open }));
  const steps = [...all("multipleOf"), ...(type === "integer" || formats.length > 0 ? [1] : [])];
  const limits = formats.length === 0 ? [] : views.flatMap((view) => limitsOf(stringAt(view, "format")));
  const lows = [...bounds("minimum", false), ...bounds("exclusiveMinimum", true), ...limits.map(({ low }) => low)];
  const highs = [...bounds("maximum", false), ...bounds("exclusiveMaximum", true), ...limits.map(({ high }) => high)];
  const low = lows.reduce((one, other) => (isTighter(other, one, 1) ? other : one), { at: -Infinity, open: false });
  const high = highs.reduce((one, other) => (isTighter(other, one, -1) ? other : one), { at: Infinity, open: false });
  const step = Math.max(0, ...steps.filter(Number.isSafeInteger));
  return step === 0 ? { low, high, steps } : { low: onStep(low, step, 1), high: onStep(high, step, -1), steps };
}

function limitsOf(format: string | undefined): readonly { readonly low: Bound; readonly high: Bound }[] {
  const limits = integerLimits.get(format ?? "");
  return limits ? [{ low: { at: limits[0], open: false }, high: { at: limits[1], open: true } }] : [];
}

const isTighter = (one: Bound, other: Bound, sign: 1 | -1): boolean =>
  sign * one.at > sign * other.at || (one.at === other.at && one.open && !other.open);

/** The outermost multiple of a whole step within the bound, as long as it is exact. */
function onStep(bound: Bound, step: number, sign: 1 | -1): Bound {
  if (!Number.isFinite(bound.at)) return bound;
  const nearest = sign * Math.ceil((sign * bound.at) / step) * step;
  if (!Number.isSafeInteger(nearest)) return bound;
  return { at: nearest === bound.at && bound.open ? nearest + sign * step : nearest, open: false };
}

const isWhole = ({ steps }: Numbers): boolean => steps.some((step) => isMultiple(step, 1));

const within = (numbers: Numbers, bound: Bound, side: "low" | "high"): boolean => {
  const own = numbers[side];
  return isTighter(own, bound, side === "low" ? 1 : -1) || (own.at === bound.at && (own.open || !bound.open));
};

const boundKeywords = [
  { keyword: "minimum", side: "low", open: false, opposite: "exclusiveMaximum" },
  { keyword: "exclusiveMinimum", side: "low", open: true, opposite: "maximum" },
  { keyword: "maximum", side: "high", open: false, opposite: "exclusiveMinimum" },
  { keyword: "exclusiveMaximum", side: "high", open: true, opposite: "minimum" },
] as const;

/** What stands against all numbers of the left side keeping what a schema says about numbers. */
export function numberDoubts(left: Left, schema: JsonSchema): readonly Doubt[] {
  const numbers = numbersOf(left);
  const bounds = boundKeywords.flatMap(({ keyword, side, open, opposite }) => {
    const at = numberAt(schema, keyword);
    return at === undefined || within(numbers, { at, open }, side) ? [] : [doubt(left, keyword, { [opposite]: at })];
  });
  const step = numberAt(schema, "multipleOf");
  const isStepped = step === undefined || numbers.steps.some((own) => isMultiple(own, step));
  const steps = isStepped ? [] : [doubt(left, "multipleOf", { not: { multipleOf: step ?? 1 } })];
  return [...bounds, ...steps, ...formatDoubts(left, numbers, stringAt(schema, "format"))];
}

/** A whole number is asked for: true when the left side, whatever its type, has no others. */
export const hasOnlyWholeNumbers = (left: Left): boolean => left.type === "integer" || isWhole(numbersOf(left));

function formatDoubts(left: Left, numbers: Numbers, format: string | undefined): readonly Doubt[] {
  if (format === undefined || left.views.some((view) => view.format === format)) return [];
  if (!isCheckableFormat(format)) return [doubt(left, "format", {})];
  const [limits] = limitsOf(format);
  // Any other format is one of texts, or refuses no number of JSON: "float", "double".
  if (limits === undefined) return [];
  if (isWhole(numbers) && within(numbers, limits.low, "low") && within(numbers, limits.high, "high")) return [];
  const { at } = limits.high;
  const outside = { anyOf: [{ minimum: at }, { maximum: format === "int64" ? -at - 2048 : -at - 1 }] };
  return [
    ...(isWhole(numbers) ? [] : [doubt(left, "format", { not: { type: "integer" } })]),
    doubt(left, "format", { ...outside, type: "integer" }),
  ];
}

export function isEmptyOfNumbers(left: Left): boolean {
  const { low, high } = numbersOf(left);
  return low.at > high.at || (low.at === high.at && (low.open || high.open));
}

const mostListed = 100;

/** All numbers of the left side, where they are whole and few. */
export function listedNumbers(left: Left): readonly number[] | null {
  if (left.type !== "integer" && left.type !== "number") return null;
  const numbers = numbersOf(left);
  const { low, high } = numbers;
  const [from, to] = [Math.ceil(low.at), Math.floor(high.at)];
  if (!isWhole(numbers) || !(to - from < mostListed) || !Number.isSafeInteger(from)) return null;
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

/** Whether the types that a schema admits include the left side's. */
export function typeDoubts(left: Left, schema: JsonSchema): readonly Doubt[] {
  const types = typesOf(schema);
  if (types.includes(left.type) || (left.type === "integer" && types.includes("number"))) return [];
  if (left.type === "number" && types.includes("integer")) {
    return hasOnlyWholeNumbers(left) ? [] : [doubt(left, "type", { not: { type: "integer" } })];
  }
  return [doubt(left, "type", {})];
}
