import type { OrganizationState } from "../../generated/models/sandbox-organizations.ts";
import { organizationState } from "../arrangements/organization-state.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Tenant } from "../provision/tenant.ts";
import { settle } from "./settle.ts";

/** What an organization was before and after a request. */
export interface Effect {
  readonly exchange: Exchange;
  readonly before: OrganizationState;
  readonly after: OrganizationState;
}

/** Times that a request is sent which seems to have an effect. */
const patience = 3;

/**
 * Sends a request that should change nothing in the organization. Where something changed it is sent again, and again, as
 * deliveries that fall due meanwhile change an organization too: what a request does itself shows every time. Blocks
 * where the target does not tell the state.
 */
export async function effectOf(tenant: Tenant, send: () => Promise<Exchange>): Promise<Effect> {
  for (let tries = 1; ; tries += 1) {
    await settle(tenant);
    const before = await tenant.arrange(organizationState, {});
    const exchange = await send();
    const after = await tenant.arrange(organizationState, {});
    const isUnchanged = before.digest === after.digest && before.wallet_micros === after.wallet_micros;
    if (isUnchanged || tries === patience) return { exchange, before, after };
  }
}
