import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { largeDocument } from "../../compiler/diff/fixtures/large-document.ts";
import type { Extent } from "./extent.ts";
import { ratioOf, type Section } from "./figure.ts";
import { inRounds } from "./rounds.ts";
import { secondsOf } from "./run-command.ts";

const root = resolve(import.meta.dirname, "../..");

/** Operations of the documents; three in ten schemas' worth of edits lie between the two of one size. */
const sizes = { small: 100, large: 1_000 } as const;

/** Seconds of comparing two OpenAPI documents with many changes, beside two of a tenth of the size. */
export async function diffing(extent: Extent, say: (progress: string) => void): Promise<Section> {
  const scratch = mkdtempSync(join(tmpdir(), "bylaw-bench-"));
  const written = (operations: number, changes: number): string => {
    const path = join(scratch, `${operations}-${changes}.json`);
    writeFileSync(path, JSON.stringify(largeDocument({ operations, changes })));
    return path;
  };
  const compared = (operations: number, changes: number) => {
    const sides = [written(operations, 0), written(operations, changes)];
    // What breaks is no failure here: the command is to end with 0 whatever it finds.
    return () => secondsOf(["scripts/bylaw.js", "diff", ...sides, "--format", "json", "--fail-on", "none"], root);
  };
  try {
    const [large, small, unchanged] = await inRounds(
      [
        { name: "1,000 operations", unit: "s", sample: compared(sizes.large, 300) },
        { name: "100 operations", unit: "s", sample: compared(sizes.small, 30) },
        { name: "1,000 operations, unchanged", unit: "s", sample: compared(sizes.large, 0) },
      ],
      extent.commandRounds,
      (round) => say(`diffing: round ${round} of ${extent.commandRounds}`),
    );
    if (large === undefined || small === undefined || unchanged === undefined) throw new Error("Nothing was measured.");
    return {
      title: "Comparing two OpenAPI documents, in seconds",
      notes: [
        "Whole processes that read two documents and report as JSON; the documents share components and lean on each other.",
        "300 edits of schemas lie between the documents of 1,000 operations, 30 between those of 100.",
      ],
      figures: [large, small, unchanged],
      ratios: [ratioOf(large, small, { kind: "at most", value: 15 }), ratioOf(large, unchanged, null)],
      aims: { [large.name]: { kind: "below", value: 15 } },
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
