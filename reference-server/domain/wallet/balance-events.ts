import type { Choices } from "../../../generated/choices.ts";
import { eventType } from "../../../generated/events.ts";
import type { Event } from "../events/event.ts";
import type { LedgerEntry, Wallet } from "./wallet.ts";

export interface Charged {
  readonly organizationId: string;
  readonly entry: LedgerEntry;
  /** After the charge. */
  readonly wallet: Pick<Wallet, "balance">;
}

/** What tells that a charge has left little, or nothing: of each one only by the charge that crosses its line. */
export function balanceEvents(
  { organizationId, entry, wallet: { balance } }: Charged,
  ids: { readonly low: string; readonly zero: string },
  choices: Pick<Choices, "keyEvents" | "lowBalanceMicros">,
): readonly Event[] {
  if (choices.keyEvents === "not-sent") return [];
  const before = balance + entry.amount;
  const low = Number(choices.lowBalanceMicros);
  const told = { organizationId, data: { balance_micros: balance }, createdAt: entry.at };
  return [
    ...(before >= low && balance < low ? [{ ...told, id: ids.low, type: eventType.walletBalanceLow }] : []),
    ...(before > 0 && balance === 0 ? [{ ...told, id: ids.zero, type: eventType.walletBalanceZero }] : []),
  ];
}
