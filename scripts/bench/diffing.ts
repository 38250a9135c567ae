import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type HardShape, hardDocument, hardShapes } from "../../compiler/diff/fixtures/hard-documents.ts";
import { largeDocument } from "../../compiler/diff/fixtures/large-document.ts";
import type { JsonObject } from "../../compiler/diff/json-at.ts";
import type { Extent } from "./extent.ts";
import { ratioOf, type Section } from "./figure.ts";
import { inRounds } from "./rounds.ts";
import { secondsOf } from "./run-command.ts";

const root = resolve(import.meta.dirname, "../..");

/** Edits that lie between two documents, for each of their operations. */
const editsEach = 0.3;

/** How much larger the larger documents may make a comparison that are ten times as large. */
const growth = { kind: "at most", value: 15 } as const;

/** V8's heap for documents that are hard to compare, in MiB: what needs more fails. */
const heap = 1024;

/** Seconds of comparing two OpenAPI documents with many changes, beside two of a tenth of the size. */
export async function diffing(extent: Extent, say: (progress: string) => void): Promise<Section> {
  const scratch = mkdtempSync(join(tmpdir(), "bylaw-bench-"));
  let written = 0;
  const file = (document: JsonObject): string => {
    written += 1;
    const path = join(scratch, `${written}.json`);
    writeFileSync(path, JSON.stringify(document));
    return path;
  };
  const compared = (documentOf: (changes: number) => JsonObject, changes: number) => {
    const sides = [file(documentOf(0)), file(documentOf(changes))];
    // What breaks is no failure here: the command is to end with 0 whatever it finds.
    const command = ["scripts/bylaw.js", "diff", ...sides, "--format", "json", "--fail-on", "none"];
    return () => secondsOf([`--max-old-space-size=${heap}`, ...command], root);
  };
  const usual = (operations: number, each: number) =>
    compared((changes) => largeDocument({ operations, changes }), operations * each);
  const hard = (shape: HardShape, operations: number) =>
    compared((changes) => hardDocument({ shape, operations, changes }), operations * editsEach);
  const [few, many] = extent.documents;
  const [lessHard, harder] = extent.hardDocuments;
  const named = (operations: number): string => `${operations.toLocaleString("en")} operations`;
  const inSeconds = (name: string, sample: () => Promise<number>) => ({ name, unit: "s" as const, sample });
  try {
    const [large, small, unchanged, ...ofShapes] = await inRounds(
      [
        inSeconds(named(many), usual(many, editsEach)),
        inSeconds(named(few), usual(few, editsEach)),
        inSeconds(`${named(many)}, unchanged`, usual(many, 0)),
        ...hardShapes.flatMap((shape) => [
          inSeconds(`${named(harder)}, ${shape}`, hard(shape, harder)),
          inSeconds(`${named(lessHard)}, ${shape}`, hard(shape, lessHard)),
        ]),
      ],
      extent.commandRounds,
      (round) => say(`diffing: round ${round} of ${extent.commandRounds}`),
    );
    if (large === undefined || small === undefined || unchanged === undefined) throw new Error("Nothing was measured.");
    const shapes = hardShapes.flatMap((_, index) => {
      const [more, less] = ofShapes.slice(index * 2);
      return more === undefined || less === undefined ? [] : [{ more, less }];
    });
    return {
      title: "Comparing two OpenAPI documents, in seconds",
      notes: [
        "Whole processes that read two documents and report as JSON; the documents share components and lean on each other.",
        `${many * editsEach} edits of schemas lie between the documents of ${named(many)}, ${few * editsEach} between those of ${few}.`,
        `Of each shape that is hard to compare there are documents of ${named(harder)} and ${lessHard}, with ${editsEach} edits for each; V8's heap has ${heap} MiB.`,
      ],
      figures: [large, small, unchanged, ...ofShapes],
      ratios: [
        ratioOf(large, small, growth),
        ratioOf(large, unchanged, null),
        ...shapes.map(({ more, less }) => ratioOf(more, less, growth)),
      ],
      aims: {
        [large.name]: { kind: "below", value: 15 },
        ...Object.fromEntries(shapes.map(({ more }) => [more.name, { kind: "below", value: 60 } as const])),
      },
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
