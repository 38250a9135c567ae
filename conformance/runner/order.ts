import { type RuleId, rules } from "../../generated/rules.ts";
import type { Effect } from "../arrangements/effect.ts";
import type { Check } from "../context/check.ts";
import { bucketSize, type Draws, drawnIn, totalOf } from "../context/draws.ts";
import { drawsTogether, keyDraws } from "./waits.ts";

/** Effects in the order in which checks that have them run. */
const effectOrder: readonly Effect[] = ["reads", "creates", "spends", "sends", "exhausts"];

const rankOf = ({ effects }: Check): number => Math.max(...effects.map((effect) => effectOrder.indexOf(effect)));

type Runs = (check: Check) => number;

/**
 * Returns the checks in the order of a run. Checks that consume no limit come first, readers before others. Checks that
 * consume limits follow. Among them, those that test most rules for each unit come first: if the server refuses further
 * calls, the fewest rules stay untested. Checks that exhaust a limit come last, so that no other check finds its bucket
 * empty. `runs` is null if each check has its own organization.
 */
export function inOrder(checks: readonly Check[], runs: Runs | null): readonly Check[] {
  const byRank = checks.toSorted((a, b) => rankOf(a) - rankOf(b));
  if (runs === null) return byRank;
  const isFree = (check: Check): boolean => totalOf(drawsTogether([check], runs)) === 0;
  const isLast = ({ effects }: Check): boolean => effects.includes("exhausts");
  const free = byRank.filter((check) => isFree(check) && !isLast(check));
  const drawing = byRank.filter((check) => !isFree(check) && !isLast(check));
  return [...free, ...byWorth(drawing, free, runs), ...byRank.filter(isLast)];
}

/** Returns the weight of a rule: rules about refusals count more than others. */
const weightOf = (rule: RuleId): number => (rules[rule].rows.length > 0 ? 2 : 1);

/** Returns the checks by what each one adds to the earlier ones for the refill time of its draws, the most first. */
function byWorth(checks: readonly Check[], earlier: readonly Check[], runs: Runs): readonly Check[] {
  const decided = new Set<RuleId>(earlier.flatMap((check) => check.rules));
  const keys = new Set<string>();
  const waiting = new Map(
    checks.map((check) => [
      check,
      {
        ownSeconds: refillSecondsOf(drawsTogether([{ ...check, sharedKeys: [] }], runs)),
        keys: (check.sharedKeys ?? []).map((scopes) => scopes.toSorted().join(" ")),
      },
    ]),
  );
  const ordered: Check[] = [];
  while (waiting.size > 0) {
    let best: { readonly check: Check; readonly worth: number } | null = null;
    for (const [check, drawn] of waiting) {
      const newKeys = drawn.keys.filter((key) => !keys.has(key)).length;
      const worth = worthOf(check.rules, decided, drawn.ownSeconds + newKeys * secondsPerKey);
      if (best === null || worth > best.worth) best = { check, worth };
    }
    if (best === null) break;
    for (const rule of best.check.rules) decided.add(rule);
    for (const key of waiting.get(best.check)?.keys ?? []) keys.add(key);
    waiting.delete(best.check);
    ordered.push(best.check);
  }
  return ordered;
}

/** Returns the worth of a check for each second. The cheapest comes first of those that add no rule, but may find a fault. */
function worthOf(checked: readonly RuleId[], decided: ReadonlySet<RuleId>, seconds: number): number {
  const value = checked.reduce((sum, rule) => (decided.has(rule) ? sum : sum + weightOf(rule)), 0);
  if (value === 0) return 1 / (1_000_000 * (1 + seconds));
  return seconds === 0 ? Number.MAX_SAFE_INTEGER : value / seconds;
}

/** Seconds in which the contract's limits refill the draws. */
const refillSecondsOf = (draws: Draws): number =>
  drawnIn(draws).reduce((sum, [name, calls]) => {
    const { capacity, periodSeconds } = bucketSize(name);
    return sum + (calls * periodSeconds) / capacity;
  }, 0);

const secondsPerKey = refillSecondsOf(keyDraws(1));
