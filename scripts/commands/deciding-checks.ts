/** A check of the kit: its id, what it says, the rules that it decides, and the operation for which it does, if for one. */
export interface DecidingCheck {
  readonly id: string;
  readonly title: string;
  readonly rules: readonly string[];
  readonly operation: string | null;
  /** What the target must offer for it, and what it does to the target. */
  readonly needs: readonly string[];
  readonly effects: readonly string[];
}

/** The kit's checks; null when they cannot be told, as before the first compilation. */
export async function decidingChecks(): Promise<readonly DecidingCheck[] | null> {
  try {
    const { allChecks } = await import("../../conformance/checks/all-checks.ts");
    return allChecks.map(({ operation = null, ...check }) => {
      const { id, title, rules, needs, effects } = check;
      return { id, title, rules, operation, needs, effects };
    });
  } catch {
    // The checks import generated/, which may be missing or older than the spec.
    return null;
  }
}
