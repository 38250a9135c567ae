/** A check of the kit: its id, what it says, the rules that it decides, and the operation for which it does, if for one. */
export interface DecidingCheck {
  readonly id: string;
  readonly title: string;
  readonly rules: readonly string[];
  readonly operation: string | null;
  /** What the target must offer for it, and what it does to the target. */
  readonly needs: readonly string[];
  readonly effects: readonly string[];
  /** Whether it watches what others do, in every run. */
  readonly watches: boolean;
}

/** The kit's checks, and its monitor, which watches in every run; null when they cannot be told, as before the first compilation. */
export async function decidingChecks(): Promise<readonly DecidingCheck[] | null> {
  try {
    const { allChecks } = await import("../../conformance/checks/all-checks.ts");
    const { invariants } = await import("../../conformance/monitor/invariants.ts");
    const { monitorId } = await import("../../conformance/monitor/monitor.ts");
    const monitor: DecidingCheck = {
      id: monitorId,
      title: "Every answer of a run keeps what all have to keep",
      rules: invariants.map(({ rule }) => rule),
      ...{ operation: null, needs: [], effects: [], watches: true },
    };
    const checks = allChecks.map(({ operation = null, ...check }): DecidingCheck => {
      const { id, title, rules, needs, effects } = check;
      return { id, title, rules, operation, needs, effects, watches: false };
    });
    return [...checks, monitor];
  } catch {
    // The checks import generated/, which may be missing or older than the spec.
    return null;
  }
}
