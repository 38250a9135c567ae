import type { Tenant } from "../provision/tenant.ts";

/** Seconds: what a server keeps for an hour, a day or a month is gone after one of them. */
const spans = [2 * 3600, 2 * 86_400, 40 * 86_400] as const;

/**
 * Looks again and again at what was set and has no end, each time longer after. Does nothing where the kit does not move
 * the organization's clock.
 *
 * @param kept What is looked at, such as "a timezone".
 */
export async function asTimePasses(
  tenant: Pick<Tenant, "manualClock" | "advance">,
  kept: string,
  look: () => Promise<unknown>,
): Promise<void> {
  if (!tenant.manualClock) return;
  for (const seconds of spans) {
    await tenant.advance(seconds, `${kept} that was set a while ago`);
    await look();
  }
}
