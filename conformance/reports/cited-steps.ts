import type { ToldFinding } from "../outcome/verdict.ts";
import { contrastSteps } from "./contrast-text.ts";
import type { StoryLine } from "./story-lines.ts";

/** Numbers of the steps of its story that what is told beside a finding names: guesses, likenesses and contrasts. */
export const citedSteps = (finding: ToldFinding): ReadonlySet<number> =>
  new Set([
    ...finding.likely.flatMap(({ steps = [] }) => steps),
    ...(finding.tally?.steps ?? []),
    ...contrastSteps(finding),
  ]);

/** Which of the steps of a line are among those, but for its first; empty for none. */
export function amongText({ number, numbers }: StoryLine, cited: ReadonlySet<number>): string {
  const among = numbers.filter((one) => one !== number && cited.has(one));
  return among.length === 0 ? "" : ` (step ${among.join(", ")} among them)`;
}
