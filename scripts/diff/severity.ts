import type { Verdict } from "../../compiler/diff/change.ts";
import { gravity } from "../../compiler/diff/change.ts";
import { type ChangeId, changeIds, changeTable } from "../../compiler/diff/change-table.ts";
import { didYouMean } from "../../compiler/text/nearest-name.ts";
import { CannotRun } from "../commands/cannot-run.ts";
import type { SeverityOverride } from "./accepted-changes.ts";

export const verdicts: readonly Verdict[] = ["breaking", "risky", "safe"];

export const verdictNamed = (name: string): Verdict | null => verdicts.find((verdict) => verdict === name) ?? null;

/** Whether a verdict is milder than the one that changes with the id have by themselves. */
export const isLowered = (id: ChangeId, verdict: Verdict): boolean =>
  gravity[verdict] > gravity[changeTable[id].verdict];

/** The override that `--severity id=verdict` means. */
export function severityFromFlag(flag: string): SeverityOverride {
  const where = `--severity ${flag.slice(0, 200)}`;
  const [name = "", level = "", ...rest] = flag.split("=");
  const id = changeIds.find((known) => known === name);
  const verdict = verdictNamed(level);
  if (rest.length > 0 || level === "") {
    throw new CannotRun(`${where}: This is not of the form ID=VERDICT.\n  Write, for example, rule-added=breaking.`);
  }
  if (id === undefined) {
    throw new CannotRun(
      `${where}: "${name.slice(0, 80)}" is no id of a change.${didYouMean(name, changeIds)}\n  Copy the id from the report.`,
    );
  }
  if (verdict === null) {
    throw new CannotRun(`${where}: "${level.slice(0, 80)}" is no verdict.\n  Write breaking, risky or safe.`);
  }
  if (changeTable[id].verdict === "breaking" && isLowered(id, verdict)) {
    throw new CannotRun(
      `${where}: A breaking change is lowered only with a reason, and a flag holds none.\n  Write it into the file of accepted changes:\n    severities:\n      - id: ${id}\n        verdict: ${verdict}\n        reason: why this breaks nobody`,
    );
  }
  return { id, verdict, reason: null, where };
}
