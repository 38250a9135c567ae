import { allChecks } from "../../conformance/checks/all-checks.ts";
import { preflight } from "../../conformance/preflight/preflight.ts";
import { receiverFailure } from "../../conformance/receiver/try-receiver.ts";
import { needsReceiver, type PlanOptions, planOf } from "../../conformance/runner/plan.ts";
import type { Target } from "../../conformance/target/target.ts";
import { problemText } from "../../conformance/target/target-problem.ts";
import { CannotRun } from "./cannot-run.ts";

/** Makes sure that a run makes sense: the target answers, and the kit's receiver can be started if a check needs it. */
export async function readyFor(target: Target, asked: PlanOptions): Promise<void> {
  const wanted = target.receiver !== null && needsReceiver(planOf(target, allChecks, asked)) ? target.receiver : null;
  const failure = (await preflight(target)) ?? (wanted === null ? null : await receiverFailure(wanted));
  if (failure !== null) throw new CannotRun(problemText(failure));
}
