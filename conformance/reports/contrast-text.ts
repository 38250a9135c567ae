import type { ToldFinding } from "../outcome/verdict.ts";
import { type Contrast, contrastOf } from "../story/contrast.ts";
import { type Likeness, unheededOf, unmovedOf } from "../story/likeness.ts";
import { pathOf } from "../story/names.ts";
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
  [callText(finding), unmovedText(finding), unheededText(finding), sparedText(finding)].filter((text) => text !== null);

type Told = Pick<ToldFinding, "told" | "at" | "came" | "admits" | "spared">;

function callText(finding: Told): string | null {
  const contrast = contrastIn(finding);
  if (contrast === null) return null;
  const { step, status, differs, isSameInstant, settings } = contrast;
  const organization = settings.length === 0 ? "" : `, of an organization ${settings.join(", ")}`;
  const same = isSameInstant ? ", which is the same instant" : "";
  return `step ${step}, the same call${differs.length === 0 ? "" : ` ${differs.join(", ")}`}${same}${organization}: ${status}`;
}

/** The call that went the other way, for a finding about whether a call is served; null where the check made none. */
export function contrastIn({ told, at }: Told): Contrast | null {
  const place = at.find(({ part, in: whole }) => whole?.kind === "exchange" && isAboutStatus(part));
  return told === null || place?.in == null ? null : contrastOf(told, place.in.number);
}

/** The same call before something changed, which was answered as it is now; null where the check made none. */
function unmovedText(finding: Told): string | null {
  const likeness = unmovedIn(finding);
  if (likeness === null || finding.told === null) return null;
  const { step, since } = likeness;
  const named = since.slice(-mostSince);
  const what = named.map((number) => `step ${number} (${changeText(finding.told?.steps[number - 1])})`).join(", ");
  const more = since.length > named.length ? ` and ${since.length - named.length} more` : "";
  return `step ${step}, the same call before ${what}${more}: ${answerOf(finding.told, step)} as well`;
}

/** Changes that are named: the last ones. */
const mostSince = 2;

const changeText = (step: ToldStep | undefined): string =>
  step?.through === "api" && step.request !== null
    ? `${step.request.method} ${pathOf(step.request.url).split("?")[0]}`
    : (step?.what ?? "time passed");

/** A call that has one thing less, which was refused alike; null where the check made none. */
function unheededText(finding: Told): string | null {
  const likeness = unheededIn(finding);
  return likeness === null || finding.told === null
    ? null
    : `step ${likeness.step}, the same call ${likeness.without}: ${answerOf(finding.told, likeness.step)} as well`;
}

function answerOf({ steps }: ToldStory, number: number): string {
  const outcome = steps[number - 1]?.outcome;
  return outcome?.kind === "response" ? [outcome.status, outcome.code ?? []].flat().join(" ") : "no answer";
}

/** Numbers of the steps that the text names. */
export const contrastSteps = (finding: Told): readonly number[] => [
  ...[contrastIn(finding), unheededIn(finding)].flatMap((one) => one?.step ?? []),
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
