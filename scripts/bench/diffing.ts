import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type HardShape, hardDocument, hardShapes } from "../../compiler/diff/fixtures/hard-documents.ts";
import { largeDocument } from "../../compiler/diff/fixtures/large-document.ts";
import type { JsonObject } from "../../compiler/diff/json-at.ts";
import type { Extent } from "./extent.ts";
import { type Aim, type Figure, ratioOf, type Section } from "./figure.ts";
import { inRounds } from "./rounds.ts";
import { usageOf } from "./run-command.ts";

const root = resolve(import.meta.dirname, "../..");

/** Edits that lie between two documents, for each of their operations. */
const editsEach = 0.3;

/** How much larger the larger documents may make a comparison that are ten times as large. */
const growth = { kind: "at most", value: 15 } as const;

const below = (value: number): Aim => ({ kind: "below", value });

/** MiB that any comparison may have resident at one time. */
const mostMemory = 1024;

/** Two documents to compare, with aims for the processor time in seconds; null where there is none. */
interface Pair {
  readonly name: string;
  readonly sides: readonly [JsonObject, JsonObject];
  readonly aim: Aim | null;
}

/** Processor time and memory of comparing two OpenAPI documents with many changes, beside two of a tenth of the size. */
export async function diffing(extent: Extent, say: (progress: string) => void): Promise<Section> {
  const scratch = mkdtempSync(join(tmpdir(), "bylaw-bench-"));
  const [few, many] = extent.documents;
  const [lessHard, harder] = extent.hardDocuments;
  const usual = (operations: number, each: number, name: string, aim: Aim | null): Pair => {
    const side = (changes: number): JsonObject => largeDocument({ operations, changes });
    return { name, sides: [side(0), side(operations * each)], aim };
  };
  const hard = (shape: HardShape, operations: number, aim: Aim | null): Pair => {
    const side = (changes: number): JsonObject => hardDocument({ shape, operations, changes });
    return { name: `${named(operations)}, ${shape}`, sides: [side(0), side(operations * editsEach)], aim };
  };
  const larger = usual(many, editsEach, named(many), below(15));
  const smaller = usual(few, editsEach, named(few), null);
  const unchanged = usual(many, 0, `${named(many)}, unchanged`, null);
  const tiny = usual(1, 1, "a tiny pair", below(0.7));
  const shapes = (extent.shapes ?? hardShapes).map((shape) => ({
    more: hard(shape, harder, below(60)),
    less: hard(shape, lessHard, null),
  }));
  const usualPairs = extent.shapes === null ? [larger, smaller, unchanged, tiny] : [];
  const pairs = [...usualPairs, ...shapes.flatMap(({ more, less }) => [more, less])];
  try {
    const memory = new Map<Pair, number[]>();
    const subjects = pairs.map((pair, index) => {
      const files = pair.sides.map((document, side) => {
        const file = join(scratch, `${index}-${side}.json`);
        writeFileSync(file, JSON.stringify(document));
        return file;
      });
      const peaks: number[] = [];
      memory.set(pair, peaks);
      const sample = async (): Promise<number> => {
        // What breaks is no failure here: the command is to end with 0 whatever it finds.
        const command = ["scripts/bylaw.js", "diff", ...files, "--format", "json", "--fail-on", "none"];
        const { processorSeconds, peakMiB } = await usageOf(command, root);
        peaks.push(peakMiB);
        return processorSeconds;
      };
      return { name: pair.name, unit: "s" as const, sample };
    });
    const times = await inRounds(subjects, extent.commandRounds, (round) =>
      say(`diffing: round ${round} of ${extent.commandRounds}`),
    );
    const figureOf = (pair: Pair): Figure => {
      const found = times[pairs.indexOf(pair)];
      if (found === undefined) throw new Error("Nothing was measured.");
      return found;
    };
    const peakOf = (pair: Pair): Figure => ({
      name: `${pair.name}, memory`,
      unit: "MiB",
      samples: memory.get(pair) ?? [],
    });
    const growing = (more: Pair, less: Pair) => ratioOf(figureOf(more), figureOf(less), growth);
    return {
      title: "Comparing two OpenAPI documents, in seconds of processor time",
      notes: [
        "Whole processes that read two documents and report as JSON; the documents share components and lean on each other.",
        `${many * editsEach} edits of schemas lie between the documents of ${named(many)}, ${few * editsEach} between those of ${few}.`,
        `Of each shape that is hard to compare there are documents of ${named(harder)} and ${lessHard}, with ${editsEach} edits for each.`,
        "Memory is the most that the process had resident at one time.",
      ],
      figures: pairs.flatMap((pair) => [figureOf(pair), peakOf(pair)]),
      ratios: [
        ...(extent.shapes === null
          ? [growing(larger, smaller), ratioOf(figureOf(larger), figureOf(unchanged), null)]
          : []),
        ...shapes.map(({ more, less }) => growing(more, less)),
      ],
      aims: Object.fromEntries(
        pairs.flatMap((pair) => [
          ...(pair.aim === null ? [] : [[pair.name, pair.aim] as const]),
          [peakOf(pair).name, below(mostMemory)] as const,
        ]),
      ),
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const named = (operations: number): string =>
  `${operations.toLocaleString("en")} operation${operations === 1 ? "" : "s"}`;
