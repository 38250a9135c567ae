import { allChecks } from "../../conformance/checks/all-checks.ts";
import { isBreach } from "../../conformance/outcome/verdict.ts";
import { run } from "../../conformance/runner/run.ts";
import { loopbackReceiver } from "../../conformance/target/loopback-receiver.ts";
import type { Target } from "../../conformance/target/target.ts";
import { mutants } from "../../reference-server/edits/mutants.ts";
import { startEdited } from "../../reference-server/edits/start-edited.ts";
import { lastKillers } from "../edits/last-killers.ts";

/** What the process answers with: the probes that guessed at each mutant, by its id. */
export interface Guessed {
  readonly mutant: string;
  /** Breaches that the checks found. */
  readonly breaches: number;
  /** Ids of probes with what each said first. */
  readonly says: Readonly<Record<string, string>>;
}

/** A process of its own, as only there edits of the source apply: runs the checks that find these mutants. */
process.on("message", async (ids: readonly string[]) => {
  const killers = lastKillers();
  for (const mutant of mutants.filter(({ id }) => ids.includes(id))) {
    const server = await startEdited([mutant]);
    const target: Target = {
      baseUrl: server.url,
      ...{ key: null, secrets: {} },
      sandbox: { baseUrl: server.url, token: server.sandboxToken },
      timing: { requestTimeout: 5000, maxWait: 0, pollInterval: 50, pollTimeout: 5000, clockSkew: 5000 },
      ...{ hooks: {}, implements: null, receiver: loopbackReceiver, shapes: {}, numbers: {} },
    };
    const { rules } = await run(target, allChecks, {
      ...{ profile: "full", allow: new Set(), only: killers.get(mutant.id) ?? [mutant.breaks], skip: [], seed: 1 },
      ...{ runs: null, jobs: null, path: null, signal: new AbortController().signal, progress: () => undefined },
    });
    await server.close();
    const breaches = rules.flatMap(({ findings }) => findings.filter(isBreach));
    const likely = breaches.flatMap((finding) => finding.likely).reverse();
    const says = Object.fromEntries(likely.map((one) => [one.probe, one.says]));
    process.send?.({ mutant: mutant.id, breaches: breaches.length, says } satisfies Guessed);
  }
  process.disconnect();
});
