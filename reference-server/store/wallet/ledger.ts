import { emptyWallet, type Wallet, walletAfter } from "../../domain/wallet/wallet.ts";
import { columns } from "../columns.ts";
import { type Connection, type Given, insertion, statement } from "../engine/statement.ts";
import type { Ledger } from "../unit-of-work.ts";

const insertEntries = insertion("ledger_entries", columns.ledger_entries);

const selectLast = statement((db, given: Given<{ readonly organizationId: string }>) =>
  db
    .selectFrom("ledger_entries")
    .select(["position", "balance", "spend"])
    .where("organization_id", "=", given("organizationId"))
    .orderBy("position", "desc")
    .limit(1),
);

/** An organization's money. Whoever calls holds the organization, so that entries come one after the other. */
export const ledgerOf = (on: Connection, organizationId: string): Ledger => ({
  wallet: () => walletOf(on, organizationId),

  async append(entry) {
    const after = walletAfter(await walletOf(on, organizationId), entry);
    const { kind, amount, reference, at } = entry;
    const { balance, spend, entries: position } = after;
    const row = { organization_id: organizationId, position, kind, amount, reference, at, balance, spend };
    await insertEntries.run(on, { rows: [row] });
    return after;
  },
});

/** What the last entry tells: each says what all until then come to. */
export async function walletOf(on: Connection, organizationId: string): Promise<Wallet> {
  const last = await selectLast.first(on, { organizationId });
  return last ? { balance: last.balance, spend: last.spend, entries: last.position } : emptyWallet;
}
