import type { Caller } from "../domain/organizations/caller.ts";
import { followsSpend } from "../domain/tiers/limit-size.ts";
import { emptyWallet, type Wallet } from "../domain/wallet/wallet.ts";
import type { Store } from "../store/store.ts";
import { callerOf, type Exchange, routeOf } from "./exchange.ts";

/** The caller's wallet where a limit of the operation follows what was spent; an empty one where none does. */
export async function walletFor(store: Store, exchange: Exchange<Caller>): Promise<Wallet> {
  const { organization } = callerOf(exchange);
  const asked = routeOf(exchange).operation.draws.some(({ bucket }) => followsSpend(bucket, organization));
  return asked ? store.wallet(organization.id) : emptyWallet;
}
