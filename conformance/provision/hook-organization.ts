import { deleteOrganization, newOrganization } from "../arrangements/fresh-organization.ts";
import { advance } from "../arrangements/manual-clock.ts";
import type { HookCaller } from "../hooks/hook-caller.ts";
import { hookBlocked } from "../hooks/run-hook.ts";
import { tokenDefect } from "../target/credential.ts";
import type { TenantWish } from "./tenant.ts";

/** Whose time it is: `manual` stands still and moves only through the hook, `real` runs by itself. */
export type Clock = "manual" | "real";

/** An organization that a hook created. */
export interface HookOrganization {
  readonly id: string;
  readonly key: string;
  /** Of the key; null when the hook did not tell. */
  readonly scopes: readonly string[] | null;
  readonly clock: Clock;
}

/** What an organization is asked to be like besides its clock. */
export type Settings = Omit<TenantWish, "clock">;

/** Has a hook create an organization, with that clock where it can. */
export async function createOrganization(
  hooks: HookCaller,
  wanted: Clock,
  settings: Settings,
): Promise<HookOrganization> {
  const { id, key, scopes, clock } = await hooks.ask(
    newOrganization,
    { clock: wanted, settings },
    { outlastsCheck: true },
  );
  if (typeof id !== "string" || typeof key !== "string" || tokenDefect(key) !== null) {
    throw hookBlocked(newOrganization.name, "its answer has no key that an Authorization header can hold");
  }
  return { id, key, scopes: textsIn(scopes), clock: clockIn(clock) ?? (await clockOf(hooks, id)) };
}

/** Has a hook delete an organization that one created, with all that it has. */
export async function removeOrganization(hooks: HookCaller, id: string): Promise<void> {
  await hooks.ask(deleteOrganization, { organization_id: id }, { outlastsCheck: true });
}

/** Whose time an organization lives by; null for the one whose key was given. */
export const clockOf = async (hooks: HookCaller, organizationId: string | null): Promise<Clock> =>
  hooks.has(advance) ? moveClock(hooks, 0, organizationId) : "real";

/** Moves an organization's time by seconds, and tells whose it is. */
export async function moveClock(hooks: HookCaller, seconds: number, organizationId: string | null): Promise<Clock> {
  const { clock } = await hooks.ask(advance, { seconds, organization_id: organizationId });
  return clockIn(clock) ?? "real";
}

const textsIn = (value: unknown): readonly string[] | null =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : null;

const clockIn = (clock: unknown): Clock | null => (clock === "manual" || clock === "real" ? clock : null);
