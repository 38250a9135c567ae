import { parseArgs } from "node:util";
import { type HardShape, hardShapes } from "../compiler/diff/fixtures/hard-documents.ts";
import { benchJson } from "./bench/bench-json.ts";
import { benchText } from "./bench/bench-text.ts";
import { compiling } from "./bench/compiling.ts";
import { endDatabases } from "./bench/database.ts";
import { delivering } from "./bench/delivering.ts";
import { diffing } from "./bench/diffing.ts";
import { type Extent, quickExtent, usualExtent } from "./bench/extent.ts";
import type { Section } from "./bench/figure.ts";
import { thisMachine } from "./bench/machine.ts";
import { readingFeeds } from "./bench/reading-feeds.ts";
import { readingKeys } from "./bench/reading-keys.ts";
import { sendingMessages } from "./bench/sending-messages.ts";
import { verifying } from "./bench/verifying.ts";
import { writing } from "./bench/writing.ts";

type Part = (extent: Extent, say: (progress: string) => void) => Promise<Section | readonly Section[]>;

const parts: Readonly<Record<string, Part>> = {
  requests: readingKeys,
  writes: writing,
  compile: compiling,
  diff: diffing,
  verify: verifying,
  deliveries: delivering,
  feed: readingFeeds,
  sends: sendingMessages,
};

const help = `Measures the server, the compiler and the kit beside their anchors. docs/bench.md says how to read it.

  npm run bench -- [--only ${Object.keys(parts).join("|")}] [--format text|json] [--quick]
                   [--shape ${hardShapes.map((shape) => `"${shape}"`).join("|")}]

  --only     one part, may be repeated
  --shape    of the part diff one shape of documents that is hard to compare, and nothing else; may be repeated
  --format   what standard output gets (default: text)
  --quick    one short round, which shows that everything runs; its figures say little
`;

process.exitCode = await main(process.argv.slice(2)).catch((problem: unknown) => {
  process.stderr.write(`error: ${problem instanceof Error ? problem.message : String(problem)}\n`);
  return 2;
});

async function main(args: readonly string[]): Promise<0 | 2> {
  const options = read(args);
  if (typeof options === "string") {
    process.stderr.write(`error: ${options}\n\n${help}`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(help);
    return 0;
  }
  const { only, quick, shapes } = options;
  const extent: Extent = { ...(quick ? quickExtent : usualExtent), shapes };
  const say = (progress: string): void => void process.stderr.write(`${progress}\n`);
  const sections: Section[] = [];
  try {
    for (const [name, measure] of Object.entries(parts)) {
      if (only.length === 0 || only.includes(name)) sections.push(...[await measure(extent, say)].flat());
    }
  } finally {
    await endDatabases();
  }
  const machine = thisMachine();
  process.stdout.write(options.json ? benchJson(machine, quick, sections) : benchText(machine, quick, sections));
  return 0;
}

interface Options {
  readonly only: readonly string[];
  readonly json: boolean;
  readonly quick: boolean;
  readonly shapes: readonly HardShape[] | null;
  readonly help: boolean;
}

/** What the flags ask for, or what is wrong with them. */
function read(args: readonly string[]): Options | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        only: { type: "string", multiple: true, default: [] },
        shape: { type: "string", multiple: true, default: [] },
        format: { type: "string", default: "text" },
        quick: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    const { only, format, quick, shape, help: helped } = values;
    const shapes = hardShapes.filter((known) => shape.includes(known));
    const other = shape.find((name) => !shapes.some((known) => known === name));
    if (other !== undefined) return `--shape ${other}: There is no such shape. Shapes: ${hardShapes.join(", ")}.`;
    const unknown = only.find((name) => !Object.hasOwn(parts, name));
    if (unknown !== undefined)
      return `--only ${unknown}: There is no such part. Parts: ${Object.keys(parts).join(", ")}.`;
    if (format !== "text" && format !== "json") return `--format ${format}: Choose text or json.`;
    return { only, json: format === "json", quick, shapes: shape.length === 0 ? null : shapes, help: helped };
  } catch (problem) {
    return problem instanceof Error ? problem.message : String(problem);
  }
}
