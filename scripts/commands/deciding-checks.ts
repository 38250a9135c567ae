/** A check of the kit: its id, the rules that it decides, and the operation for which it does, if for one. */
export interface DecidingCheck {
  readonly id: string;
  readonly rules: readonly string[];
  readonly operation: string | null;
}

/** The kit's checks; null when they cannot be told, as before the first compilation. */
export async function decidingChecks(): Promise<readonly DecidingCheck[] | null> {
  try {
    const { allChecks } = await import("../../conformance/checks/all-checks.ts");
    return allChecks.map(({ id, rules, operation = null }) => ({ id, rules, operation }));
  } catch {
    // The checks import generated/, which may be missing or older than the spec.
    return null;
  }
}
