import type { OrganizationState } from "../../generated/models/sandbox-organizations.ts";
import { organizationState } from "../arrangements/organization-state.ts";
import type { CheckContext } from "../context/context.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Tenant } from "../provision/tenant.ts";
import { eventually, settle } from "./settle.ts";

/** What an organization was before and after a request. */
export interface Effect {
  readonly exchange: Exchange;
  readonly before: OrganizationState;
  readonly after: OrganizationState;
}

/** Times that a request is sent which seems to have an effect. */
const patience = 3;

/** Looks in a row that show the same of an organization at rest. */
const looksAtRest = 4;

/**
 * Sends a request that should change nothing in the organization. Where something changed it is sent again, and again,
 * each time when the organization is at rest: what was done before may still have its effects, and deliveries fall due;
 * what a request does itself shows every time. Blocks where the target does not tell the state.
 */
export async function effectOf(t: CheckContext, tenant: Tenant, send: () => Promise<Exchange>): Promise<Effect> {
  for (let tries = 1; ; tries += 1) {
    await settle(tenant);
    const before = await tenant.arrange(organizationState, {});
    const exchange = await send();
    const after = await tenant.arrange(organizationState, {});
    if (stateText(before) === stateText(after) || tries === patience) return { exchange, before, after };
    await untilAtRest(t, tenant);
  }
}

/** Waits until the organization stays the same for a while. */
export async function untilAtRest(t: CheckContext, tenant: Tenant): Promise<void> {
  let last: string | null = null;
  let looks = 0;
  await eventually(t, tenant, async () => {
    const state = stateText(await tenant.arrange(organizationState, {}));
    looks = state === last ? looks + 1 : 1;
    last = state;
    return looks >= looksAtRest ? true : null;
  });
}

/** All that an organization has, in one text. */
export const stateText = ({ digest, wallet_micros }: OrganizationState): string => `${digest} ${wallet_micros}`;
