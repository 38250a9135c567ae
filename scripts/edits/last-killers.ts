import { readFileSync } from "node:fs";
import { join } from "node:path";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import { mutants } from "../../reference-server/edits/mutants.ts";
import { seenByMonitor } from "./trial.ts";

/**
 * By mutant, the check that found it when the matrix was last written, or that check for each operation, or the one in
 * whose course the monitor did: it is tried first.
 * Where several did, one that finds the fewest other mutants of the rule, so that as many checks as can be are seen to
 * fail. Nothing for a mutant that no check has found, nor where it is no longer there.
 */
export function lastKillers(
  matrix = readFileSync(join(import.meta.dirname, "../../conformance/MATRIX.md"), "utf8"),
): ReadonlyMap<string, readonly string[]> {
  const killed = new Map([...matrix.matchAll(/`([\w-]+)` ✔ ([^<|]+)/g)].map(([, id, by = ""]) => [id, by.trim()]));
  const killers = new Map<string, readonly string[]>();
  const times = new Map<string, number>();
  for (const { id, breaks, at } of mutants) {
    const own = allChecks.filter(
      (check) => check.rules.includes(breaks) && (at === undefined || check.operation === at),
    );
    const found = (killed.get(id) ?? "").split(", ").flatMap((name) => {
      const watched = allChecks.find((check) => name === seenByMonitor(check.id));
      if (watched !== undefined) return [[watched.id]];
      const [family] = name.split(" (");
      const checks = own.filter((check) => check.id === name || check.id === `${family}.${check.operation}`);
      return checks.length > 0 ? [checks.map((check) => check.id)] : [];
    });
    const keyOf = (checks: readonly string[]): string => [breaks, ...checks].join(" ");
    const timesOf = (checks: readonly string[]): number => times.get(keyOf(checks)) ?? 0;
    const [first] = found.toSorted((one, other) => timesOf(one) - timesOf(other));
    if (first === undefined) continue;
    killers.set(id, first);
    times.set(keyOf(first), timesOf(first) + 1);
  }
  return killers;
}
