import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyWallet, type LedgerEntry, openingEntries, walletAfter } from "./wallet.ts";

const amounts = fc.integer({ min: 1, max: 1e9 });
const entries = fc.array(
  fc.record({
    kind: fc.constantFrom<LedgerEntry["kind"][]>("credit", "charge", "refund"),
    amount: amounts,
    reference: fc.constant("r"),
    at: fc.constant(0),
  }),
);

const sumOf = (list: readonly LedgerEntry[], kind: LedgerEntry["kind"]): number =>
  list.filter((entry) => entry.kind === kind).reduce((sum, { amount }) => sum + amount, 0);

describe("a wallet", () => {
  it("is the sum of the entries that it took, and never below zero", () => {
    fc.assert(
      fc.property(entries, (list) => {
        let wallet = emptyWallet;
        const taken: LedgerEntry[] = [];
        for (const entry of list) {
          try {
            wallet = walletAfter(wallet, entry);
            taken.push(entry);
          } catch {
            const owes = entry.kind === "charge" ? wallet.balance : wallet.spend;
            expect(entry.amount).toBeGreaterThan(owes);
          }
        }
        const spend = sumOf(taken, "charge") - sumOf(taken, "refund");
        expect(wallet).toEqual({ balance: sumOf(taken, "credit") - spend, spend, entries: taken.length });
        expect(Math.min(wallet.balance, wallet.spend)).toBeGreaterThanOrEqual(0);
      }),
      { seed: 1 },
    );
  });

  it.each([0, -1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1])("moves no amount of %d", (amount) => {
    expect(() => walletAfter(emptyWallet, { kind: "credit", amount, reference: "r", at: 0 })).toThrow();
  });

  it("holds no more than can be counted", () => {
    const full = { balance: Number.MAX_SAFE_INTEGER, spend: 0, entries: 1 };
    expect(() => walletAfter(full, { kind: "credit", amount: 1, reference: "r", at: 0 })).toThrow("can be counted");
  });

  it("can open with any balance and spend", () => {
    const some = fc.integer({ min: 0, max: 4e15 });
    fc.assert(
      fc.property(some, some, (balance, spend) => {
        const list = openingEntries({ balance, spend }, 0, { newId: () => "id" });
        expect(list.reduce(walletAfter, emptyWallet)).toMatchObject({ balance, spend });
      }),
      { seed: 1 },
    );
  });
});
