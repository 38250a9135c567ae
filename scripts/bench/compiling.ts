import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Extent } from "./extent.ts";
import { ratioOf, type Section } from "./figure.ts";
import { inRounds } from "./rounds.ts";
import { usageOf } from "./run-command.ts";

const root = resolve(import.meta.dirname, "../..");

/** Seconds of the whole compilation, beside TypeSpec's own compiler with the OpenAPI emitter alone. */
export async function compiling(extent: Extent, say: (progress: string) => void): Promise<Section> {
  const scratch = mkdtempSync(join(tmpdir(), "bylaw-bench-"));
  let runs = 0;
  const newFolder = (): string => join(scratch, String(runs++));
  const secondsOf = async (args: readonly string[]): Promise<number> => (await usageOf(args, root)).seconds;
  const bylaw = () => secondsOf(["scripts/bylaw.js", "compile", "--out", newFolder()]);
  const typespec = () => {
    const program = "node_modules/@typespec/compiler/cmd/tsp.js";
    const flags = ["compile", "spec/main.tsp", "--emit", "@typespec/openapi3", "--output-dir", newFolder()];
    return secondsOf([program, ...flags]);
  };
  try {
    const [whole, alone] = await inRounds(
      [
        { name: "bylaw compile", unit: "s", sample: bylaw },
        { name: "tsp compile", unit: "s", sample: typespec },
      ],
      extent.commandRounds,
      (round) => say(`compiling: round ${round} of ${extent.commandRounds}`),
    );
    if (whole === undefined || alone === undefined) throw new Error("Nothing was measured.");
    return {
      title: "Compiling the spec, in seconds",
      notes: [
        "Both are whole processes that write into an empty folder: bylaw reads, lints and prints; tsp emits OpenAPI alone.",
      ],
      ...{ figures: [whole, alone], ratios: [ratioOf(whole, alone, { kind: "at most", value: 1.5 })], aims: {} },
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
