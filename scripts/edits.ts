import { availableParallelism } from "node:os";
import { styleText } from "node:util";
import { choiceValues } from "../generated/choices.ts";
import { contrarians } from "../reference-server/edits/contrarians.ts";
import { mutants } from "../reference-server/edits/mutants.ts";
import { type Judgement, judgeLawful, judgeMutant } from "./edits/judge.ts";
import { type Trial, tryAll } from "./edits/try-edits.ts";

/** One line of the report. */
interface Row {
  readonly name: string;
  readonly does: string;
  readonly trial: Trial;
  readonly judge: (outcome: Parameters<typeof judgeLawful>[0]) => Judgement;
}

const only = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
const seeds = [1, 2, 3];

const mutantRows = mutants.map(
  (m): Row => ({
    name: `mutant ${m.id}`,
    does: m.does,
    trial: { edits: [m.id], choices: {}, only: [m.breaks], seed: 1 },
    judge: (outcome) => judgeMutant(m, outcome),
  }),
);
const options = Object.entries(choiceValues).flatMap(([name, values]) =>
  values.slice(1).map((value) => ({ [name]: value })),
);
const lawful = (
  name: string,
  does: string,
  edits: readonly string[],
  choices: Trial["choices"],
  seed: number,
): Row => ({
  name: `lawful ${name}`,
  does,
  trial: { edits, choices, only: [], seed },
  judge: judgeLawful,
});
const together = Object.fromEntries(Object.entries(choiceValues).map(([name, values]) => [name, values.at(-1) ?? ""]));
const lawfulRows = [
  ...seeds.map((seed) => lawful(`reference, seed ${seed}`, "the reference as it is", [], {}, seed)),
  ...contrarians.map((c) => lawful(c.id, c.does, [c.id], {}, 1)),
  ...options.map((choice) => lawful(JSON.stringify(choice), "an option flipped", [], choice, 1)),
  ...seeds.map((seed) =>
    lawful(
      `all together, seed ${seed}`,
      "every contrarian and option at once",
      contrarians.map((c) => c.id),
      together,
      seed,
    ),
  ),
];

const rows = [...mutantRows, ...lawfulRows].filter(
  ({ name }) => only.length === 0 || only.some((part) => name.includes(part)),
);
let done = 0;
const bad: string[] = [];
await tryAll(
  rows,
  availableParallelism(),
  (row) => row.trial,
  (row, outcome) => {
    done += 1;
    const { holds, message, checks } = row.judge(outcome);
    if (!holds) bad.push(`${row.name} (${row.does}): ${message}`);
    const mark = holds ? styleText("green", "✔") : styleText("red", "✘");
    console.log(
      `${mark} ${done}/${rows.length} ${row.name}: ${holds && checks.length > 0 ? `killed by ${checks.join(", ")}` : message.slice(0, 200)}`,
    );
  },
);
for (const line of bad) console.log(styleText("red", line));
console.log(`${rows.length - bad.length} passed, ${bad.length} failed`);
process.exitCode = bad.length > 0 || rows.length === 0 ? 1 : 0;
