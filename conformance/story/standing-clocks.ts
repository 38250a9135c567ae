import { objectOf } from "../exchange/exchange.ts";
import { organizationIn } from "./caller-organizations.ts";
import type { ToldStep } from "./step.ts";
import { ownersOf } from "./step-owners.ts";

/** The time of its organization at each call of the API, where that stands still until the sandbox moves it. */
export function standingClocks(steps: readonly ToldStep[]): ReadonlyMap<ToldStep, string> {
  const ownerOf = ownersOf(steps);
  /** By the step that made an organization, and by its id. */
  const clocks = new Map<unknown, string>();
  const makers = new Map<string, ToldStep>();
  const told = new Map<ToldStep, string>();
  for (const step of steps) {
    if (step.through === "api") {
      const now = clocks.get(ownerOf(step));
      if (now !== undefined) told.set(step, now);
      continue;
    }
    const data = step.outcome?.kind === "response" ? objectOf(objectOf(step.outcome.json)?.data) : null;
    if (typeof data?.now !== "string") continue;
    if (data.clock === "manual" && typeof data.id === "string") makers.set(data.id, step);
    const maker = makers.get(organizationIn(step) ?? String(data.id));
    if (maker !== undefined) clocks.set(maker, data.now);
  }
  return told;
}
