import { didYouMean } from "../../compiler/text/nearest-name.ts";
import type { Check } from "../../conformance/context/check.ts";
import { monitorId } from "../../conformance/monitor/monitor.ts";
import { areaOf } from "../../conformance/reports/rule-counts.ts";
import { rules } from "../../generated/rules.ts";
import { CannotRun } from "./cannot-run.ts";

/** Filters as the runner knows them: ids of checks or rules, or areas of either; upper and lower case do not matter. */
export function checkFilters(flag: "--only" | "--skip", given: readonly string[], checks: readonly Check[]): string[] {
  const known = new Map<string, string>();
  const ruleIds = Object.keys(rules);
  const names = [...checks.flatMap((c) => beginningsOf(c.id)), ...ruleIds.map(areaOf), ...ruleIds];
  for (const name of names) known.set(name.toLowerCase(), name);
  const exact = new Set(names);
  return given.map((name) => {
    const found = exact.has(name) ? name : known.get(name.toLowerCase());
    if (found !== undefined) return found;
    if (name === monitorId) {
      throw new CannotRun(`${flag} ${name}: The monitor watches every run.\n  Name checks, rules or areas.`);
    }
    const shown = name.slice(0, 80);
    throw new CannotRun(
      `${flag} ${shown}: This is no check, rule or area.${didYouMean(name, exact)}\n  npx bylaw rules lists the rules; --plan lists the checks.`,
    );
  });
}

/** An id with what it begins with: its area, and the name that checks of several operations share. */
const beginningsOf = (id: string): readonly string[] =>
  id.split(".").map((_, index, parts) => parts.slice(0, index + 1).join("."));
