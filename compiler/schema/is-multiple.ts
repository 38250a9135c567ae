/** A number as it is written in JSON: `digits` × 10^-`decimals`. */
interface Decimal {
  readonly digits: bigint;
  readonly decimals: number;
}

/**
 * Whether a number is a multiple of a positive step, both taken as written in decimals: 0.07 is a multiple of 0.01,
 * although their binary quotient is not whole.
 */
export function isMultiple(value: number, step: number): boolean {
  const [one, other] = [decimalOf(value), decimalOf(step)];
  const decimals = Math.max(one.decimals, other.decimals);
  const scaled = ({ digits, decimals: own }: Decimal): bigint => digits * 10n ** BigInt(decimals - own);
  return scaled(one) % scaled(other) === 0n;
}

/** Decimals in the shortest writing of a number: 2 for 0.05, 7 for 1e-7. */
export const decimalsOf = (value: number): number => decimalOf(value).decimals;

function decimalOf(value: number): Decimal {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const decimals = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return decimals >= 0 ? { digits, decimals } : { digits: digits * 10n ** BigInt(-decimals), decimals: 0 };
}
