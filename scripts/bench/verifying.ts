import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Extent } from "./extent.ts";
import type { Section } from "./figure.ts";
import { inRounds } from "./rounds.ts";
import { usageOf } from "./run-command.ts";

const root = resolve(import.meta.dirname, "../..");

/** Seconds of a whole verification of the reference, and how fast the kit sends in it. */
export async function verifying(extent: Extent, say: (progress: string) => void): Promise<Section> {
  const report = mkdtempSync(join(tmpdir(), "bylaw-bench-"));
  const rates: number[] = [];
  const runs = extent.propertyRuns === null ? [] : ["--runs", String(extent.propertyRuns)];
  const { whole: all, webhooks } = extent.verified;
  const verify = async (only: readonly string[]): Promise<number> => {
    const flags = [...runs, ...(only.length === 0 ? [] : ["--only", only.join()])];
    const command = ["scripts/bylaw.js", "verify", "--reference", "--report", report, ...flags];
    return (await usageOf(command, root)).seconds;
  };
  const whole = async () => {
    const seconds = await verify(all);
    rates.push(rateIn(join(report, "results.json")));
    return seconds;
  };
  try {
    const name = "bylaw verify --reference";
    const figures = await inRounds(
      [
        { name, unit: "s", sample: whole },
        { name: "its webhook part", unit: "s", sample: () => verify(webhooks) },
      ],
      extent.commandRounds,
      (round) => say(`verifying: round ${round} of ${extent.commandRounds}`),
    );
    return {
      title: "Verifying the reference server",
      notes: [
        "A whole process: it starts the server in a thread of its own, runs every check and writes the reports.",
        `Its webhook part is a process of its own with --only ${webhooks.join()}.`,
        "The rate is the kit's while checks run; both ends share the process.",
      ],
      figures: [...figures, { name: "the kit's requests", unit: "requests/s", samples: rates }],
      ratios: [],
      aims: { [name]: { kind: "below", value: 10 } },
    };
  } finally {
    rmSync(report, { recursive: true, force: true });
  }
}

function rateIn(file: string): number {
  const results: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (typeof results === "object" && results !== null && "requests" in results && "durationMs" in results) {
    const { requests, durationMs } = results;
    if (typeof requests === "number" && typeof durationMs === "number") return (requests / durationMs) * 1000;
  }
  throw new Error(`${file} tells no requests and no duration.`);
}
