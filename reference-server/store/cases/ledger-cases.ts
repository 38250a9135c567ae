import fc from "fast-check";
import { expect, it } from "vitest";
import { emptyWallet, type LedgerEntry, walletAfter } from "../../domain/wallet/wallet.ts";
import type { Store } from "../store.ts";
import { storeBench } from "./store-bench.ts";

const entry = (kind: LedgerEntry["kind"], amount: number, reference: string): LedgerEntry => ({
  kind,
  amount,
  reference,
  at: 5,
});

/** What holds of money in every store. */
export function ledgerCases(current: () => Store): void {
  async function begin() {
    const { store, organization } = storeBench(current());
    const { id } = await organization();
    return {
      store,
      id,
      append: (one: LedgerEntry) => store.atomically(id, (tx) => tx.ledger.append(one)),
      wallet: () => store.atomically(id, (tx) => tx.ledger.wallet()),
    };
  }

  it("holds what came in less what was paid for, and knows what was spent and not given back", async () => {
    const { append, wallet } = await begin();
    expect(await wallet()).toEqual(emptyWallet);
    await append(entry("credit", 10_000, "a"));
    await append(entry("charge", 8_001, "b"));
    expect(await append(entry("charge", 1_999, "c"))).toEqual({ balance: 0, spend: 10_000, entries: 3 });
    await append(entry("refund", 1_999, "c"));
    expect(await wallet()).toEqual({ balance: 1_999, spend: 8_001, entries: 4 });
  });

  it("never owes anything: what it does not cover is not charged, nor anything else of the same unit", async () => {
    const { append, wallet, store, id } = await begin();
    await append(entry("credit", 100, "a"));
    await expect(append(entry("charge", 101, "b"))).rejects.toThrow("does not cover");
    const half = store.atomically(id, async (tx) => {
      await tx.ledger.append(entry("charge", 60, "c"));
      await tx.ledger.append(entry("charge", 60, "d"));
    });
    await expect(half).rejects.toThrow("does not cover");
    expect(await wallet()).toEqual({ balance: 100, spend: 0, entries: 1 });
  });

  it("charges and gives back once for each reference", async () => {
    const { append, wallet } = await begin();
    await append(entry("credit", 100, "a"));
    await append(entry("charge", 10, "b"));
    await expect(append(entry("charge", 10, "b"))).rejects.toThrow();
    await append(entry("refund", 10, "b"));
    await expect(append(entry("refund", 10, "b"))).rejects.toThrow();
    expect(await wallet()).toEqual({ balance: 100, spend: 0, entries: 3 });
  });

  it("charges no more than there is when many charge at once", async () => {
    const { append, wallet, store, id } = await begin();
    await append(entry("credit", 105, "a"));
    const charges = Array.from({ length: 30 }, (_, index) =>
      store.atomically(id, async (tx) => {
        if ((await tx.ledger.wallet()).balance < 10) return false;
        await tx.ledger.append(entry("charge", 10, `charge ${index}`));
        return true;
      }),
    );
    expect((await Promise.all(charges)).filter(Boolean)).toHaveLength(10);
    expect(await wallet()).toEqual({ balance: 5, spend: 100, entries: 11 });
  });

  it("comes to the sum of its entries, whatever they are", async () => {
    const kinds = fc.constantFrom<LedgerEntry["kind"][]>("credit", "charge", "refund");
    const amounts = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 4e15 }));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(kinds, amounts), { maxLength: 12 }), async (moves) => {
        const { append, wallet } = await begin();
        let expected = emptyWallet;
        for (const [index, [kind, amount]] of moves.entries()) {
          const one = entry(kind, amount, `${index}`);
          const after = settled(() => walletAfter(expected, one));
          if (after === null) await expect(append(one)).rejects.toThrow();
          else expect(await append(one)).toEqual(after);
          expected = after ?? expected;
        }
        expect(await wallet()).toEqual(expected);
      }),
      { seed: 1, numRuns: 25 },
    );
  });
}

function settled<Value>(make: () => Value): Value | null {
  try {
    return make();
  } catch {
    return null;
  }
}
