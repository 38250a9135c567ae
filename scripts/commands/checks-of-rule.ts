/** Ids of the kit's checks that decide a rule; null when they cannot be told, as before the first compilation. */
export async function checksOfRule(ruleId: string): Promise<readonly string[] | null> {
  try {
    const { allChecks } = await import("../../conformance/checks/all-checks.ts");
    return allChecks.filter((check) => check.rules.some((id) => id === ruleId)).map((check) => check.id);
  } catch {
    // The checks import generated/, which may be missing or older than the spec.
    return null;
  }
}
