import type { ToldFinding } from "../outcome/verdict.ts";
import { mayLeak } from "../runner/possible-leak.ts";
import { isRead } from "../story/changes.ts";
import { spanText } from "../story/spans.ts";
import type { ToldStep, ToldStory } from "../story/step.ts";
import { ownersOf } from "../story/step-owners.ts";
import { amongText, citedSteps } from "./cited-steps.ts";
import { contrastIn } from "./contrast-text.ts";
import { counted } from "./counted.ts";
import type { Paint } from "./paint.ts";
import { type Aside, asidesOf } from "./story-focus.ts";
import { omittedText, type StoryLine, storyLines, storyLineText } from "./story-lines.ts";
import { labelled, padStart } from "./text-layout.ts";

type Lines = readonly string[];

/**
 * Lines of a story that a terminal shows: those that made what is shown be there, or else the first ones; those that concern
 * it, and the last ones.
 */
const storyParts = { first: 3, arranging: 4, between: 6, last: 7 };

/** How it came to a finding, as far as it is of the organization and the recipient that it is about. */
export function storySection(finding: ToldFinding, paint: Paint, width: number): Lines {
  const { told, exchanges, at } = finding;
  const evidence = new Set(exchanges.map(({ number }) => number));
  const lines = told === null ? [] : storyLines(told, evidence);
  // What the evidence shows by itself needs no telling.
  if (told === null || lines.every(({ shown }) => shown)) return [];
  const failing = failingIn(told, exchanges, at);
  const cited = citedSteps(finding);
  const named = new Set([...cited, ...failing, ...besideIn(told, failing), ...lookedAfter(told, failing)]);
  const contrast = contrastIn(finding);
  const about = contrast === null ? failing : [...failing, contrast.step];
  const asides = asidesOf(told, { about, named, isAcross: mayLeak(finding.rule) });
  const asideOf = ({ number, idle }: StoryLine): Aside | null =>
    asides[number - 1] ?? (idle && !named.has(number) ? "look" : null);
  const shown = linesShown(
    lines.filter((line) => asideOf(line) === null || line.shown),
    named,
  );
  const gap = (from: StoryLine | undefined, to: StoryLine | undefined): Lines =>
    gapLines(
      lines.slice(
        from === undefined ? 0 : lines.indexOf(from) + 1,
        to === undefined ? lines.length : lines.indexOf(to),
      ),
      asideOf,
      told,
      paint,
    );
  const text = shown.flatMap((line, index) => {
    // With whom it took turns is not told where that is left out.
    const inTurn = line.inTurn && [shown[index - 1], shown[index + 1]].some((beside) => beside?.inTurn === true);
    const said = `${storyLineText({ ...line, inTurn }).slice(`${line.number}. `.length)}${amongText(line, cited)}`;
    return [
      ...gap(shown[index - 1], line),
      ...labelled(`  ${padStart(`${line.number}.`, 4)} `, line.shown ? paint.bold(said) : said, 7, width),
    ];
  });
  return [
    "",
    `  ${paint.dim("how it came to this")}`,
    ...text,
    ...gap(shown.at(-1), undefined),
    ...omittedLines(told, paint),
  ];
}

const omittedLines = (told: ToldStory, paint: Paint): Lines =>
  told.omitted > 0 ? [`       ${paint.dim(`(${omittedText(told)}, and not counted)`)}`] : [];

/** How many steps are left out between two that are shown, and whose they are where that is why. */
function gapLines(
  left: readonly StoryLine[],
  asideOf: (line: StoryLine) => Aside | null,
  { steps: all }: ToldStory,
  paint: Paint,
): Lines {
  if (left.length === 0) return [];
  const why = [...new Set(left.map(asideOf))].flatMap((aside) => (aside === null ? [] : asideTexts[aside]));
  const isAside = left.every((line) => asideOf(line) !== null);
  const steps = counted(
    left.reduce((sum, { numbers }) => sum + numbers.length, 0),
    "more step",
  );
  // How long was looked for what did not come.
  const [from, to] = [all[(left[0]?.number ?? 0) - 1]?.at ?? 0, all[(left.at(-1)?.number ?? 0) - 1]?.at ?? 0];
  const isLook = why.length === 1 && why[0] === asideTexts.look && to - from >= longLook;
  const over = isLook ? `, for ${spanText(1000 * Math.round((to - from) / 1000))},` : "";
  return [`       ${paint.dim(`… ${steps}${isAside ? ` ${why.join(" or ")}${over}` : ""} in the report`)}`];
}

/** Milliseconds of looking that are told. */
const longLook = 2_000;

const asideTexts: Readonly<Record<Aside, string>> = {
  organization: "of other organizations",
  recipient: "about other recipients",
  look: "that only looked",
};

/** Numbers of the steps that show the failure: the last call of the evidence, and those that it points at. */
function failingIn(
  { steps }: ToldStory,
  exchanges: ToldFinding["exchanges"],
  at: ToldFinding["at"],
): readonly number[] {
  const pointed = at.flatMap(({ in: whole }) => (whole?.kind === "exchange" ? [whole.number] : []));
  const failing = new Set([exchanges.at(-1)?.number, ...pointed]);
  return steps.flatMap(({ exchange }, index) => (exchange !== null && failing.has(exchange) ? [index + 1] : []));
}

/** Numbers of the looks at the state of an organization that tell what a failing call left there. */
function lookedAfter({ steps }: ToldStory, failing: readonly number[]): readonly number[] {
  const ownerOf = ownersOf(steps);
  return failing.flatMap((number) => {
    const failed = steps[number - 1];
    const owner = failed === undefined ? null : ownerOf(failed);
    const later = steps.slice(number);
    const next = later.findIndex((step) => ownerOf(step) === owner && !isRead(step));
    return owner !== null && later[next]?.tells !== undefined ? [number + next + 1] : [];
  });
}

/** Calls beside a failure that are told. */
const mostBeside = 3;

/** Numbers of the steps that asked for the same while the failure was under way: where it comes of their meeting, they explain it. */
function besideIn({ steps }: ToldStory, failing: readonly number[]): readonly number[] {
  return failing.flatMap((number) => {
    const failed = steps[number - 1];
    const addressOf = (step: ToldStep | undefined): string | undefined => step?.request?.url.split("?")[0];
    if (failed?.until === undefined) return [];
    return steps
      .flatMap((step, index) => {
        const isMeeting = step.at <= (failed.until ?? 0) && (step.until ?? 0) >= failed.at;
        return step !== failed && isMeeting && addressOf(step) === addressOf(failed) ? [index + 1] : [];
      })
      .slice(-mostBeside);
  });
}

function linesShown(lines: readonly StoryLine[], named: ReadonlySet<number>): readonly StoryLine[] {
  const { first, arranging, between, last } = storyParts;
  if (lines.length <= first + last) return lines;
  const isNamed = ({ numbers }: StoryLine): boolean => numbers.some((one) => named.has(one));
  const end = lines.filter(({ idle, shown }) => shown || !idle).slice(-last);
  const arrange = lines.filter(({ arranges }) => arranges).slice(0, arranging);
  const begin = arrange.length > 0 ? arrange : lines.slice(0, first);
  const middle = lines.filter((line) => !begin.includes(line) && !end.includes(line));
  // What is no more, or is another by now, explains most.
  const altering = middle.filter(({ alters }) => alters).slice(-between);
  const concerning = [...middle.filter(({ concerns }) => concerns).slice(-between), ...altering];
  return lines.filter(
    (line) => begin.includes(line) || concerning.includes(line) || end.includes(line) || isNamed(line),
  );
}
