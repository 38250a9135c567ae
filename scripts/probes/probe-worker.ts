import { allChecks } from "../../conformance/checks/all-checks.ts";
import { isBreach } from "../../conformance/outcome/verdict.ts";
import { run } from "../../conformance/runner/run.ts";
import { loopbackReceiver } from "../../conformance/target/loopback-receiver.ts";
import type { Target } from "../../conformance/target/target.ts";
import { mutants } from "../../reference-server/edits/mutants.ts";
import { startEdited } from "../../reference-server/edits/start-edited.ts";
import { lastKillers } from "../edits/last-killers.ts";

/** A mutant to run, by its id; `by` names a check that is to find it, in place of the one that is known to. */
export interface Wanted {
  readonly mutant: string;
  readonly by?: string;
}

/** What the process answers with: the probes that guessed at each mutant. */
export interface Guessed extends Wanted {
  /** Breaches that the checks found. */
  readonly breaches: number;
  /** Ids of probes with what each said first. */
  readonly says: Readonly<Record<string, string>>;
}

/** A process of its own, as only there edits of the source apply: runs the checks that find these mutants. */
process.on("message", async (all: readonly Wanted[]) => {
  const killers = lastKillers();
  for (const { mutant: id, by } of all) {
    const mutant = mutants.find((one) => one.id === id);
    if (mutant === undefined) throw new Error(`There is no mutant ${id}.`);
    const server = await startEdited([mutant]);
    const target: Target = {
      baseUrl: server.url,
      ...{ key: null, secrets: {} },
      sandbox: { baseUrl: server.url, token: server.sandboxToken },
      timing: { requestTimeout: 5000, maxWait: 0, pollInterval: 50, pollTimeout: 5000, clockSkew: 5000 },
      ...{ hooks: {}, implements: null, receiver: loopbackReceiver, shapes: {}, numbers: {} },
    };
    const { rules } = await run(target, allChecks, {
      ...{
        profile: "full",
        allow: new Set(),
        only: by === undefined ? (killers.get(id) ?? [mutant.breaks]) : [by],
        skip: [],
        seed: 1,
      },
      ...{ runs: null, jobs: null, path: null, signal: new AbortController().signal, progress: () => undefined },
    });
    await server.close();
    const breaches = rules.flatMap(({ findings }) => findings.filter(isBreach));
    const likely = breaches.flatMap((finding) => finding.likely).reverse();
    const says = Object.fromEntries(likely.map((one) => [one.probe, one.says]));
    process.send?.({ mutant: id, ...(by && { by }), breaches: breaches.length, says } satisfies Guessed);
  }
  process.disconnect();
});
