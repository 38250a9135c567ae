import { monitorId } from "../../conformance/monitor/monitor.ts";
import type { Judgement } from "./judge.ts";
import type { LawfulChoice } from "./lawful-choices.ts";
import { narrow } from "./narrow.ts";
import { type NamedTrial, packTrial } from "./trials.ts";
import { tryEdits } from "./try-edits.ts";

/** Of a pack that does not hold, a smallest part that fails in the same way: in one of the same checks, or broken. */
export async function smallestPack(
  { pack, trial: { only: all, seed } }: NamedTrial,
  { checks }: Judgement,
  decided: ReadonlySet<string> | null,
): Promise<readonly LawfulChoice[]> {
  const failsUnder =
    (only: readonly string[]) =>
    async (part: readonly LawfulChoice[]): Promise<boolean> => {
      const { trial, judge } = packTrial("part of a pack", part, only, seed);
      const found = judge(await tryEdits(trial), decided);
      return (
        !found.holds &&
        (checks.length === 0 ? found.checks.length === 0 : found.checks.some((id) => checks.includes(id)))
      );
    };
  // Checks alone cost least; what the monitor saw, and what shows under load only, wants all of them.
  const alone = checks.length > 0 && !checks.includes(monitorId) && (await failsUnder(checks)(pack));
  return narrow(pack, failsUnder(alone ? checks : all));
}
