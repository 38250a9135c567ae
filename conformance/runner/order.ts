import { type RuleId, rules } from "../../generated/rules.ts";
import type { Effect } from "../arrangements/effect.ts";
import type { Check } from "../context/check.ts";
import { bucketSize, drawnIn, totalOf } from "../context/draws.ts";
import { drawsTogether } from "./waits.ts";

/** Effects in the order in which checks that have them run. */
const effectOrder: readonly Effect[] = ["reads", "creates", "spends", "sends", "exhausts"];

const rankOf = ({ effects }: Check): number => Math.max(...effects.map((effect) => effectOrder.indexOf(effect)));

type Runs = (check: Check) => number;

/**
 * Returns the checks in the order of a run. Checks that draw on no limit come first, readers before others. Checks that
 * draw follow, those that decide most for what they draw first: if the server refuses further calls, the fewest rules
 * stay undecided. Checks that use a limit up come last, so that no other check finds its bucket empty. `runs` is null
 * if each check has an organization of its own.
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

/** Returns how much a rule counts: rules that say how a request is refused come before others. */
const weightOf = (rule: RuleId): number => (rules[rule].rows.length > 0 ? 2 : 1);

/** Returns the checks, at each place the one that adds most to the earlier ones for the time in which its draws refill. */
function byWorth(checks: readonly Check[], earlier: readonly Check[], runs: Runs): readonly Check[] {
  const decided = new Set<RuleId>(earlier.flatMap((check) => check.rules));
  const keys = new Set<string>();
  const keysOf = ({ sharedKeys = [] }: Check) =>
    sharedKeys.map((scopes) => ({ scopes, name: scopes.toSorted().join(" ") }));
  const costOf = (check: Check): number => {
    const sharedKeys = keysOf(check).flatMap(({ scopes, name }) => (keys.has(name) ? [] : [scopes]));
    return refillSecondsOf({ ...check, sharedKeys }, runs);
  };
  const worthOf = (check: Check): number => {
    const added = check.rules.filter((rule) => !decided.has(rule));
    const value = added.reduce((sum, rule) => sum + weightOf(rule), 0);
    // A check that adds no rule may still find a fault: of those the cheapest comes first.
    return value > 0 ? value / costOf(check) : 1 / (1_000_000 * (1 + costOf(check)));
  };
  const waiting = new Set(checks);
  const ordered: Check[] = [];
  while (waiting.size > 0) {
    const [next] = [...waiting].map((check) => ({ check, worth: worthOf(check) })).sort((a, b) => b.worth - a.worth);
    if (next === undefined) break;
    waiting.delete(next.check);
    ordered.push(next.check);
    for (const rule of next.check.rules) decided.add(rule);
    for (const { name } of keysOf(next.check)) keys.add(name);
  }
  return ordered;
}

/** Seconds in which the contract's limits refill what the check draws. */
const refillSecondsOf = (check: Check, runs: Runs): number =>
  drawnIn(drawsTogether([check], runs)).reduce((sum, [name, calls]) => {
    const { capacity, periodSeconds } = bucketSize(name);
    return sum + (calls * periodSeconds) / capacity;
  }, 0);
