import { parseArgs } from "node:util";
import { drawnPairs, prove } from "./prove/prove.ts";

const help = `Tries the verdicts of the schema engine on pairs of schemas that are drawn at random: a schema and what a few edits
make of it, both ways round, with open objects read by the letter and by name. Each value that is shown is validated on
both sides, and for each "included" a search looks for a value that contradicts it.

  npm run prove -- [--pairs N] [--seed N]
  npm run prove -- --print-pairs N [--seed N]

  --pairs        how many pairs are drawn (default: 500)
  --seed         by which seed (default: 1); the same seed draws the same pairs
  --print-pairs  judges none: prints so many pairs as JSON, for another judge (scripts/prove/judge_pairs.py)
  --help         prints this

Examples:
  npm run prove
  npm run prove -- --pairs 5000 --seed 7

Exit codes:
  0  nothing contradicts a verdict
  1  something does; it is printed
  2  wrong arguments
`;

const count = (text: string, least: number): number | null =>
  /^\d{1,9}$/.test(text) && Number(text) >= least ? Number(text) : null;

function run(): 0 | 1 | 2 {
  let values: {
    readonly pairs: string;
    readonly seed: string;
    readonly "print-pairs"?: string;
    readonly help: boolean;
  };
  try {
    ({ values } = parseArgs({
      options: {
        pairs: { type: "string", default: "500" },
        seed: { type: "string", default: "1" },
        "print-pairs": { type: "string" },
        help: { type: "boolean", default: false },
      },
    }));
  } catch (problem) {
    process.stderr.write(`error: ${problem instanceof Error ? problem.message : String(problem)}\n  See --help.\n`);
    return 2;
  }
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const printed = values["print-pairs"];
  const [pairs, seed] = [count(printed ?? values.pairs, 1), count(values.seed, 0)];
  if (pairs === null || seed === null) {
    process.stderr.write(
      "error: --pairs and --print-pairs are whole numbers above zero, --seed a whole number.\n  See --help.\n",
    );
    return 2;
  }
  if (printed !== undefined) {
    process.stdout.write(`${JSON.stringify(drawnPairs(pairs, seed).map(({ before, after }) => [before, after]))}\n`);
    return 0;
  }
  const { verdicts, contradictions } = prove(pairs, seed);
  for (const text of contradictions) process.stdout.write(`✘ ${text}\n`);
  const counts = Object.entries(verdicts).map(([kind, times]) => `${times} ${kind}`);
  const mark = contradictions.length === 0 ? "✔" : "✘";
  process.stdout.write(
    `${mark} ${pairs} pairs, both ways round (seed ${seed}): ${counts.join(", ")}; ${contradictions.length} contradicted.\n`,
  );
  return contradictions.length === 0 ? 0 : 1;
}

process.exitCode = run();
