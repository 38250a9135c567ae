import type { World } from "../world.ts";

/** Millionths of a dollar, in which wallets count, in a cent, in which the contract gives amounts. */
export const microsInCent = 10_000;

/** What moves money: what comes in, what is paid for, and what is given back of a charge. */
export type LedgerEntryKind = "credit" | "charge" | "refund";

/** One movement of money. None is ever changed or taken away; what was wrong is put right by another one. */
export interface LedgerEntry {
  readonly kind: LedgerEntryKind;
  /** Millionths of a US dollar, above zero. */
  readonly amount: number;
  /** What it is for. Of one kind there is one entry for each, so that nothing is charged or given back twice. */
  readonly reference: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * What all entries of an organization come to, in millionths of a US dollar: prices of a lookup, a segment or a carrier's
 * fee are fractions of a cent, with up to four decimals of a dollar, and two more leave room for shares of them. All of it
 * stays exact in a JavaScript number, up to nine thousand million dollars.
 */
export interface Wallet {
  readonly balance: number;
  /** What was charged and not given back. */
  readonly spend: number;
  readonly entries: number;
}

export const emptyWallet: Wallet = { balance: 0, spend: 0, entries: 0 };

/** Whether money ever came in: nothing can be charged before. */
export const hasPaid = ({ entries }: Pick<Wallet, "entries">): boolean => entries > 0;

/** The wallet after one more entry. Throws when it would owe something: whoever charges looks at the balance first. */
export function walletAfter({ balance, spend, entries }: Wallet, { kind, amount, reference }: LedgerEntry): Wallet {
  if (!Number.isSafeInteger(amount) || amount <= 0) throw new Error(`No money can be moved by ${amount}.`);
  const paid = kind === "charge" ? amount : kind === "refund" ? -amount : 0;
  const after = {
    balance: balance + (kind === "charge" ? -amount : amount),
    spend: spend + paid,
    entries: entries + 1,
  };
  if (after.balance < 0) throw new Error(`The wallet does not cover the charge for ${reference}.`);
  if (after.spend < 0) throw new Error(`More than was charged would be given back for ${reference}.`);
  if (!Number.isSafeInteger(after.balance) || !Number.isSafeInteger(after.spend))
    throw new Error("The wallet holds more than can be counted.");
  return after;
}

/** Entries that bring an empty wallet to this balance and spend. */
export function openingEntries(
  { balance, spend }: Pick<Wallet, "balance" | "spend">,
  at: number,
  world: Pick<World, "newId">,
): readonly LedgerEntry[] {
  const reference = `opening ${world.newId()}`;
  return [
    { kind: "credit", amount: balance + spend, reference, at } as const,
    { kind: "charge", amount: spend, reference, at } as const,
  ].filter(({ amount }) => amount > 0);
}
