import { areAtOnce } from "../exchange/exchange.ts";
import type { ToldFinding } from "../outcome/verdict.ts";

/** Calls of the evidence that were under way while another of them was. */
export const callsAtOnce = ({ exchanges }: Pick<ToldFinding, "exchanges">): number =>
  exchanges.filter((one) => exchanges.some((other) => one !== other && areAtOnce(one, other))).length;

/** That no single call may show a finding again, as several at once showed it; null where none were. */
export function atOnceText(finding: Pick<ToldFinding, "exchanges">): string | null {
  const calls = callsAtOnce(finding);
  return calls === 0
    ? null
    : `${calls} of these calls were under way at once: one alone may show nothing; the script sends them at once`;
}
