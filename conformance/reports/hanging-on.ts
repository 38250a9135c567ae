import type { ToldFinding } from "../outcome/verdict.ts";
import type { RuleResult, RunResult } from "../runner/run-result.ts";
import { cameText, deviationOf } from "./deviation.ts";

/**
 * Tells of a rule that was not decided what to mend first, where that is a broken rule which nothing named: what stood in its
 * way is what that one was answered with, or it waits for one that holds, as of whatever else is broken the only one.
 */
export function hangingOn({ rules }: RunResult): (undecided: RuleResult) => string | null {
  const broken = rules.flatMap(({ id, verdict, findings }) =>
    verdict === "fail"
      ? findings.filter((finding) => finding.verdict === "fail").map((finding) => ({ id, finding }))
      : [],
  );
  const verdicts = new Map(rules.map(({ id, verdict }) => [id, verdict]));
  return ({ id: own, message, findings }) => {
    const unblock = findings.find((f) => f.verdict === "blocked" && f.message === message)?.unblock ?? null;
    const named = (unblock ?? "").match(/\b[A-Z]{2,5}-\d+\b/g) ?? [];
    if (named.some((id) => verdicts.get(id) !== "pass")) return null;
    const [alike] = broken.filter(({ id, finding }) => id !== own && isAnsweredSo(finding, message));
    const ids = [...new Set(broken.filter(({ finding }) => finding.isSilence === true).map(({ id }) => id))];
    // What holds is nothing to mend.
    const silent = named.length > 0 && ids.length === 1 ? ids[0] : undefined;
    const first = alike?.id ?? silent;
    return first === undefined ? null : `see ${first} first`;
  };
}

/** Whether what a refusal was answered with stands in a text. */
function isAnsweredSo(finding: ToldFinding, text: string): boolean {
  const { came } = deviationOf(finding);
  return came !== null && !came.isSuccess && came.code !== null && text.includes(cameText(came));
}
