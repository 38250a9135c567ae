import { rowNamed } from "../exchange/admits.ts";
import type { ToldFinding } from "../outcome/verdict.ts";
import { isRead } from "../story/changes.ts";
import { type Contrast, contrastOf, differencesFrom, isOfMadeUp } from "../story/contrast.ts";
import { type Kin, kinOf } from "../story/kin.ts";
import { changesBetween, type Likeness, othersBetween, unheededOf, unmovedOf } from "../story/likeness.ts";
import { credentialOf, pathOf } from "../story/names.ts";
import { secondsOf } from "../story/passed.ts";
import { spanText } from "../story/spans.ts";
import type { ToldStep, ToldStory } from "../story/step.ts";

/**
 * What went the other way: the same call, such as "step 4, the same call as ${KEY_2}: 403", for a finding about whether a
 * call is served, and calls that left alone what this one changed; null where the check made neither.
 */
export function contrastText(finding: Told): string | null {
  const texts = contrastTexts(finding);
  return texts.length === 0 ? null : texts.join("; ");
}

/** The same one by one. */
export const contrastTexts = (finding: Told): readonly string[] =>
  [
    kinText(finding),
    callText(finding),
    heldText(finding),
    unmovedText(finding),
    unheededText(finding),
    sparedText(finding),
  ].filter((text) => text !== null);

type Told = Pick<ToldFinding, "told" | "at" | "came" | "admits" | "spared"> &
  Partial<Pick<ToldFinding, "tally" | "exchanges">>;

/** Another operation that did it right. */
function kinText(finding: Told): string | null {
  const kin = kinIn(finding);
  return kin === null ? null : `step ${kin.step}, ${kin.route} with ${kin.shares}: ${answerOf(finding.told, kin.step)}`;
}

/** Only of what was to be refused with a certain code. */
function kinIn({ told, at }: Told): Kin | null {
  const place = at.find(
    ({ part, in: whole, admitted }) => whole?.kind === "exchange" && isAboutStatus(part) && admitted,
  );
  return told === null || place?.in == null ? null : kinOf(told, place.in.number, place.admitted ?? "");
}

/** The nearest call like it of which the rule held, for a finding that is not about whether it is served. */
function heldText(finding: Told): string | null {
  const held = heldIn(finding);
  if (held === null) return null;
  const differs = held.differs.length === 0 ? "" : ` ${held.differs.join(", ")}`;
  return `step ${held.step}, the same call${differs}, after which it was as it is to be`;
}

function heldIn({ told, at, tally = null, exchanges = [] }: Told): { step: number; differs: readonly string[] } | null {
  const asked = exchanges.at(-1);
  // What a delivery shows is no fault of the call that stands beside it.
  const isOfCall = at.every(({ part, in: whole }) => !isAboutStatus(part) && whole?.kind !== "delivery");
  if (told === null || tally === null || asked === undefined || !isOfCall) return null;
  const shown = told.steps.find(({ exchange }) => exchange === asked.number)?.request;
  if (shown == null) return null;
  const held = tally.held.flatMap((step) => {
    const request = told.steps[step - 1]?.request;
    return request == null ? [] : [{ step, differs: differencesFrom(request, shown) }];
  });
  return held.toSorted((a, b) => a.differs.length - b.differs.length || b.step - a.step).at(0) ?? null;
}

function callText(finding: Told): string | null {
  const contrast = contrastIn(finding);
  if (contrast === null) return null;
  const { step, differs, isSameInstant, standing, settings } = contrast;
  const organization = settings.length === 0 ? "" : `, of an organization ${settings.join(", ")}`;
  const same = isSameInstant ? ", which is the same instant" : "";
  // What differs in nothing but what each call has for itself was before something, or after it.
  const since = sinceIn(finding, contrast);
  const before = since.length === 0 ? "" : ` before ${changesText(finding.told, since)}`;
  const by = differs.length === 0 ? "" : ` ${differs.join(", ")}`;
  const there = standing.length === 0 ? "" : `; there ${standing.join(", ")}`;
  return `step ${step}, the same call${by}${before}${same}${organization}: ${answerOf(finding.told, step)}${there}`;
}

/**
 * Numbers of the steps between the failing call and the very same before it, which may be why they were answered otherwise:
 * what changed something or let time pass, or else the first that served another caller the same.
 */
function sinceIn({ told, at }: Told, { step, differs }: Contrast): readonly number[] {
  const place = at.find(({ part, in: whole }) => whole?.kind === "exchange" && isAboutStatus(part));
  if (told === null || place?.in == null || !differs.every(isOfMadeUp)) return [];
  const changes = changesBetween(told, step, place.in.number);
  return changes.length > 0 || differs.length > 0 ? changes : othersBetween(told, step, place.in.number).slice(0, 1);
}

/** A call that went the other way, told where its story is not. */
export interface ContrastElsewhere {
  /** What differs in it, without the values. */
  readonly by: string;
  /** Such as `the same call with limit 5: 200`. */
  readonly says: string;
}

/** The call that went the other way and differs in one thing alone; null for none. */
export function contrastElsewhere(finding: Told): ContrastElsewhere | null {
  const contrast = contrastIn(finding);
  const [differs, ...others] = contrast?.differs ?? [];
  if (contrast === null || differs === undefined || others.length > 0 || contrast.settings.length > 0) return null;
  return {
    by: byOf(differs),
    says: `the same call ${differs}${contrast.isSameInstant ? ", which is the same instant" : ""}: ${answerOf(finding.told, contrast.step)}`,
  };
}

/** What a finding's own contrast differs in. */
export const contrastedBy = (finding: Told): readonly string[] => (contrastIn(finding)?.differs ?? []).map(byOf);

const byOf = (differs: string): string => differs.replace(/^(with|without) (\S+).*$/s, "$2").replace(/\$\{\w+\}/g, "·");

/** The call that went the other way, for a finding about whether a call is served; null where the check made none. */
export function contrastIn({ told, at, admits = [] }: Told): Contrast | null {
  const place = at.find(({ part, in: whole }) => whole?.kind === "exchange" && isAboutStatus(part));
  const codes = admits.flatMap((one) => (one === "success" ? [] : rowNamed(one).code));
  return told === null || place?.in == null ? null : contrastOf(told, place.in.number, codes);
}

/** The same call before something changed, which was answered as it is now; null where the check made none. */
function unmovedText(finding: Told): string | null {
  const likeness = unmovedIn(finding);
  if (likeness === null || finding.told === null) return null;
  const { step, since } = likeness;
  return `step ${step}, the same call before ${changesText(finding.told, since)}: ${answerOf(finding.told, step)} as well`;
}

/** The last of several changes, each with what it was, and how many more there were. */
function changesText(told: ToldStory | null, since: readonly number[]): string {
  const named = since.slice(-mostSince);
  const what = named.map((number) => `step ${number} (${changeText(told?.steps[number - 1])})`).join(", ");
  return `${what}${since.length > named.length ? ` and ${since.length - named.length} more` : ""}`;
}

/** Changes that are named: the last ones. */
const mostSince = 2;

function changeText(step: ToldStep | undefined): string {
  if (step?.through === "api" && step.request !== null) {
    const call = `${step.request.method} ${pathOf(step.request.url).split("?")[0]}`;
    const by = credentialOf(step.request);
    return isRead(step) && by !== undefined ? `${call} as ${by.replace(/^Bearer +/i, "")}` : call;
  }
  const seconds = step === undefined ? 0 : secondsOf(step);
  return `${step?.what ?? "time passed"}${seconds > 0 ? ` by ${spanText(1000 * seconds)}` : ""}`;
}

/** A call that has one thing less, which was refused alike; null where the check made none. */
function unheededText(finding: Told): string | null {
  const likeness = unheededIn(finding);
  return likeness === null || finding.told === null
    ? null
    : `step ${likeness.step}, the same call ${likeness.without}: ${answerOf(finding.told, likeness.step)} as well`;
}

function answerOf(told: ToldStory | null, number: number): string {
  const outcome = told?.steps[number - 1]?.outcome;
  return outcome?.kind === "response" ? [outcome.status, outcome.code ?? []].flat().join(" ") : "no answer";
}

/** Numbers of the steps that the text names. */
export const contrastSteps = (finding: Told): readonly number[] => [
  ...[kinIn(finding), contrastIn(finding), heldIn(finding), unheededIn(finding)].flatMap((one) => one?.step ?? []),
  ...[contrastIn(finding)].flatMap((one) => (one === null ? [] : sinceIn(finding, one).slice(-mostSince))),
  ...[unmovedIn(finding)].flatMap((one) => (one === null ? [] : [one.step, ...one.since.slice(-mostSince)])),
];

/** The call of which it is told whether it was served; null for any other finding. */
function judgedIn({ told, at, came }: Told): number | null {
  const place = at.find(({ part, in: whole }) => whole?.kind === "exchange" && isAboutStatus(part));
  return told === null || came == null || place?.in == null ? null : place.in.number;
}

function unmovedIn(finding: Told): Likeness | null {
  const number = judgedIn(finding);
  return number === null || finding.told === null ? null : unmovedOf(finding.told, number);
}

/** Only of what was to be served: what is refused is so for any defect that it has. */
function unheededIn(finding: Told): Likeness | null {
  const { admits = [], came, told } = finding;
  const number = judgedIn(finding);
  const isRefused = came?.isSuccess === false && (admits.length === 0 || admits.includes("success"));
  return number === null || told === null || !isRefused ? null : unheededOf(told, number);
}

function sparedText({ spared = [] }: Pick<ToldFinding, "spared">): string | null {
  const answers = [...Map.groupBy(spared, (text) => text)].map(([text, { length }]) =>
    length === 1 ? text : `${text} ×${length}`,
  );
  return answers.length === 0 ? null : `nothing changed after ${answers.sort().join(", ")}`;
}

const isAboutStatus = (part: ToldFinding["at"][number]["part"]): boolean =>
  part.kind === "status" || (part.kind === "member" && part.pointer === "/error/code");
