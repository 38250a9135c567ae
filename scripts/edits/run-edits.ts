import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { styleText } from "node:util";
import { usesColour } from "../commands/uses-colour.ts";
import { withFigures } from "../completeness/completeness.ts";
import { progressLine } from "../soak/progress-line.ts";
import { concernedBy, filesChangedSince } from "./changed-edits.ts";
import { concessions } from "./concessions.ts";
import { type EditsOptions, editsHelp, readEditsOptions } from "./edits-options.ts";
import { decidedIn, type Judgement } from "./judge.ts";
import { type LastRun, lastRun } from "./last-run.ts";
import { lawfulChoices } from "./lawful-choices.ts";
import { joinChoice } from "./lawful-packs.ts";
import { matrixOf } from "./matrix-of.ts";
import { randomPack } from "./random-pack.ts";
import { type JudgedReport, judgedReports, leadsRight, sharesOf } from "./report-shares.ts";
import { smallestPack } from "./smallest-pack.ts";
import type { TrialOutcome } from "./trial.ts";
import {
  lawfulTrials,
  mutantTrials,
  type NamedTrial,
  packTrial,
  referenceTrials,
  singleTrials,
  wholeTrials,
} from "./trials.ts";
import { forLongTrials, forShortTrials, type Next, tryAll } from "./try-edits.ts";

const root = join(import.meta.dirname, "../..");

/** Runs what the arguments ask for, and gives the exit code. A run of everything publishes its outcome. */
export async function runEdits(args: readonly string[]): Promise<0 | 1 | 2> {
  const options = readEditsOptions(args);
  if (options === "help") {
    process.stdout.write(editsHelp);
    return 0;
  }
  const chosen = "problem" in options ? options.problem : await trialsFor(options);
  if ("problem" in options || typeof chosen === "string") {
    process.stderr.write(`error: ${String(chosen)}\n  npm run edits -- --help tells more.\n`);
    return 2;
  }
  const { only, changed, pack, drawn, reports, again } = options;
  const isWhole = only.length === 0 && [changed, pack, drawn, reports].every((asked) => asked === null);
  const record = lastRun();
  const earlier = again ? record.read() : new Map<string, Judgement>();
  if (isWhole && !again) record.clear();
  const { judged: newlyJudged, decided } = await runTrials(chosen, options, isWhole ? record : null);
  const judged = again ? withEarlier(newlyJudged, earlier) : newlyJudged;
  let failed = chosen.filter((each) => judged.get(each)?.holds !== true).length;
  if (isWhole) {
    writeFileSync(join(root, "conformance/MATRIX.md"), matrixOf(judged));
    const readme = join(root, "README.md");
    writeFileSync(readme, withFigures(readFileSync(readme, "utf8")));
    process.stderr.write("conformance/MATRIX.md and the figures of README.md written\n");
    const needed = new Set([...judged.values()].flatMap(({ conceded }) => conceded));
    for (const { choices, leaves, rules } of concessions.filter((each) => !needed.has(each))) {
      process.stderr.write(
        `${choices.join(" + ")}: nothing was ${leaves} of ${rules.join(", ")}; take it out of concessions.ts\n`,
      );
      failed += 1;
    }
  }
  if (options.format === "json") {
    const trials = [...judged].map(([{ name, does }, judgement]) => ({ name, does, ...judgement }));
    process.stdout.write(`${JSON.stringify({ passed: chosen.length - failed, failed, trials }, null, 2)}\n`);
  }
  // Last, since it can take minutes.
  await tellSmallest(judged, decided);
  return failed > 0 ? 1 : 0;
}

/** Identifies a trial in the record. The choices of a pack may change under the same name. */
const keyOf = ({ name, does }: NamedTrial): string => `${name}: ${does}`;

/** Every trial of a whole run. */
const allTrials = (): readonly NamedTrial[] => [...mutantTrials(), ...lawfulTrials()];

/** The judgements of every trial: the new ones, and those of the last whole run. */
function withEarlier(judged: Run["judged"], earlier: ReadonlyMap<string, Judgement>): Run["judged"] {
  const byKey = new Map([...earlier, ...[...judged].map(([each, judgement]) => [keyOf(each), judgement] as const)]);
  return new Map(
    allTrials().flatMap((each) => {
      const judgement = byKey.get(keyOf(each));
      return judgement === undefined ? [] : [[each, judgement] as const];
    }),
  );
}

/** The trials that are asked for; a text says why there are none. */
async function trialsFor({
  only,
  changed,
  pack,
  drawn,
  reports,
  again,
}: EditsOptions): Promise<readonly NamedTrial[] | string> {
  if (again) {
    const earlier = lastRun().read();
    const rest = allTrials().filter((each) => earlier.get(keyOf(each))?.holds !== true);
    return rest.length === 0 ? "Every trial of the last whole run passed." : rest;
  }
  if (pack !== null) return packFor(pack);
  if (drawn !== null)
    return drawn.seeds.map((seed) =>
      packTrial(`pack of ${drawn.size} drawn by ${seed}`, randomPack(drawn.size, seed), [], 1),
    );
  if (reports !== null) return reports.seeds.flatMap((seed) => wholeTrials(reports.size, seed));
  const isWhole = only.length === 0 && changed === null;
  const named = [...mutantTrials(), ...lawfulTrials(), ...(isWhole ? [] : singleTrials())].filter(
    // As it is told and listed, so that a name can be asked for to its end.
    ({ name }) => only.length === 0 || only.some((part) => `${name}:`.includes(part)),
  );
  if (named.length === 0) return `No edit has ${only.map((part) => `"${part}"`).join(" or ")} in its name.`;
  if (changed === null) return named;
  try {
    return named.filter(await concernedBy(filesChangedSince(changed)));
  } catch (problem) {
    return `git does not tell what changed since ${changed || "origin/main"}: ${problem instanceof Error ? problem.message : String(problem)}`;
  }
}

function packFor(names: readonly string[]): readonly NamedTrial[] | string {
  let pack: ReturnType<typeof joinChoice> = [];
  for (const name of names) {
    const choice = lawfulChoices.find((each) => each.name === name);
    if (choice === undefined) return `There is no lawful choice "${name}".`;
    pack = joinChoice(pack, choice);
    if (pack === null) return `${name} cannot stand together with those before it.`;
  }
  return [packTrial("pack of your own", pack, [], 1)];
}

/** Tells of packs that do not hold which of their choices it takes. */
async function tellSmallest(judged: Run["judged"], decided: Run["decided"]): Promise<void> {
  for (const [each, judgement] of judged) {
    if (judgement.holds || each.pack.length < 2) continue;
    const smallest = await smallestPack(each, judgement, decided.get(each.trial.seed) ?? null);
    process.stderr.write(`${each.name} fails so with: ${smallest.map((choice) => choice.name).join(",")}\n`);
  }
}

/** What the reports of mutants have of what is wanted, and where one leads with another rule. */
function tellReports(reports: readonly JudgedReport[], out: Pick<NodeJS.WriteStream, "write">): void {
  if (reports.length === 0) return;
  for (const one of reports.filter((each) => !leadsRight(each)))
    out.write(`the report of ${one.name} leads with ${one.report.primary.join(", ")}, not ${one.breaks}\n`);
  for (const share of sharesOf(reports)) out.write(`${share.have} of ${share.of} reports ${share.wanted}\n`);
}

/** What came of trials. */
interface Run {
  readonly judged: ReadonlyMap<NamedTrial, Judgement>;
  /** Rules that the reference is decided by, by seed. */
  readonly decided: ReadonlyMap<number, ReadonlySet<string>>;
}

async function runTrials(
  chosen: readonly NamedTrial[],
  { format, processes }: Pick<EditsOptions, "format" | "processes">,
  record: LastRun | null,
): Promise<Run> {
  const judged = new Map<NamedTrial, Judgement>();
  const decided = new Map<number, ReadonlySet<string>>();
  const started = Date.now();
  const secondsSince = (): number => (Date.now() - started) / 1000;
  const line = progressLine(process.stderr);
  const out = format === "json" ? process.stderr : process.stdout;
  const coloured = (colour: "green" | "red", text: string): string =>
    usesColour(out) ? styleText(colour, text, { validateStream: false }) : text;
  let processorTotal = 0;
  const judgementOf = (each: NamedTrial, outcome: TrialOutcome): Judgement =>
    each.judge(outcome, decided.get(each.trial.seed) ?? null);
  const tell = (each: NamedTrial, outcome: TrialOutcome): void => {
    const judgement = judgementOf(each, outcome);
    judged.set(each, judgement);
    record?.add(keyOf(each), judgement);
    const { holds, message, checks } = judgement;
    line.end();
    const mark = holds ? coloured("green", "✔") : coloured("red", "✘");
    const said = holds && checks.length > 0 ? `killed by ${checks.join(", ")}` : message.slice(0, 200);
    out.write(`${mark} ${judged.size}/${chosen.length} ${each.name}: ${said}\n`);
    const left = Math.ceil((secondsSince() / judged.size) * (chosen.length - judged.size));
    if (left > 0) line.say(`${judged.size}/${chosen.length} edits, about ${left} s left`);
  };
  const held = referenceTrials(chosen);
  const rest = chosen
    .filter((each) => !held.includes(each))
    .map((each) => ({ each, trial: each.shorter ?? each.trial }));
  const isLong = ({ each: { pack, trial } }: (typeof rest)[number]): boolean =>
    pack.length > 0 || trial.only.length === 0;
  const [long, short] = [rest.filter(isLong), rest.filter((one) => !isLong(one))];
  const tryWith = (next: () => Next<(typeof rest)[number]>, processes: number): Promise<void> =>
    tryAll(
      next,
      processes,
      ({ trial }) => trial,
      ({ each, trial }, { outcome, processorMs }) => {
        processorTotal += processorMs;
        // What survives the shorter one is tried whole, by whoever is free next.
        if (trial === each.trial || judgementOf(each, outcome).holds) tell(each, outcome);
        else short.unshift({ each, trial: each.trial });
      },
    );
  const toHold = [...held];
  const holding = tryAll(
    () => toHold.shift(),
    processes ?? forLongTrials,
    ({ trial }) => trial,
    (each, tried) => {
      processorTotal += tried.processorMs;
      decided.set(each.trial.seed, decidedIn(tried.outcome));
      const { holds, message } = each.judge(tried.outcome, null);
      if (chosen.includes(each)) tell(each, tried.outcome);
      else if (!holds) out.write(`${coloured("red", `${each.name}, which the others are held against: ${message}`)}\n`);
    },
  );
  // Lawful servers are held against the reference, mutants against nothing.
  const nextLong = async () => {
    await holding;
    return long.shift();
  };
  const next = async () => (await nextLong()) ?? short.shift();
  // Trials of one kind compute while those of the other wait. A process that runs out of one kind takes the other.
  if (processes === null)
    await Promise.all([tryWith(next, forLongTrials), tryWith(() => short.shift() ?? nextLong(), forShortTrials)]);
  else await tryWith(next, processes);
  line.end();
  const bad = [...judged].filter(([, { holds }]) => !holds);
  for (const [{ name, does }, { message }] of bad) out.write(`${coloured("red", `${name} (${does}): ${message}`)}\n`);
  const each = processorTotal / 1000 / Math.max(1, judged.size);
  out.write(`${secondsSince().toFixed(0)} s, ${each.toFixed(2)} s of processor time for each\n`);
  out.write(`${judged.size - bad.length} passed, ${bad.length} failed\n`);
  tellReports(judgedReports(judged), out);
  return { judged, decided };
}
