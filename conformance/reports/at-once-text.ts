import { areAtOnce } from "../exchange/exchange.ts";
import type { ToldFinding } from "../outcome/verdict.ts";
import { atOnceAmong } from "../story/at-once.ts";

/** Calls of the evidence that were under way while another of them was. */
export const callsAtOnce = ({ exchanges }: Pick<ToldFinding, "exchanges">): number =>
  exchanges.filter((one) => exchanges.some((other) => one !== other && areAtOnce(one, other))).length;

/** That no single call may show a finding again, as several at once showed it; null where none did. */
export function atOnceText({ exchanges, told }: Pick<ToldFinding, "exchanges" | "told">): string | null {
  const shown = callsAtOnce({ exchanges });
  const calls = Math.max(shown, told === null ? 0 : atOnceAmong(told.steps).size);
  return shown === 0
    ? null
    : `${calls} calls were under way at once here: one alone may show nothing; the script sends them at once`;
}
