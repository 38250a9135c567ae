import { abstracted } from "../evidence/abstracted.ts";
import { namesIn, valuesIn } from "../evidence/json-pointer.ts";
import { objectOf, type SentRequest } from "../exchange/exchange.ts";
import { atOnceAmong } from "../story/at-once.ts";
import { credentialOf, namedIn, namedInAddress, namedWithoutHeaders, pathOf } from "../story/names.ts";
import { secondsOf } from "../story/passed.ts";
import { mostScopesText } from "../story/scope-words.ts";
import { momentOf } from "../story/spans.ts";
import { asBefore } from "../story/states.ts";
import type { Answered, Given, ToldStep, ToldStory } from "../story/step.ts";
import { counted } from "./counted.ts";
import { isPlumbing } from "./headers.ts";
import { printableLine } from "./printable.ts";

/** A line of a story: one step, or several alike that follow each other. */
export interface StoryLine {
  /** Number of the first of its steps, from 1. */
  readonly number: number;
  /** Those of all of them: several of steps alike. */
  readonly numbers: readonly number[];
  /** What was done, such as "POST /v1/api-keys as ${KEY_1} {…}". */
  readonly asked: string;
  /** What came of it, such as "201, gives ${SECRET_7}"; empty where nothing can. */
  readonly came: string;
  /** The time of its organization where that stands still; null for any other, and where it is not told. */
  readonly now: string | null;
  /** Headers, by name, in which the steps alike differ. */
  readonly varied: readonly string[];
  /** They took turns with those of the lines beside it. */
  readonly inTurn: boolean;
  /** It was under way while another step was. */
  readonly atOnce: boolean;
  /** The step is part of the evidence. */
  readonly shown: boolean;
  /** It gave what the evidence is asked with, or the organization of that. */
  readonly arranges: boolean;
  /** The step does nothing by which anything could be another: it looks and sees what it saw, or moves time by nothing. */
  readonly idle: boolean;
  /** The step moves time, or makes or changes a record or a credential that the evidence asks with. */
  readonly concerns: boolean;
  /** The step deleted or changed a record of the kind that the evidence is about. */
  readonly alters: boolean;
}

/** Characters of a request's body, or of what it was for, in a line. */
const textLimit = 120;
/** Of what the sandbox is asked for, which is what sets a story apart from others. */
const arrangedLimit = 400;

/** A story as numbered lines; `evidence` has the numbers of the exchanges that show the finding. */
export function storyLines({ steps }: ToldStory, evidence: ReadonlySet<number>): readonly StoryLine[] {
  const lines: StoryLine[] = [];
  const names = new Set(
    steps.flatMap(({ exchange, request }) =>
      exchange !== null && evidence.has(exchange) && request !== null ? namedIn(request) : [],
    ),
  );
  // What another caller was shown of the same may be kept for this one.
  const asked = new Map(
    steps.flatMap(({ exchange, request }) =>
      exchange !== null && evidence.has(exchange) && request !== null ? [[request.url, credentialOf(request)]] : [],
    ),
  );
  const isOfOther = ({ request }: ToldStep): boolean =>
    request?.method === "GET" && asked.has(request.url) && asked.get(request.url) !== credentialOf(request);
  const together = atOnceAmong(steps);
  const givers = giversOf(steps, names);
  const organizations = new Set([...givers].flatMap(idsIn));
  const collections = new Set(
    steps.flatMap(({ exchange, request }) =>
      exchange !== null && evidence.has(exchange) && request !== null ? [collectionOf(request)] : [],
    ),
  );
  for (const [index, step] of steps.entries()) {
    const line: StoryLine = {
      ...{
        number: index + 1,
        numbers: [index + 1],
        asked: askedOf(step),
        came: cameOf(step),
        varied: [],
        inTurn: false,
      },
      now: step.now ?? null,
      atOnce: together.has(step),
      shown: step.exchange !== null && evidence.has(step.exchange),
      arranges: givers.has(step),
      idle: isIdle(step),
      concerns: isAbout(step, names) || tellsChange(step, organizations) || isOfOther(step),
      alters: isAltering(step) && step.request !== null && collections.has(collectionOf(step.request)),
    };
    const last = lines.at(-1);
    if (
      last !== undefined &&
      !line.shown &&
      !last.shown &&
      !last.inTurn &&
      last.atOnce === line.atOnce &&
      last.idle === line.idle &&
      isRepeat(steps[index - 1], step) &&
      isAskedAlike(steps[index - 1], step, names) &&
      (!line.concerns || (last.concerns && steps[index - 1]?.request?.url === step.request?.url))
    )
      lines[lines.length - 1] = {
        ...{ ...last, numbers: [...last.numbers, ...line.numbers] },
        varied: [...new Set([...last.varied, ...variedHeaders(steps[last.number - 1], step)])],
      };
    else lines.push(line);
    for (const length of cycles) foldCycle(lines, length, steps, names);
  }
  return lines;
}

/** Names of a step's own headers whose values are not those of another one. */
const variedHeaders = (one: ToldStep | undefined, { request }: ToldStep): readonly string[] =>
  request === null
    ? []
    : ownHeaders(request).flatMap(([name, value]) =>
        Object.entries(one?.request?.headers ?? {}).some(([other, its]) => other === name && its !== value)
          ? [name]
          : [],
      );

/** Lines of what is done again and again, as in a wait: some follow each other. */
const cycles = [2, 3, 4];

/** As many lines that do what as many before them did become one with them. */
function foldCycle(lines: StoryLine[], length: number, steps: readonly ToldStep[], names: ReadonlySet<string>): void {
  const last = lines.slice(-length);
  const before = lines.slice(-2 * length, -length);
  if (before.length < length) return;
  const isAgain = (one: StoryLine, other: StoryLine): boolean =>
    one.came === other.came &&
    one.atOnce === other.atOnce &&
    !one.shown &&
    !other.shown &&
    one.numbers.length === before[0]?.numbers.length &&
    other.numbers.length === 1 &&
    (one.asked === other.asked || isTriedAgain(steps[one.number - 1], steps[other.number - 1], names));
  if (!before.every((one, index) => last[index] !== undefined && isAgain(one, last[index]))) return;
  const folded = before.map((one, index) => ({
    ...{ ...one, inTurn: true },
    numbers: [...one.numbers, ...(last[index]?.numbers ?? [])],
  }));
  lines.splice(-2 * length, 2 * length, ...folded);
}

/** Whether a step tries what another did with a value of its own, and nothing later hangs on either. */
const isTriedAgain = (one: ToldStep | undefined, other: ToldStep | undefined, names: ReadonlySet<string>): boolean =>
  other !== undefined && isRepeat(one, other) && isAskedAlike(one, other, names);

/** Whether a call changed or deleted a record that was there. */
const isAltering = ({ through, request, outcome }: ToldStep): boolean =>
  through === "api" &&
  /^(PATCH|PUT|DELETE)$/.test(request?.method ?? "") &&
  outcome?.kind === "response" &&
  outcome.status < 400;

/** The address of the records of one kind that a request is about one or several of. */
const collectionOf = ({ url }: SentRequest): string =>
  /^[^?]*?(?=\/(?!v\d+(?:\/|$))[^/?]*\d|\?|$)/.exec(pathOf(url))?.[0] ?? "";

/** What gave one of these names through the sandbox, and what gave the organization in which it did. */
function giversOf(steps: readonly ToldStep[], names: ReadonlySet<string>): ReadonlySet<ToldStep> {
  const own = steps.filter(
    ({ through, gives }) => through === "sandbox" && gives.some(({ value }) => names.has(value)),
  );
  const within = new Set(own.flatMap(({ request }) => (request === null ? [] : namedIn(request))));
  const above = steps.filter(
    ({ through, gives }) => through === "sandbox" && gives.some(({ value }) => within.has(value)),
  );
  return new Set([...above, ...own]);
}

/** Ids, and no secrets, in the address of a step and in what it gave. */
const idsIn = ({ request, gives }: ToldStep): readonly string[] =>
  [...(request === null ? [] : namedInAddress(request)), ...gives.map(({ value }) => value)].filter(
    (name) => !name.startsWith("${"),
  );

/** Whether a step passes time, or does more than read and has to do with one of these records or secrets. */
function isAbout(step: ToldStep, names: ReadonlySet<string>): boolean {
  const { request, gives } = step;
  if (secondsOf(step) > 0) return true;
  if (request === null || request.method === "GET") return false;
  const own = [...namedIn(request), ...gives.map(({ value }) => value)];
  return own.some((name) => names.has(name));
}

/** Whether a step shows that one of these organizations is not as it was. */
const tellsChange = ({ tells, request }: ToldStep, organizations: ReadonlySet<string>): boolean =>
  tells !== undefined &&
  tells !== asBefore &&
  request !== null &&
  namedIn(request).some((name) => organizations.has(name));

const isIdle = ({ tells, through, request }: ToldStep): boolean =>
  tells === asBefore || (through === "sandbox" && objectOf(bodyIn(request))?.seconds === 0);

/** Whether two steps are about the same of what the evidence names, secrets aside. */
function isAskedAlike(before: ToldStep | undefined, { request }: ToldStep, names: ReadonlySet<string>): boolean {
  const about = (one: SentRequest | null | undefined): string =>
    one == null
      ? ""
      : namedWithoutHeaders(one)
          .filter((name) => names.has(name))
          .join(" ");
  return about(before?.request) === about(request);
}

/** Whether a step does the same as the one before, and nothing later hangs on either. */
const isRepeat = (before: ToldStep | undefined, step: ToldStep): boolean =>
  before !== undefined &&
  before.gives.length === 0 &&
  step.gives.length === 0 &&
  kindOf(before) === kindOf(step) &&
  cameOf(before) === cameOf(step);

/** What steps alike share: who asks, and the request without ids and other values. */
function kindOf({ through, what, request }: ToldStep): string {
  if (request === null) return `${through} ${what}`;
  const headers = ownHeaders(request).map(([name]) => name.toLowerCase());
  const [path = "", query = ""] = pathOf(request.url).split("?");
  // What the sandbox is asked for is what sets one of its calls apart from another.
  const arranged = through === "sandbox" ? [abstracted(request.body ?? "").replace(/\d+/g, "·")] : [];
  const alike = [path.replace(/[^/]*\d[^/]*/g, "·"), ...new URLSearchParams(query).keys(), ...arranged];
  return [through, what, request.method, ...alike, credentialOf(request), ...headers, ...membersOf(request)].join(" ");
}

/** Names of what a request's body has at its top. */
const membersOf = (request: SentRequest): readonly string[] => Object.keys(objectOf(bodyIn(request)) ?? {}).sort();

/** The JSON of a body; undefined for none. */
function bodyIn(request: SentRequest | null): unknown {
  try {
    return JSON.parse(request?.body ?? "");
  } catch {
    return undefined;
  }
}

/** Headers that make a request another one: neither its credential nor what every request of its kind has. */
const ownHeaders = ({ headers }: SentRequest): readonly (readonly [name: string, value: string])[] =>
  Object.entries(headers).filter(([name, value]) => {
    const lower = name.toLowerCase();
    return !isPlumbing(lower) && lower !== "authorization" && !(lower === "content-type" && value === jsonType);
  });

const jsonType = "application/json";

function askedOf({ through, what, request }: ToldStep): string {
  if (through === "sandbox" && what !== null)
    return printableLine(`sandbox: ${clipped(what)}${isSaid(request, what) ? "" : bodyOf(request, arrangedLimit)}`);
  if (through !== "api" || request === null) return printableLine(what ?? through);
  const { method, url } = request;
  const credential = credentialOf(request);
  const as = credential === undefined ? "without a credential" : `as ${credential.replace(/^Bearer /, "")}`;
  const own = ownHeaders(request).map(([name, value]) => `, ${name}: ${clipped(value)}`);
  return printableLine(`${method} ${shortPath(url)} ${as}${own.join("")}${bodyOf(request)}`);
}

function bodyOf(request: SentRequest | null, limit?: number): string {
  const body = request?.body ?? "";
  return body === "" ? "" : ` ${clipped(withShortLists(body), limit)}`;
}

/** Items of a list that is told whole. */
const mostItems = 4;

/** A body of JSON of whose long lists of scopes those that are missing, and of others the ends stand there, and how many are in between; any other as it is. */
function withShortLists(body: string): string {
  let isShortened = false;
  const shortened = (_: string, value: unknown): unknown => {
    if (!Array.isArray(value) || value.length <= mostItems) return value;
    isShortened = true;
    const scopes = mostScopesText(value.map(String));
    if (scopes !== null) return scopes;
    return [value[0], `… ${value.length - 2} more …`, value.at(-1)];
  };
  try {
    const text = JSON.stringify(JSON.parse(body), shortened);
    return isShortened ? text : body;
  } catch {
    return body;
  }
}

/** Whether what a call was for names all that its body holds, as that of a key names its scopes. */
function isSaid(request: SentRequest | null, what: string): boolean {
  const values = [...valuesIn(bodyIn(request))].map(([, value]) => value);
  return values.every((value) => (typeof value === "object" && value !== null) || what.includes(String(value)));
}

const clipped = (text: string, limit = textLimit): string => (text.length > limit ? `${text.slice(0, limit)}…` : text);

function cameOf({ outcome, gives, tells }: ToldStep): string {
  if (outcome === null) return "";
  const answer = outcome.kind === "lost" ? `no response: ${outcome.reason}` : answeredWith(outcome);
  if (tells !== undefined) return printableLine(`${answer}, ${tells}`);
  return gives.length === 0 ? answer : printableLine(`${answer}, gives ${gives.map(givenText).join(", ")}`);
}

/** A status, with the code of a refusal or what a record was. */
function answeredWith({ status, code, state }: Answered): string {
  const word = code ?? state;
  return printableLine(word === undefined ? String(status) : `${status} ${clipped(word, codeLimit)}`);
}

/** A value, and of a moment, which does not say what it is one of, its name. */
const givenText = ({ pointer, value }: Given): string =>
  momentOf(value) === null ? shortValue(value) : `${namesIn(pointer).at(-1) ?? ""} ${value}`.trim();

/** Characters of a refusal's code, and of a record's status. */
const codeLimit = 40;

/** Characters of a value that a line shows whole: a cursor is longer, and its beginning tells it from others. */
const valueLimit = 48;

const shortValue = (value: string): string =>
  value.length > valueLimit ? `${value.slice(0, valueLimit / 2)}…` : value;

/** Path and query with no longer values. */
const shortPath = (url: string): string =>
  pathOf(url).replace(/(?<==)[^&]*/g, (value) => (value.includes("${") ? value : shortValue(value)));

/** A line as text, with its number. */
export const storyLineText = (line: StoryLine): string =>
  `${line.number}. ${line.shown && line.now !== null ? `at ${line.now}: ` : ""}${line.asked}${line.came === "" ? "" : ` → ${line.came}`}${timesText(line)}${line.atOnce ? " (at once)" : ""}`;

/** How often a line was done, such as " ×5, not with the same idempotency-key"; empty for once. */
export const timesText = ({ numbers, varied, inTurn }: StoryLine): string =>
  numbers.length === 1
    ? ""
    : ` ×${numbers.length}${inTurn ? " in turn" : ""}${varied.length === 0 ? "" : `, not with the same ${varied.join(", ")}`}`;

/** What a story leaves out; empty when it is whole. */
export const omittedText = ({ omitted }: ToldStory): string =>
  omitted === 0 ? "" : `${counted(omitted, "step")} in the middle left out`;
