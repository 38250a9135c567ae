import { fork } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { lastKillers } from "./last-killers.ts";
import type { Trial } from "./trial.ts";
import type { TrialReport } from "./trial-worker.ts";

/** Two mutants at once that have nothing to do with each other, some of them at one operation. */
const pairs = [
  ["WHL-29-late", "MSG-61-skipping"],
  ["WHL-29-ignored", "WHL-18-oldest"],
  ["WHL-29-late", "WHL-51-epoch"],
  ["WHL-27-replays", "WHL-29-families"],
  ["WHP-10-ascii", "WHP-14-long"],
  ["EVT-16-header", "WHP-15-all"],
  ["BRD-03-verified", "KEYC-40-nul"],
  ["LKP-16-case", "MSG-64-ignored"],
  ["KEYG-07-hidden", "KEYC-21-any"],
] as const;

describe("two faults at once", () => {
  let causes: ReadonlyMap<string, number>;
  beforeAll(async () => {
    causes = await causesOf(pairs.map((pair) => trialOf(pair)));
  }, 300_000);

  test.each(pairs)("%s and %s are two causes", (...pair) => {
    expect(causes.get(pair.join(" "))).toBeGreaterThan(1);
  });
});

/** Both with the checks that find each of them. */
function trialOf(edits: readonly string[]): Trial {
  const killers = lastKillers();
  const only = edits.flatMap((id) => killers.get(id) ?? id.split("-").slice(0, 2).join("-"));
  return { edits, only, choices: {}, shapes: {}, seed: 1, jobs: null, until: null };
}

/** How many probable causes the report of each trial names; in a process of its own, as only there edits of the source apply. */
async function causesOf(trials: readonly Trial[]): Promise<ReadonlyMap<string, number>> {
  const worker = fork(join(import.meta.dirname, "trial-worker.ts"), { execArgv: ["--no-warnings"] });
  const told = new Map<string, number>();
  for (const trial of trials) {
    const { outcome } = await new Promise<TrialReport>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.send(trial);
    });
    if (outcome.kind === "broken") throw new Error(`${trial.edits.join(" and ")}: ${outcome.message}`);
    told.set(trial.edits.join(" "), outcome.report.causes);
  }
  worker.disconnect();
  return told;
}
