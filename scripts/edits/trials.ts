import { allChecks } from "../../conformance/checks/all-checks.ts";
import { choiceValues } from "../../generated/choices.ts";
import { contrarians } from "../../reference-server/edits/contrarians.ts";
import type { Mutant } from "../../reference-server/edits/edit.ts";
import { mutants } from "../../reference-server/edits/mutants.ts";
import { type Judgement, judgeLawful, judgeMutant } from "./judge.ts";
import type { Trial, TrialOutcome } from "./trial.ts";

/** A trial with its name and what is expected of it. */
export interface NamedTrial {
  readonly kind: "mutant" | "lawful";
  readonly name: string;
  readonly does: string;
  readonly trial: Trial;
  readonly judge: (outcome: TrialOutcome) => Judgement;
}

const seeds = [1, 2, 3];

/** Every mutant, under the checks of its own rule; under that of one operation where it is broken there alone. */
export const mutantTrials = (): NamedTrial[] =>
  mutants.map((m) => ({
    kind: "mutant",
    name: `mutant ${m.id}`,
    does: m.does,
    trial: { edits: [m.id], choices: {}, shapes: {}, only: checksFor(m), seed: 1 },
    judge: (outcome) => judgeMutant(m, outcome),
  }));

const checksFor = ({ breaks, at }: Mutant): readonly string[] =>
  at === undefined
    ? [breaks]
    : allChecks.filter((check) => check.operation === at && check.rules.includes(breaks)).map(({ id }) => id);

/** The reference, every contrarian and every flipped option alone, and all of them together, under the whole suite. */
export function lawfulTrials(): NamedTrial[] {
  const options = Object.entries(choiceValues).flatMap(([name, values]) =>
    values.slice(1).map((value) => [name, value] as const),
  );
  const last = Object.fromEntries(Object.entries(choiceValues).map(([name, values]) => [name, values.at(-1) ?? ""]));
  const all = contrarians.map(({ id }) => id);
  return [
    ...seeds.map((seed) => lawful(`reference, seed ${seed}`, "the reference as it is", [], {}, seed)),
    ...contrarians.map(({ id, does }) => lawful(id, does, [id], {}, 1)),
    ...options.map(([name, value]) => lawful(`${name} ${value}`, "one option flipped", [], { [name]: value }, 1)),
    ...seeds.map((seed) =>
      lawful(`all together, seed ${seed}`, "every contrarian, and every option flipped", all, last, seed),
    ),
  ];
}

const shapesOf = (edits: readonly string[]): Trial["shapes"] =>
  Object.assign({}, ...contrarians.filter(({ id }) => edits.includes(id)).map(({ shapes = {} }) => shapes));

const lawful = (
  name: string,
  does: string,
  edits: readonly string[],
  choices: Trial["choices"],
  seed: number,
): NamedTrial => ({
  kind: "lawful",
  name: `lawful ${name}`,
  does,
  trial: { edits, choices, shapes: shapesOf(edits), only: [], seed },
  judge: judgeLawful,
});
