import { type Need, requirementOf } from "../arrangements/all.ts";
import type { Effect } from "../arrangements/effect.ts";
import { newOrganization } from "../arrangements/fresh-organization.ts";
import { type Means, meets } from "../arrangements/offers.ts";
import { hookOf, isOfGivenOrganization } from "../arrangements/requirement.ts";
import type { Check } from "../context/check.ts";

/** What keeps a check from being run. */
export type Lack =
  | { readonly kind: "need"; readonly need: Need }
  /** The check does something for which there is no leave. */
  | { readonly kind: "effect"; readonly effect: Effect };

/** Effects that need no leave. */
export const isHarmless = (effect: Effect): boolean => effect === "reads" || effect === "creates";

/** What a check lacks first; null when it can be run. */
export function lackOf(check: Check, { target, allow }: Means): Lack | null {
  const need = check.needs.find((n) => !meets(target, n));
  if (need !== undefined) return { kind: "need", need };
  // An organization that was made for the check alone has limits and money that nobody else misses.
  const own =
    hookOf(target, newOrganization) !== null &&
    !check.needs.some((need) => isOfGivenOrganization(requirementOf(need), target));
  const allowed = (effect: Effect): boolean =>
    isHarmless(effect) ||
    allow.has(effect) ||
    target.sandbox !== null ||
    (own && (effect === "exhausts" || effect === "spends"));
  const effect = check.effects.find((e) => !allowed(e));
  return effect === undefined ? null : { kind: "effect", effect };
}
