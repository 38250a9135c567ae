import { isDeepStrictEqual } from "node:util";
import { constants } from "../../generated/constants.ts";
import { unnamed } from "../evidence/abstracted.ts";
import { rowNamed } from "../exchange/admits.ts";
import type { SentRequest } from "../exchange/exchange.ts";
import { momentOf, spanText } from "./spans.ts";
import type { ToldStep, ToldStory } from "./step.ts";
import { type Owner, ownersOf } from "./step-owners.ts";

/** A call like the one that shows a breach, which was answered in the other way. */
export interface Contrast {
  /** Number of its step, from 1. */
  readonly step: number;
  /** Number of its exchange in the run. */
  readonly exchange: number;
  readonly status: number;
  /** What was different about it, in words such as "as ${KEY_2}"; empty where nothing was. */
  readonly differs: readonly string[];
  /** Members that differ are all one instant in two writings. */
  readonly isSameInstant: boolean;
  /** What was otherwise of records that both calls name, in words such as `brand_id's status was "VERIFIED", here "FAILED"`. */
  readonly standing: readonly string[];
  /** What its organization was created with otherwise, in words such as "without min_topup_cents"; empty for nothing known. */
  readonly settings: readonly string[];
}

/**
 * The call of a story that went the other way, served where this one was refused or refused where it was served, and
 * differs least from it, or the very same with another status; null where there is none. `codes` are those of the refusals that
 * it should have been answered with: another one, as of a credential, shows nothing. None where any may be.
 */
export function contrastOf({ steps }: ToldStory, exchange: number, codes: readonly string[] = []): Contrast | null {
  const shown = steps.find((step) => step.exchange === exchange);
  if (shown?.request == null || shown.outcome?.kind !== "response") return null;
  const { request, outcome } = shown;
  const ownerOf = ownersOf(steps);
  const others = steps.flatMap((step, index): readonly Contrast[] =>
    step.exchange !== null &&
    step.request !== null &&
    step.outcome?.kind === "response" &&
    routeOf(step.request) === routeOf(request) &&
    (isSuccess(step.outcome.status) ||
      (codes.length === 0 ? !isForCaller(step, shown) : codes.includes(step.outcome.code ?? ""))) &&
    (isSuccess(step.outcome.status) !== isSuccess(outcome.status) ||
      (step.outcome.status !== outcome.status && differencesFrom(step.request, request).length === 0))
      ? [
          {
            ...{ step: index + 1, exchange: step.exchange, status: step.outcome.status },
            differs: differencesFrom(step.request, request).map((one) => withScopes(one, steps)),
            isSameInstant: isSameInstant(step.request, request),
            standing: standingApart(step, shown),
            settings: settingsApart(ownerOf(step), ownerOf(shown)),
          },
        ]
      : [],
  );
  // What went either way when it was asked twice shows what was done in between.
  const isSteady = ({ step, differs }: Contrast): boolean =>
    differs.length === 0 || !steps.some((other) => isAskedAgain(other, steps[step - 1], isSuccess(outcome.status)));
  const nearness = (one: Contrast): number => Math.abs(one.exchange - exchange);
  const order = (one: Contrast): readonly number[] => [one.differs.length, Number(!one.isSameInstant), nearness(one)];
  return (
    others
      .filter(isSteady)
      .toSorted((a, b) => order(a).reduce((sum, mine, i) => sum || mine - (order(b)[i] ?? 0), 0))
      .at(0) ?? null
  );
}

/** Whether a call is refused for who makes it, and that is another one: of what was to be refused otherwise that shows nothing. */
const isForCaller = ({ request, outcome }: ToldStep, shown: ToldStep): boolean =>
  outcome?.kind === "response" &&
  outcome.code === rowNamed("Forbidden").code &&
  request?.headers.authorization !== shown.request?.headers.authorization;

/** "as ${KEY_2}", with the scopes of that key where the sandbox made it with few. */
function withScopes(difference: string, steps: readonly ToldStep[]): string {
  const [, secret] = /^as (\$\{\w+\})$/.exec(difference) ?? [];
  const maker = steps.find(
    ({ what, gives }) => what?.startsWith(keyMade) && gives.some(({ value }) => value === secret),
  );
  const scopes = maker?.what?.slice(keyMade.length).split(", ") ?? [];
  return scopes.length === 0 || scopes.length > mostScopes ? difference : `${difference} with ${scopes.join(", ")}`;
}

const keyMade = "create a key with ";
const mostScopes = 3;

/** What had been told otherwise of records that one call names than of those that another one names by the same parts. */
function standingApart({ standing: mine = [] }: ToldStep, { standing: theirs = [] }: ToldStep): readonly string[] {
  const others = new Map(theirs);
  return mine
    .flatMap(([name, text]) => {
      const other = others.get(name);
      return /'s /.test(name) && other !== undefined && other !== text ? [`${name} was ${text}, here ${other}`] : [];
    })
    .slice(0, mostStanding);
}

/** Differences of records that are told. */
const mostStanding = 3;

/** What one organization was created with otherwise than another; nothing where no step made them. */
function settingsApart(own: Owner, other: Owner): readonly string[] {
  if (own === null || other === null || typeof own === "string" || typeof other === "string" || own === other)
    return [];
  return bodiesApart(own.request?.body ?? null, other.request?.body ?? null);
}

/** Whether one step asks the very same as another, and is served or not as told. */
const isAskedAgain = (one: ToldStep, other: ToldStep | undefined, served: boolean): boolean =>
  one.request !== null &&
  other?.request != null &&
  one.outcome?.kind === "response" &&
  isSuccess(one.outcome.status) === served &&
  routeOf(one.request) === routeOf(other.request) &&
  differencesFrom(one.request, other.request).length === 0;

/** Whether what differs between two bodies are the writings of one instant. */
function isSameInstant(one: SentRequest, other: SentRequest): boolean {
  const [mine, theirs] = [recordIn(one.body) ?? {}, recordIn(other.body) ?? {}];
  const names = Object.keys(mine).filter((name) => !isDeepStrictEqual(mine[name], theirs[name]));
  const time = (value: unknown): number =>
    typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : NaN;
  return names.length > 0 && names.every((name) => time(mine[name]) === time(theirs[name]));
}

export const isSuccess = (status: number): boolean => status < 300;

/** Method and path, without what names a record. */
export const routeOf = ({ method, url }: SentRequest): string =>
  `${method} ${partsOf(url).path.replace(/[^/]*\d[^/]*/g, (segment) => (/^v\d+$/.test(segment) ? segment : "·"))}`;

function partsOf(url: string): { readonly path: string; readonly query: string } {
  const target = url.replace(/^https?:\/\/[^/?#]*/, "");
  const [path = "", ...query] = target.split("?");
  return { path, query: query.join("?") };
}

/** What a request has otherwise than another one of the same operation. */
export function differencesFrom(one: SentRequest, other: SentRequest): readonly string[] {
  const [own, others] = [partsOf(one.url), partsOf(other.url)];
  return [
    ...(own.path === others.path ? [] : [`at ${own.path}`]),
    ...queriesApart(own.query, others.query),
    ...headersApart(one.headers, other.headers),
    ...bodiesApart(one.body, other.body),
  ];
}

/** Parameters that differ; the whole query where they stand in another order, or more than once. */
function queriesApart(own: string, others: string): readonly string[] {
  if (own === others) return [];
  if (own === "") return ["without a query"];
  const [mine, theirs] = [new URLSearchParams(own), new URLSearchParams(others)];
  const names = [...new Set([...mine.keys(), ...theirs.keys()])];
  const isOnce = (parameters: URLSearchParams): boolean => new Set(parameters.keys()).size === parameters.size;
  const apart = names.filter((name) => mine.get(name) !== theirs.get(name));
  if (apart.length === 0 || !isOnce(mine) || !isOnce(theirs)) return [`with ?${own}`];
  return apart.map((name) => (mine.has(name) ? `with ?${name}=${clipped(mine.get(name) ?? "")}` : `without ?${name}`));
}

type Headers = Readonly<Record<string, string>>;

function headersApart(own: Headers, others: Headers): readonly string[] {
  const [mine, theirs] = [lowered(own), lowered(others)];
  return [...new Set([...mine.keys(), ...theirs.keys()])]
    .filter((name) => name !== "content-length" && mine.get(name) !== theirs.get(name))
    .map((name) => {
      const value = mine.get(name);
      if (name === "authorization")
        return value === undefined ? "without a credential" : `as ${value.replace(/^Bearer /, "")}`;
      if (value === undefined) return `without ${name}`;
      // Whom a call is for is its own choice.
      return name !== ofOrganization && isMadeUp(value, theirs.get(name))
        ? `${another}${name}`
        : `with ${name}: ${value}`;
    });
}

const ofOrganization = constants.targetOrganizationHeader.toLowerCase();

const lowered = (headers: Headers): ReadonlyMap<string, string> =>
  new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function bodiesApart(own: string | null, others: string | null): readonly string[] {
  if (own === others) return [];
  const [mine, theirs] = [recordIn(own), recordIn(others)];
  if (mine === null || theirs === null) return [own === null ? "without a body" : `with the body ${clipped(own)}`];
  return [...new Set([...Object.keys(mine), ...Object.keys(theirs)])]
    .filter(
      (name) =>
        Object.hasOwn(mine, name) !== Object.hasOwn(theirs, name) || !isDeepStrictEqual(mine[name], theirs[name]),
    )
    .map((name) =>
      Object.hasOwn(mine, name)
        ? valueApart(name, mine[name], Object.hasOwn(theirs, name) ? theirs[name] : undefined)
        : `without ${name}`,
    );
}

/**
 * A member of a body that is another one there; of lists of which one is longer, by how many they hold, and of what was made
 * up for one call that it is another.
 */
function valueApart(name: string, own: unknown, other: unknown): string {
  if (isMadeUp(own, other)) return `${another}${name}`;
  if (Array.isArray(own) && Array.isArray(other) && own.length !== other.length)
    return `with ${own.length} in ${name} and not ${other.length}`;
  const [time, otherTime] = [momentOf(own), momentOf(other)];
  const apart = time === null || otherTime === null || time === otherTime ? null : time - otherTime;
  const later = apart === null ? "" : ` (${spanText(apart)} ${apart < 0 ? "earlier" : "later"})`;
  return `with ${name} ${clipped(JSON.stringify(own))}${later}`;
}

/** Begins to tell of what was made up for each call that it is another. */
const another = "with another ";

/** Whether a difference is of what was made up for each call. */
export const isOfMadeUp = (differs: string): boolean => differs.startsWith(another);

const isMadeUp = (own: unknown, other: unknown): boolean =>
  other !== undefined && unnamed(JSON.stringify(own)) === unnamed(JSON.stringify(other));

function recordIn(text: string | null): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Characters of a value that is told. */
const valueLimit = 80;

const clipped = (text: string): string => (text.length > valueLimit ? `${text.slice(0, valueLimit)}…` : text);
