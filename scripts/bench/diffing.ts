import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { largeDocument } from "../../compiler/diff/fixtures/large-document.ts";
import type { Extent } from "./extent.ts";
import { ratioOf, type Section } from "./figure.ts";
import { inRounds } from "./rounds.ts";
import { secondsOf } from "./run-command.ts";

const root = resolve(import.meta.dirname, "../..");

/** Edits that lie between two documents, for each of their operations. */
const editsEach = 0.3;

/** Seconds of comparing two OpenAPI documents with many changes, beside two of a tenth of the size. */
export async function diffing(extent: Extent, say: (progress: string) => void): Promise<Section> {
  const scratch = mkdtempSync(join(tmpdir(), "bylaw-bench-"));
  const written = (operations: number, changes: number): string => {
    const path = join(scratch, `${operations}-${changes}.json`);
    writeFileSync(path, JSON.stringify(largeDocument({ operations, changes })));
    return path;
  };
  const compared = (operations: number, each: number) => {
    const sides = [written(operations, 0), written(operations, operations * each)];
    // What breaks is no failure here: the command is to end with 0 whatever it finds.
    return () => secondsOf(["scripts/bylaw.js", "diff", ...sides, "--format", "json", "--fail-on", "none"], root);
  };
  const [few, many] = extent.documents;
  const named = (operations: number): string => `${operations.toLocaleString("en")} operations`;
  try {
    const [large, small, unchanged] = await inRounds(
      [
        { name: named(many), unit: "s", sample: compared(many, editsEach) },
        { name: named(few), unit: "s", sample: compared(few, editsEach) },
        { name: `${named(many)}, unchanged`, unit: "s", sample: compared(many, 0) },
      ],
      extent.commandRounds,
      (round) => say(`diffing: round ${round} of ${extent.commandRounds}`),
    );
    if (large === undefined || small === undefined || unchanged === undefined) throw new Error("Nothing was measured.");
    return {
      title: "Comparing two OpenAPI documents, in seconds",
      notes: [
        "Whole processes that read two documents and report as JSON; the documents share components and lean on each other.",
        `${many * editsEach} edits of schemas lie between the documents of ${named(many)}, ${few * editsEach} between those of ${few}.`,
      ],
      figures: [large, small, unchanged],
      ratios: [ratioOf(large, small, { kind: "at most", value: 15 }), ratioOf(large, unchanged, null)],
      aims: { [large.name]: { kind: "below", value: 15 } },
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
