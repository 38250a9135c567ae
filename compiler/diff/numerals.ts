/** Bounds of whole numbers; null for none. */
export interface WholeRange {
  readonly low: bigint | null;
  readonly high: bigint | null;
}

/** The pattern of the texts of all whole numbers in a range, as JSON writes them. */
export function wholeNumberPattern({ low, high }: WholeRange): string {
  const positive = high === null || high >= 0n ? between(low !== null && low > 0n ? low : 0n, high) : [];
  const isBelow = low === null || low < 0n;
  const negative = isBelow ? between(high !== null && high < 0n ? -high : 1n, low === null ? null : -low) : [];
  const all = [...positive, ...negative.map((digits) => `-${digits}`)];
  return all.length === 0 ? "^(?!)$" : `^(?:${all.join("|")})$`;
}

/** The pattern of the texts of all numbers, as JSON writes them. */
export const numberPattern = "^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+\\-]?[0-9]+)?$";

/** Patterns of the digits of whole numbers that are not negative, one or more for each count of digits. */
function between(low: bigint, high: bigint | null): readonly string[] {
  if (high !== null && low > high) return [];
  const most = high === null ? String(low).length : String(high).length;
  const found: string[] = [];
  for (let digits = String(low).length; digits <= most; digits += 1) {
    const [first, last] = [digits === 1 ? 0n : 10n ** BigInt(digits - 1), 10n ** BigInt(digits) - 1n];
    const from = low > first ? low : first;
    const to = high !== null && high < last ? high : last;
    if (from <= to) found.push(...ofOneLength(String(from), String(to)));
  }
  return high === null ? [...found, `[1-9]${any(most)}[0-9]*`] : found;
}

const any = (digits: number): string => (digits === 0 ? "" : digits === 1 ? "[0-9]" : `[0-9]{${digits}}`);

/** Both texts have as many digits. */
function ofOneLength(from: string, to: string): readonly string[] {
  const rest = from.length - 1;
  if (/^0*$/.test(from) && /^9*$/.test(to)) return [any(from.length)];
  const [first, last] = [Number(from[0]), Number(to[0])];
  if (first === last) return ofOneLength(from.slice(1), to.slice(1)).map((digits) => `${first}${digits}`);
  const isWhole = /^0*$/.test(from.slice(1));
  const isWholeThere = /^9*$/.test(to.slice(1));
  const [start, end] = [isWhole ? first : first + 1, isWholeThere ? last : last - 1];
  return [
    ...(isWhole ? [] : ofOneLength(from.slice(1), "9".repeat(rest)).map((digits) => `${first}${digits}`)),
    ...(start > end ? [] : [`${start === end ? start : `[${start}-${end}]`}${any(rest)}`]),
    ...(isWholeThere ? [] : ofOneLength("0".repeat(rest), to.slice(1)).map((digits) => `${last}${digits}`)),
  ];
}
