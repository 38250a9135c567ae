import type { Choices } from "../../generated/choices.ts";
import { latestInstant } from "../domain/clock.ts";
import { retainedAt } from "../domain/events/retention.ts";
import { oneAtATime } from "../domain/one-at-a-time.ts";
import type { Organization } from "../domain/organizations/organization.ts";
import type { Store } from "../store/store.ts";

/** Runs what falls due on a manual clock up to an instant, within a bound of its own. */
export type RunDue = (organizationId: string, until: number) => Promise<{ readonly settled: boolean }>;

export interface AdvanceParts {
  readonly store: Store;
  readonly choices: Choices;
  readonly runDue: RunDue;
}

export type Advance =
  | { readonly kind: "advanced"; readonly now: number; readonly settled: boolean }
  | { readonly kind: "unknown" | "real" | "too-far" };

/**
 * Moves a manual clock, and runs on the way what falls due. The clock moves by all that was asked even when not
 * everything has run in the time that there is; the rest is still due then, and the next advance runs it.
 */
export function clockAdvance({ store, choices, runDue }: AdvanceParts) {
  // The clock stands wherever the last delivery was due while others run, so advances of one clock take turns.
  const inTurn = oneAtATime();
  return (organizationId: string, milliseconds: number): Promise<Advance> =>
    inTurn(organizationId, async () => {
      const organization = await store.organization(organizationId);
      if (organization === null) return { kind: "unknown" };
      const from = manualTime(organization);
      if (from === null) return { kind: "real" };
      const until = from + milliseconds;
      if (until > latestInstant) return { kind: "too-far" };
      const { settled } = await runDue(organizationId, until);
      if (!settled) await catchUp(organizationId, until);
      await store.retention.pruneOrganization(organizationId, retainedAt(until, choices));
      const moved = await store.organization(organizationId);
      // It may have been deleted meanwhile.
      return moved === null ? { kind: "unknown" } : { kind: "advanced", now: manualTime(moved) ?? until, settled };
    });

  /** Never back: another process may have moved it further. */
  async function catchUp(organizationId: string, until: number): Promise<void> {
    await store.atomically(organizationId, async (tx) => {
      const at = tx.organization === null ? null : manualTime(tx.organization);
      if (at !== null && at < until) await tx.moveClock(until);
    });
  }
}

function manualTime({ clock }: Organization): number | null {
  switch (clock.mode) {
    case "real":
      return null;
    case "manual":
      return clock.at;
  }
}
