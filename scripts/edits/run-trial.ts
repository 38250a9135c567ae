import { allChecks } from "../../conformance/checks/all-checks.ts";
import { run } from "../../conformance/runner/run.ts";
import { loopbackReceiver } from "../../conformance/target/loopback-receiver.ts";
import type { Target } from "../../conformance/target/target.ts";
import { allEdits } from "../../reference-server/edits/all-edits.ts";
import { startEdited } from "../../reference-server/edits/start-edited.ts";
import type { Trial, TrialOutcome } from "./trial.ts";

/** Runs the kit against a server with the trial's edits, both in this process. Throws `StaleEdit`. */
export async function runTrial({ edits, choices, shapes, only, seed, jobs, until }: Trial): Promise<TrialOutcome> {
  const server = await startEdited(
    // In the trial's order, as one may apply only before another.
    edits.flatMap((wanted) => allEdits.filter(({ id }) => id === wanted)),
    { choices },
  );
  const target: Target = {
    baseUrl: server.url,
    ...{ key: null, secrets: {} },
    sandbox: { baseUrl: server.url, token: server.sandboxToken },
    timing: { requestTimeout: 5000, maxWait: 0, pollInterval: 50, pollTimeout: 5000, clockSkew: 5000 },
    ...{ hooks: {}, implements: null, receiver: loopbackReceiver, shapes, numbers: {} },
  };
  const enough = new AbortController();
  /** What the server had failed at when enough was seen: what is cut off afterwards may fail. */
  let failures: readonly string[] | null = null;
  const result = await run(target, allChecks, {
    ...{ profile: "full", allow: new Set(), only, skip: [], seed },
    ...{ runs: null, jobs, path: null },
    signal: enough.signal,
    breached({ rule }) {
      if (rule !== until) return;
      failures ??= [...server.failures];
      enough.abort();
    },
    progress: () => undefined,
  }).finally(() => server.close());
  const rules = result.rules.map(({ id, verdict, message, findings }) => ({
    ...{ id, verdict, message },
    checks: [...new Set(findings.filter((f) => f.verdict === verdict).map((f) => f.check))],
  }));
  return { kind: "ran", rules, failures: failures ?? server.failures };
}
