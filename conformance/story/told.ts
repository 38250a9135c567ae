import { valuesIn } from "../evidence/json-pointer.ts";
import { objectOf, type SentRequest } from "../exchange/exchange.ts";
import type { Secrets } from "../exchange/redaction.ts";
import { parsedBody } from "./parsed-body.ts";
import { standingClocks } from "./standing-clocks.ts";
import { statesIn } from "./states.ts";
import type { Answered, Given, Step, StorySoFar, ToldStep, ToldStory } from "./step.ts";
import { standingsIn } from "./told-before.ts";

/** Steps of a story that reports keep: the first ones, which arrange what is used, and the last ones, which show it. */
const mostKept = { first: 60, last: 140 };

/**
 * The steps with what later ones use of their answers. Where a request was made with something that none of them gave,
 * the step that gave it comes first: one of those before, else the one that `issuer` knows for a secret.
 */
export function toldStory({ steps, before }: StorySoFar, issuer: (secret: string) => Step | null): ToldStory {
  const all = withIssuers(steps, (value) => before.find((step) => givenBy(step).has(value)) ?? issuer(value));
  const kept = keptOf(all);
  const source = new Map<string, { readonly step: Step; readonly pointer: string }>();
  const gives = new Map<Step, Given[]>();
  for (const step of kept) {
    for (const token of tokensOf(step.request)) {
      const from = source.get(token);
      // What the kit chose itself, an answer only echoes.
      if (from === undefined) source.set(token, { step, pointer: "" });
      else if (from.pointer !== "") addOnce(gives, from.step, { pointer: from.pointer, value: token });
    }
    for (const [value, pointer] of givenBy(step)) if (!source.has(value)) source.set(value, { step, pointer });
  }
  const states = statesIn(kept);
  const standings = standingsIn(kept, issuer);
  const told = kept.map((step): ToldStep => {
    const tells = states.get(step);
    const standing = standings.get(step) ?? [];
    return {
      ...{ ...step, gives: gives.get(step) ?? [] },
      ...(tells === undefined ? {} : { tells }),
      ...(standing.length === 0 ? {} : { standing }),
    };
  });
  const clocks = standingClocks(told);
  return {
    steps: told.map((step) => {
      const now = clocks.get(step);
      return now === undefined ? step : { ...step, now };
    }),
    omitted: all.length - kept.length,
  };
}

/** The same without secrets. */
export const redactedStory = ({ steps, omitted }: ToldStory, secrets: Secrets): ToldStory => ({
  omitted,
  steps: steps.map((step) => ({
    ...step,
    what: step.what === null ? null : secrets.redact(step.what),
    request: step.request === null ? null : secrets.redactRequest(step.request),
    outcome: step.outcome?.kind === "response" ? answerWithout(step.outcome, secrets) : step.outcome,
    ...(step.standing && {
      standing: step.standing.map(([name, text]) => [secrets.redact(name), secrets.redact(text)]),
    }),
    gives: step.gives.map((given) => ({ ...given, value: secrets.redact(given.value) })),
  })),
});

/** An answer's status, and the code of a refusal or the status of a record. */
function answerWithout({ kind, status, json }: Answered, secrets: Secrets): Answered {
  const answer: Answered = { kind, status, json: undefined };
  const { error, data } = objectOf(json) ?? {};
  const code = status < 400 ? undefined : objectOf(error)?.code;
  if (typeof code === "string") return { ...answer, code: secrets.redact(code) };
  const state = status < 400 ? objectOf(data)?.status : undefined;
  return typeof state === "string" ? { ...answer, state: secrets.redact(state) } : answer;
}

function addOnce(gives: Map<Step, Given[]>, step: Step, given: Given): void {
  const all = gives.get(step) ?? [];
  if (!all.some(({ pointer }) => pointer === given.pointer)) gives.set(step, [...all, given]);
}

function keptOf(steps: readonly Step[]): readonly Step[] {
  const { first, last } = mostKept;
  return steps.length <= first + last ? steps : [...steps.slice(0, first), ...steps.slice(-last)];
}

function withIssuers(steps: readonly Step[], issuer: (value: string) => Step | null): readonly Step[] {
  const given = new Set(steps.flatMap((step) => [...givenBy(step).keys()]));
  const before: Step[] = [];
  // What issued a secret may have been asked with one itself.
  for (let rest = steps; rest.length > 0; ) {
    const missing = new Set(rest.flatMap(({ request }) => [...tokensOf(request)].filter((value) => !given.has(value))));
    rest = [...new Set([...missing].map(issuer))].filter((step) => step !== null);
    for (const value of [...missing, ...rest.flatMap((step) => [...givenBy(step).keys()])]) given.add(value);
    before.push(...rest);
  }
  return before.length === 0 ? steps : [...before.sort((a, b) => a.at - b.at), ...steps];
}

/** What later requests may have been made with, and where in the answer each stands first. A step is in many stories. */
const givenBy = remembered(({ outcome }: Step): ReadonlyMap<string, string> => {
  const values = new Map<string, string>();
  if (outcome?.kind === "response")
    for (const [pointer, value] of leavesOf(outcome.json))
      if (!values.has(value) && isTelling(value)) values.set(value, pointer);
  return values;
});

/** Shorter words stand in a request by chance. */
const shortest = 8;

/** Ids and secrets have a digit somewhere; the names of the contract have none. */
const isTelling = (value: string): boolean => value.length >= shortest && /\d/.test(value) && wholeToken.test(value);

/** What ids, secrets, cursors and addresses are written with. */
const token = /[\w.~+/=:%@-]{8,}/g;
const wholeToken = /^[\w.~+/=:%@-]+$/;

const none: ReadonlySet<string> = new Set();

/** The words of a request that may come from an answer. */
const tokensOf = (request: SentRequest | null): ReadonlySet<string> => (request === null ? none : tokensIn(request));

const tokensIn = remembered((request: SentRequest): ReadonlySet<string> => {
  const { pathname, searchParams } = URL.canParse(request.url) ? new URL(request.url) : noUrl;
  const inPath = pathname.split("/").map(decoded);
  const inHeaders = Object.values(request.headers).flatMap((value) => value.match(token) ?? []);
  const inBody = [...leavesOf(parsedBody(request.body))].map(([, value]) => value);
  return new Set([...inPath, ...searchParams.values(), ...inHeaders, ...inBody].filter(isTelling));
});

const noUrl = { pathname: "", searchParams: new URLSearchParams() };

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The texts in a value of JSON, each with where it stands. */
function* leavesOf(value: unknown): Generator<readonly [pointer: string, value: string]> {
  for (const [pointer, inner] of valuesIn(value)) if (typeof inner === "string") yield [pointer, inner];
}

/** The function, which computes the value of each object once, for as long as the object is there. */
function remembered<T extends object, V>(compute: (of: T) => V): (of: T) => V {
  const values = new WeakMap<T, V>();
  return (of) => {
    const known = values.get(of) ?? compute(of);
    values.set(of, known);
    return known;
  };
}
