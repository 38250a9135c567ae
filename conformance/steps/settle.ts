import type { ErrorRowName } from "../../generated/error-rows.ts";
import { bounds } from "../../generated/limits.ts";
import type { OrganizationState } from "../../generated/models/sandbox-organizations.ts";
import { organizationState } from "../arrangements/organization-state.ts";
import type { CheckContext } from "../context/context.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { pause } from "../liveness/deadline.ts";
import type { Credential, Tenant } from "../provision/tenant.ts";
import { answeredBy } from "./answered-by.ts";
import { type AttemptRecord, type Feed, readFeed } from "./feed.ts";

/** As many on a page as there may be, for fewer calls. */
const limit = String(bounds.deliveryPageMax);

/** Has deliveries that are due made: at once where the kit moves the clock; where time runs they make themselves. */
export async function settle(tenant: Tenant): Promise<void> {
  if (tenant.manualClock) await tenant.advance(0, "deliveries that are due");
}

/** What the organization has once what is due has been done. */
export async function settledState(tenant: Tenant): Promise<OrganizationState> {
  const state = await tenant.arrange(organizationState, {});
  if (!tenant.manualClock || state.settled === true) return state;
  await settle(tenant);
  return tenant.arrange(organizationState, {});
}

/**
 * Looks until `look` finds something, for as long as the target was given to show an effect, and has deliveries made
 * meanwhile. Null when it found nothing in that time.
 */
export const eventually = <T>(
  t: CheckContext,
  tenant: Tenant,
  look: () => Promise<T | null> | T | null,
): Promise<T | null> =>
  polled(t, async () => {
    await settle(tenant);
    return look();
  });

/** Seconds by which a clock is moved on between looks, a little at first and more later: more than an hour in all. */
const onwards: readonly number[] = [1, 4, 10, 15, 30, 60, 180, 300, 1200, 1800];

/**
 * The same for what may take the organization's time, and not the world's alone: where the kit moves its clock, it does
 * so between looks.
 *
 * @param awaited What is waited for, such as "a number to be assigned".
 */
export function eventuallyByClock<T>(
  t: CheckContext,
  tenant: Tenant,
  awaited: string,
  look: () => Promise<T | null>,
): Promise<T | null> {
  const steps = onwards.values();
  let seconds = 0;
  return polled(t, async () => {
    if (tenant.manualClock) await tenant.advance(seconds, awaited);
    seconds = steps.next().value ?? 0;
    return look();
  });
}

/** The same as `eventually` for what the state of the organization shows. */
export const eventuallyInState = <T>(
  t: CheckContext,
  tenant: Tenant,
  look: (state: OrganizationState) => T | null,
): Promise<T | null> => polled(t, async () => look(await settledState(tenant)));

/** What a call is answered once that is no longer this row: what was done before may take effect a moment later. */
export async function onceNot(
  t: CheckContext,
  tenant: Tenant,
  row: ErrorRowName,
  call: () => Promise<Exchange>,
): Promise<Exchange> {
  let last = await call();
  if (!answeredBy(last, row)) return last;
  await eventually(t, tenant, async () => {
    last = await call();
    return answeredBy(last, row) ? null : true;
  });
  return last;
}

/** What a read is answered once it finds something: reads may lag behind what was made. */
export const onceFound = (t: CheckContext, tenant: Tenant, read: () => Promise<Exchange>): Promise<Exchange> =>
  onceNot(t, tenant, "NotFound", read);

async function polled<T>(t: CheckContext, look: () => Promise<T | null>): Promise<T | null> {
  const { pollInterval, pollTimeout } = t.timing;
  const begun = Date.now();
  for (;;) {
    const found = await look();
    const waited = Date.now() - begun;
    if (found !== null || waited >= pollTimeout) return found;
    // What takes long is asked for less often, and noticed at most a tenth later.
    await pause(Math.max(pollInterval, Math.min(waited / 10, pollTimeout - waited)));
  }
}

/** What the feed shows of one endpoint once there are so many attempts, or as many as came in time; newest first. */
export async function attemptsAt(
  t: CheckContext,
  { id, owner }: { readonly id: string; readonly owner: Credential },
  wanted: number | ((records: readonly AttemptRecord[]) => boolean),
): Promise<Feed & { readonly enough: boolean }> {
  const isEnough = typeof wanted === "number" ? (r: readonly AttemptRecord[]) => r.length >= wanted : wanted;
  let last: Feed = { records: [], pages: [] };
  const enough = await eventually(t, owner.tenant, async () => {
    const { records, pages } = await readFeed(t, owner, { query: { endpoint_id: id, limit } });
    last = { records: records.filter(({ endpoint_id }) => isSameId(endpoint_id, id)), pages };
    return isEnough(last.records) ? last : null;
  });
  return { ...(enough ?? last), enough: enough !== null };
}

/** A UUID may be written in either case (RFC 9562, 4). */
export const isSameId = (one: unknown, other: unknown): boolean =>
  typeof one === "string" && typeof other === "string" && one.toLowerCase() === other.toLowerCase();
