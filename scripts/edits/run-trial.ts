import { AsyncLocalStorage } from "node:async_hooks";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import { monitorId } from "../../conformance/monitor/monitor.ts";
import { run } from "../../conformance/runner/run.ts";
import { loopbackReceiver } from "../../conformance/target/loopback-receiver.ts";
import type { Target } from "../../conformance/target/target.ts";
import { allEdits } from "../../reference-server/edits/all-edits.ts";
import { startEdited } from "../../reference-server/edits/start-edited.ts";
import { newWitness } from "./told-report.ts";
import { seenByMonitor, type Trial, type TrialOutcome } from "./trial.ts";

/** The check in whose course something is done. */
const course = new AsyncLocalStorage<string>();

const checks = allChecks.map((check) => ({
  ...check,
  run: (context: Parameters<typeof check.run>[0]) => course.run(check.id, () => check.run(context)),
}));

/** Seconds that a trial may wait for limits of the server's own, where it is run to its end. */
const longestWait = 30;

/** Runs the kit against a server with the trial's edits, both in this process. Throws `StaleEdit`. */
export async function runTrial({ edits, choices, shapes, only, seed, jobs, until }: Trial): Promise<TrialOutcome> {
  // In the trial's order, as one may apply only before another.
  const wanted = edits.flatMap((id) => allEdits.filter((edit) => edit.id === id));
  // Of a server that breaks nothing nobody asks which calls its wires changed.
  const server = await startEdited(wanted, { choices, traced: wanted.some((edit) => "breaks" in edit) });
  const target: Target = {
    baseUrl: server.url,
    ...{ key: null, secrets: {} },
    sandbox: { baseUrl: server.url, token: server.sandboxToken, endsWithRun: true },
    timing: {
      ...{ requestTimeout: 5000, pollInterval: 50, pollTimeout: 5000, clockSkew: 5000 },
      maxWait: until === null ? longestWait : 0,
    },
    ...{ hooks: {}, implements: null, receiver: loopbackReceiver, shapes, numbers: {} },
  };
  const enough = new AbortController();
  const witness = newWitness(server, (isEdited) => startEdited(isEdited ? wanted : [], { choices, traced: false }));
  let monitorName = monitorId;
  /** What the server had failed at when enough was seen: what is cut off afterwards may fail. */
  let failures: readonly string[] | null = null;
  const result = await run(target, checks, {
    ...{ profile: "full", allow: new Set(), only, skip: [], seed },
    ...{ runs: null, jobs, path: null },
    signal: enough.signal,
    breached(finding) {
      witness.breached(finding);
      const { rule, check } = finding;
      if (rule !== until || enough.signal.aborted) return;
      const during = course.getStore();
      if (check === monitorId && during !== undefined) monitorName = seenByMonitor(during);
      failures = [...server.failures];
      enough.abort();
    },
    progress: () => undefined,
  }).finally(() => server.close());
  const nameOf = (check: string): string => (check === monitorId ? monitorName : check);
  const rules = result.rules.map(({ id, verdict, message, findings }) => ({
    ...{ id, verdict, message },
    checks: [...new Set(findings.filter((f) => f.verdict === verdict).map((f) => nameOf(f.check)))],
  }));
  return { kind: "ran", rules, failures: failures ?? server.failures, report: await witness.told(result) };
}
