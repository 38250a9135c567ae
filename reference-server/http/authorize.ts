import { constants } from "../../generated/constants.ts";
import { refuse } from "../../generated/error-rows.ts";
import type { Refusal } from "../../generated/runtime/refusal.ts";
import { type Caller, holds, isStaff } from "../domain/organizations/caller.ts";
import { isDormant } from "../domain/organizations/organization.ts";
import type { Store } from "../store/store.ts";
import { setCaller } from "./authenticate.ts";
import { callerOf, type Exchange, routeOf, type Step } from "./exchange.ts";

const targetHeader = constants.targetOrganizationHeader.toLowerCase();

/** Staff act in the organization that the header names; for anyone else the header itself is refused. */
export function platformHeader(store: Store): Step<Caller> {
  return function platformHeader(exchange) {
    const target = exchange.request.headers[targetHeader];
    if (target === undefined) return null;
    return actIn(String(target), exchange);
  };

  async function actIn(target: string, exchange: Exchange<Caller>): Promise<Refusal | null> {
    const caller = callerOf(exchange);
    if (caller.kind !== "session" || !caller.staff)
      return refuse.PlatformRequired(
        `Only platform staff may send ${constants.targetOrganizationHeader}. Leave the header out.`,
      );
    const organization = await store.organization(target);
    if (organization === null) return refuse.NotFound(`${constants.targetOrganizationHeader} names no organization.`);
    setCaller(exchange, { ...caller, organization });
    return null;
  }
}

/** Some operations are for signed-in users only, and some of those for staff only. */
export const userRequired: Step<Caller> = function userRequired(exchange) {
  const caller = callerOf(exchange);
  switch (routeOf(exchange).operation.caller) {
    case "key-or-session":
      return null;
    case "session":
      return caller.kind === "session" ? null : refuse.UserRequired("Only a signed-in user may do this.");
    case "staff":
      return isStaff(caller) ? null : refuse.PlatformRequired("Only platform staff may do this.");
    case "sandbox-token":
      throw new Error("An operation of the sandbox runs on the way of the messaging API.");
  }
};

/** 403 unless the caller holds the operation's scope. */
export const scope: Step<Caller> = function scope(exchange) {
  const wanted = routeOf(exchange).operation.scope;
  if (wanted === null || holds(callerOf(exchange), wanted)) return null;
  return refuse.Forbidden(`This needs the scope ${wanted}, which you do not hold.`);
};

/** 403 where the organization's plan is below the floor of an operation that has one. */
export const planFloor: Step<Caller> = function planFloor(exchange) {
  const { operation } = routeOf(exchange);
  const hasFloor = operation.shortages.includes("plan");
  if (!hasFloor || !isDormant(callerOf(exchange).organization.plan)) return null;
  return refuse.PlanRequired(
    "The organization's plan does not include this. Have recipients confirm by double opt-in or on the hosted form.",
  );
};
