import { freshOrganization } from "../arrangements/fresh-organization.ts";
import type { Check } from "../context/check.ts";
import { totalOf } from "../context/draws.ts";
import type { Target } from "../target/target.ts";
import { drawsTogether, waitSecondsOf } from "./waits.ts";

/** What of some checks a run has time for. */
export interface Schedule {
  /** Checks for whose calls limits refill within the time that the run may wait. */
  readonly fitting: ReadonlySet<Check>;
  /** Seconds of waiting that all of them together may ask for. */
  readonly waitSeconds: number;
}

/**
 * Gives checks that share an organization what its limits leave them, before anything is sent, as long as it can be waited
 * for: first to those that decide most for what they draw. So no check lives on what another one happened to leave, and
 * the order in which they are run decides nothing.
 */
export function scheduleOf(checks: readonly Check[], target: Target, runs: (check: Check) => number): Schedule {
  const waitSeconds = waitSecondsOf(checks, target, runs);
  // Who has an organization for each check has its limits for that check too.
  if (waitSeconds <= target.timing.maxWait || freshOrganization.isMet(target)) {
    return { fitting: new Set(checks), waitSeconds };
  }
  const fitting: Check[] = [];
  const decided = new Set<string>();
  const known = new Set<string>();
  /** Rules that it would decide besides, for each call; what draws nothing comes before all others. */
  const worth = (check: Check): number => {
    const newKeys = (check.sharedKeys ?? []).filter((scopes) => !known.has(scopes.join(" "))).length;
    const drawn = totalOf(drawsTogether([{ ...check, sharedKeys: [] }], runs)) + newKeys;
    const rules = check.rules.filter((rule) => !decided.has(rule)).length;
    return drawn === 0 ? Number.MAX_SAFE_INTEGER : rules / drawn;
  };
  const waiting = new Set(checks);
  while (waiting.size > 0) {
    const [next] = [...waiting].map((check) => ({ check, worth: worth(check) })).sort((a, b) => b.worth - a.worth);
    if (next === undefined) break;
    const { check } = next;
    waiting.delete(check);
    if (waitSecondsOf([...fitting, check], target, runs) > target.timing.maxWait) continue;
    fitting.push(check);
    for (const rule of check.rules) decided.add(rule);
    for (const scopes of check.sharedKeys ?? []) known.add(scopes.join(" "));
  }
  return { fitting: new Set(fitting), waitSeconds };
}
