import type { Change } from "../../compiler/diff/change.ts";

/**
 * Tells the kit's checks that decide any of some rules, for changes that are known; answers null when the kit can't be
 * read. It is read only where a change touches a rule: it takes longer to load than most comparisons take.
 */
export async function touchedChecks(
  changes: readonly Change[],
): Promise<(rules: readonly string[]) => readonly string[] | null> {
  if (changes.every(({ rules }) => rules.length === 0)) return () => [];
  const checksByRule = await readChecks();
  if (checksByRule === null) return () => null;
  return (rules) => [...new Set(rules.flatMap((rule) => checksByRule.get(rule) ?? []))].sort();
}

async function readChecks(): Promise<ReadonlyMap<string, readonly string[]> | null> {
  try {
    const { allChecks } = await import("../../conformance/checks/all-checks.ts");
    const found = new Map<string, string[]>();
    for (const { id, rules } of allChecks) {
      for (const rule of rules) found.set(rule, [...(found.get(rule) ?? []), id]);
    }
    return found;
  } catch {
    // The checks import generated/, which may be missing or older than the spec.
    return null;
  }
}
