import { refuse } from "../../generated/error-rows.ts";
import { buckets } from "../../generated/limits.ts";
import type { OrganizationRequest, OutageKind } from "../../generated/models/sandbox-organizations.ts";
import { operationList } from "../../generated/operations.ts";
import { scopes } from "../../generated/scopes.ts";
import { earliestInstant, latestInstant, type OrganizationClock, timestamp } from "../domain/clock.ts";
import { type LimitSize, largestCapacity, longestPeriodSeconds } from "../domain/limits/draw.ts";
import {
  finestGranularityOf,
  hasPlan,
  isDormant,
  leastTopUpOf,
  noOutages,
  type Organization,
  plans,
  usualPlan,
} from "../domain/organizations/organization.ts";
import type { QuietHours } from "../domain/quiet-hours/quiet-hours.ts";
import type { World } from "../domain/world.ts";

const outages: readonly OutageKind[] = ["unhandled_error", "lookup", "billing_portal"];

/** What this sandbox can arrange: of the buckets those that an operation draws from. */
export const arrangeable = {
  plans,
  buckets: Object.keys(buckets).filter((name) =>
    operationList.some(({ draws }) => draws.some(({ bucket }) => bucket === name)),
  ),
  scopes,
  outages,
};

/** The organization that was asked for, or why it cannot be made. */
export function newOrganization(request: OrganizationRequest, world: Pick<World, "now" | "newId">) {
  const planFaults = planFaultsOf(request);
  if (Object.keys(planFaults).length > 0)
    return refuse.InvalidArrangement("The organization cannot be made.", planFaults);
  const plan = request.plan ?? planOf(request);
  if (plan === null)
    return refuse.UnknownArrangement("There is no such plan.", {
      finest_granularity: "must be the finest granularity of a plan that has the other wanted terms too",
    });
  if (!plans.some((known) => known === plan))
    return refuse.UnknownArrangement("There is no such plan.", { plan: `must be one of ${plans.join(", ")}` });
  const unknown = Object.keys(request.limits ?? {}).find((name) => !arrangeable.buckets.includes(name));
  if (unknown !== undefined)
    return refuse.UnknownArrangement("There is no such bucket.", {
      limits: `must name buckets out of ${arrangeable.buckets.join(", ")}`,
    });
  const faults = { ...limitFaults(request.limits), ...clockFaults(request), ...quietHoursFaults(request.quiet_hours) };
  if (Object.keys(faults).length > 0) return refuse.InvalidArrangement("The organization cannot be made.", faults);
  return organization(request, plan, world);
}

/** The plan where none is named; null where none is as wanted. */
function planOf(request: OrganizationRequest): string | null {
  const { dormant_plan: dormant, no_plan: none, min_topup_cents: least, finest_granularity: finest } = request;
  const isMeant = (plan: string): boolean =>
    none ? !hasPlan(plan) : dormant ? isDormant(plan) : typeof least !== "number" || leastTopUpOf(plan) !== null;
  const meant = plans.filter(isMeant);
  if (finest === undefined) return meant[0] ?? usualPlan;
  return meant.find((plan) => finestGranularityOf(plan) === finest) ?? null;
}

/** Whatever stands in place of a plan that is named, or of another such thing. */
function planFaultsOf(request: OrganizationRequest): Record<string, string> {
  const { plan, dormant_plan, no_plan, min_topup_cents, finest_granularity } = request;
  return {
    ...(finest_granularity !== undefined && plan !== undefined
      ? { finest_granularity: "stands in place of a plan" }
      : {}),
    ...(dormant_plan && plan !== undefined ? { dormant_plan: "stands in place of a plan" } : {}),
    ...(no_plan && (plan !== undefined || dormant_plan) ? { no_plan: "stands in place of a plan" } : {}),
    ...(no_plan && min_topup_cents !== undefined ? { min_topup_cents: "is a plan's" } : {}),
  };
}

/** A value that the validator has filled in with the contract's default when the request left it out. */
export function filled<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`The contract gives ${name} no default.`);
  return value;
}

function organization(request: OrganizationRequest, plan: string, world: Pick<World, "now" | "newId">): Organization {
  return {
    id: world.newId(),
    plan,
    minTopUpCents: request.min_topup_cents === undefined ? leastTopUpOf(plan) : request.min_topup_cents,
    autoTopUp: null,
    kind: filled(request.kind, "kind"),
    isReseller: filled(request.is_reseller, "is_reseller"),
    clock: clockOf(request, world.now()),
    limits: sizesOf(request.limits),
    quietHours: quietHoursOf(request.quiet_hours),
    outages: noOutages,
  };
}

function quietHoursOf(request: OrganizationRequest["quiet_hours"]): QuietHours | null {
  if (request === undefined) return null;
  const { mode, start, end } = request;
  return { mode, start: filled(start, "start"), end: filled(end, "end") };
}

function clockOf(request: OrganizationRequest, worldNow: number): OrganizationClock {
  const mode = filled(request.clock, "clock");
  switch (mode) {
    case "real":
      return { mode };
    case "manual":
      return { mode, at: request.starts_at === undefined ? worldNow : Date.parse(request.starts_at) };
  }
}

function clockFaults({ clock, starts_at: start }: OrganizationRequest): Record<string, string> {
  if (start === undefined) return {};
  if (clock !== "manual") return { starts_at: "is for a manual clock" };
  const at = Date.parse(start);
  if (at >= earliestInstant && at <= latestInstant) return {};
  return { starts_at: `must lie between ${timestamp(earliestInstant)} and ${timestamp(latestInstant)}` };
}

function quietHoursFaults(request: OrganizationRequest["quiet_hours"]): Record<string, string> {
  return request !== undefined && request.start === request.end
    ? { "quiet_hours.end": "must be another time than the start" }
    : {};
}

function limitFaults(limits: OrganizationRequest["limits"]): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const [name, { capacity, period_seconds: period }] of Object.entries(limits ?? {})) {
    if (capacity > largestCapacity) faults[`limits.${name}.capacity`] = `must be at most ${largestCapacity}`;
    if (period > longestPeriodSeconds)
      faults[`limits.${name}.period_seconds`] = `must be at most ${longestPeriodSeconds}`;
  }
  return faults;
}

function sizesOf(limits: OrganizationRequest["limits"]): Readonly<Record<string, LimitSize>> {
  return Object.fromEntries(
    Object.entries(limits ?? {}).map(([name, { capacity, period_seconds: periodSeconds }]) => [
      name,
      { capacity, periodSeconds },
    ]),
  );
}
