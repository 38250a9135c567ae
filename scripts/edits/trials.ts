import { allChecks } from "../../conformance/checks/all-checks.ts";
import { randomFrom } from "../../conformance/context/seeded-random.ts";
import type { Mutant } from "../../reference-server/edits/edit.ts";
import { mutants } from "../../reference-server/edits/mutants.ts";
import { concessions } from "./concessions.ts";
import { type Judgement, judgeLawful, judgeMutant } from "./judge.ts";
import { lastKillers } from "./last-killers.ts";
import { type LawfulChoice, lawfulChoices } from "./lawful-choices.ts";
import { apartPacks, meetingPacks, type Pack, wholePacks } from "./lawful-packs.ts";
import type { Trial, TrialOutcome } from "./trial.ts";
import { isWatched } from "./watched-rules.ts";

/** A trial with its name and what is expected of it. */
export interface NamedTrial {
  readonly kind: "mutant" | "lawful";
  readonly name: string;
  readonly does: string;
  /** Rules that it is about; empty where that is every rule. */
  readonly rules: readonly string[];
  /** The lawful choices in it; none for a mutant. */
  readonly pack: readonly LawfulChoice[];
  readonly trial: Trial;
  /** A shorter trial that may show the same; null where there is none. Only what survives it needs the whole one. */
  readonly shorter: Trial | null;
  /** `decided`: rules that the reference is decided by under the same seed; null where nobody knows. */
  readonly judge: (outcome: TrialOutcome, decided: ReadonlySet<string> | null) => Judgement;
}

/** Of packs whose choices meet, in turn. */
const meetingSeeds = [1, 2];

/** Of packs whose choices keep apart. */
const apartSeed = 3;

/** Checks of a lawful server at a time: while some wait for what it does later, others go on. */
const lawfulJobs = 8;

/**
 * Every mutant, under the checks of its own rule until one of them finds it; under that of one operation where it is
 * broken there alone.
 */
export function mutantTrials(): NamedTrial[] {
  const killers = lastKillers();
  return mutants.map((m) => {
    const { shapes = {} } = m;
    const trial = { edits: [m.id], choices: {}, shapes, only: checksFor(m), seed: 1, jobs: null, until: m.breaks };
    return {
      kind: "mutant",
      name: `mutant ${m.id}`,
      does: m.does,
      rules: [m.breaks],
      pack: [],
      trial,
      shorter: shorterOf(m, trial, killers.get(m.id) ?? null),
      judge: (outcome) => judgeMutant(m, outcome),
    };
  });
}

/** So many mutants, drawn by a seed, each under the whole suite to its end: what the report says of it is all there is. */
export function wholeTrials(size: number, seed: number): NamedTrial[] {
  const random = randomFrom(seed);
  return mutantTrials()
    .map((each) => ({ each, at: random() }))
    .sort((one, other) => one.at - other.at)
    .slice(0, size)
    .map(({ each }) => ({ ...each, trial: { ...each.trial, only: [], until: null }, shorter: null }));
}

/** With the check that found it the last time; what the monitor watches and nobody remembers, under those that show most. */
function shorterOf({ breaks, at }: Mutant, trial: Trial, killers: readonly string[] | null): Trial | null {
  if (killers !== null) return { ...trial, only: killers, jobs: 1 };
  if (at !== undefined || !isWatched(breaks)) return null;
  return { ...trial, only: [...telling, ...idsOfChecksOf([breaks])], jobs: 1 };
}

/**
 * Every answer of a run judges a rule that the monitor watches; these checks get answers of nearly every kind: whatever
 * an operation answers to sound and unsound calls, pages after a cursor, throttled calls, conflicts and what is gone.
 */
const telling = [
  ...["envelope", "authentication.callers", "authentication.scopes"],
  ...["deliveries.near-cursors", "deliveries.near-endpoints", "deliveries.list-while-throttled"],
  ...["limits.bucket-owner", "limits.throttled-replays", "deliveries.replay-expiry", "webhooks.endpoint-limit"],
  ...["webhooks.signed-rotation", "webhooks.unrotatable-ids", "api-keys.grants-documented-scopes"],
] as const;

const idsOfChecksOf = (these: readonly string[]): readonly string[] =>
  allChecks.filter(({ rules }) => rules.some((rule) => these.includes(rule))).map(({ id }) => id);

const checksFor = ({ breaks, at }: Mutant): readonly string[] =>
  at === undefined
    ? [breaks]
    : allChecks.filter((check) => check.operation === at && check.rules.includes(breaks)).map(({ id }) => id);

/**
 * The reference under the whole suite; packs of lawful choices that keep out of each other's way, under what their
 * questions touch, as each would be tried alone, or under the whole suite where they are many; packs of those that meet,
 * under what two of them touch; under the whole suite, packs of what has not been seen under it; and those that something
 * is conceded to only together, alone under that. No choice is in packs of one seed only.
 */
export function lawfulTrials(): NamedTrial[] {
  const [apart, meeting] = [apartPacks(), meetingPacks()];
  const seedOf = (at: number): number => meetingSeeds[at % meetingSeeds.length] ?? apartSeed;
  const trialsOf = (kind: string, packs: readonly Pack[], seed: (at: number) => number): readonly NamedTrial[] =>
    packs.map(({ choices, rules }, at) => packTrial(`${kind} ${at + 1}`, choices, touching(rules), seed(at)));
  return [
    ...[...meetingSeeds, apartSeed].map((seed) =>
      lawful(`reference, seed ${seed}`, "the reference as it is", [], [], seed),
    ),
    // What takes longest comes first, so that nothing waits for one alone at the end.
    ...trialsOf("whole", wholePacks(apart, meeting), seedOf),
    ...trialsOf("apart", apart, () => apartSeed),
    ...trialsOf("pack", meeting, seedOf),
    ...concededTrials(),
  ];
}

/** What is conceded to one choice is seen where that is apart from what touches the same. */
const concededTrials = (): readonly NamedTrial[] =>
  concessions
    .filter(({ choices }) => choices.length > 1)
    .map(({ choices, rules, why }) => ({
      ...lawful(`conceded ${choices.join(" + ")}`, why, choices.map(choiceNamed), touching(rules), 1),
      rules,
    }));

/** Each lawful choice alone, under what its question touches: what packs have in them, for whoever asks about one. */
export const singleTrials = (): NamedTrial[] =>
  lawfulChoices.map((choice) => ({
    ...lawful(choice.name, choice.does, [choice], touching(choice.rules), 1),
    rules: choice.rules,
  }));

function choiceNamed(name: string): LawfulChoice {
  const choice = lawfulChoices.find((each) => each.name === name);
  if (choice === undefined) throw new Error(`concessions.ts names "${name}", and there is no such lawful choice.`);
  return choice;
}

/** For each seed of these lawful trials, one of the reference to hold them against: one of them, where it is there. */
export function referenceTrials(trials: readonly NamedTrial[]): readonly NamedTrial[] {
  const held = trials.filter(({ pack }) => pack.length > 0);
  return [...Map.groupBy(held, ({ trial }) => trial.seed)].map(([seed, those]) => {
    const whole = those.some(({ trial }) => trial.only.length === 0);
    const only = whole ? [] : [...new Set(those.flatMap(({ trial }) => trial.only))];
    const its = trials.find(({ kind, pack, trial }) => kind === "lawful" && pack.length === 0 && trial.seed === seed);
    return its ?? lawful(`reference, seed ${seed}`, "the reference as it is", [], only, seed);
  });
}

/** What to run for these rules; everything where there are none. */
const touching = (these: readonly string[]): readonly string[] =>
  these.some(isWatched) ? [...telling, ...idsOfChecksOf(these)] : these;

/** Lawful choices together; under the whole suite where `only` is empty. */
export const packTrial = (
  name: string,
  pack: readonly LawfulChoice[],
  only: readonly string[],
  seed: number,
): NamedTrial => lawful(name, pack.map((choice) => choice.name).join(" + "), pack, only, seed);

const lawful = (
  name: string,
  does: string,
  pack: readonly LawfulChoice[],
  only: readonly string[],
  seed: number,
): NamedTrial => ({
  kind: "lawful",
  name: `lawful ${name}`,
  ...{ does, rules: [], pack },
  trial: {
    edits: pack.flatMap(({ contrarian }) => contrarian?.id ?? []),
    choices: Object.fromEntries(pack.flatMap(({ option }) => (option ? [[option.name, option.value]] : []))),
    shapes: Object.assign({}, ...pack.map(({ contrarian }) => contrarian?.shapes ?? {})),
    ...{ only, seed, jobs: lawfulJobs, until: null },
  },
  shorter: null,
  judge: (outcome, decided) =>
    judgeLawful(
      pack.map((choice) => choice.name),
      outcome,
      decided && new Set([...decided].filter((rule) => runsAllOf(rule, only))),
    ),
});

/** Whether these, rules or checks, have all checks of a rule run: only then is it told that one is left undecided. */
const runsAllOf = (rule: string, only: readonly string[]): boolean =>
  only.length === 0 || only.includes(rule) || idsOfChecksOf([rule]).every((id) => only.includes(id));
