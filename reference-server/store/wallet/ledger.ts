import type { Kysely } from "kysely";
import { emptyWallet, type Wallet, walletAfter } from "../../domain/wallet/wallet.ts";
import type { Tables } from "../tables.ts";
import type { Ledger } from "../unit-of-work.ts";

/** An organization's money. Whoever calls holds the organization, so that entries come one after the other. */
export const ledgerOf = (db: Kysely<Tables>, organizationId: string): Ledger => ({
  wallet: () => walletOf(db, organizationId),

  async append(entry) {
    const after = walletAfter(await walletOf(db, organizationId), entry);
    const { kind, amount, reference, at } = entry;
    const { balance, spend, entries: position } = after;
    await db
      .insertInto("ledger_entries")
      .values({ organization_id: organizationId, position, kind, amount, reference, at, balance, spend })
      .execute();
    return after;
  },
});

/** What the last entry tells: each says what all until then come to. */
export async function walletOf(db: Kysely<Tables>, organizationId: string): Promise<Wallet> {
  const last = await db
    .selectFrom("ledger_entries")
    .select(["position", "balance", "spend"])
    .where("organization_id", "=", organizationId)
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst();
  return last ? { balance: last.balance, spend: last.spend, entries: last.position } : emptyWallet;
}
