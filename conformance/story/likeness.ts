import type { SentRequest } from "../exchange/exchange.ts";
import { isRead } from "./changes.ts";
import { differencesFrom, isSuccess, routeOf } from "./contrast.ts";
import { credentialOf, recipientsIn } from "./names.ts";
import { secondsOf } from "./passed.ts";
import type { ToldStep, ToldStory } from "./step.ts";
import { type Owner, ownersOf } from "./step-owners.ts";

/** An earlier call that was answered in the same way although what differs was to make another answer of it. */
export interface Likeness {
  /** Number of its step, from 1. */
  readonly step: number;
  /** What was left out of it, such as "without scheduled_at"; null for the very same call. */
  readonly without: string | null;
  /** Numbers of the steps that changed something, or let time pass, since the very same call. */
  readonly since: readonly number[];
}

/** The very same call before what came last in between, where it was answered as it is now; null where there is none. */
export function unmovedOf({ steps }: ToldStory, exchange: number): Likeness | null {
  const at = steps.findIndex((step) => step.exchange === exchange);
  const shown = steps[at];
  if (shown?.request == null) return null;
  const { request } = shown;
  const changes = changesBefore(steps, at, request);
  const last = changes.at(-1) ?? 0;
  const before = steps
    .slice(0, last)
    .findLastIndex(
      (step) => isAnsweredAlike(step, shown) && step.request !== null && isSameButForMoments(step.request, request),
    );
  if (before < 0) return null;
  return {
    step: before + 1,
    without: null,
    since: changes.filter((index) => index > before).map((index) => index + 1),
  };
}

/** Numbers of the steps after one, by its number, that changed something for a later call, or let time pass before it. */
export function changesBetween({ steps }: ToldStory, step: number, exchange: number): readonly number[] {
  const at = steps.findIndex((one) => one.exchange === exchange);
  const request = steps[at]?.request ?? null;
  return request === null
    ? []
    : changesBefore(steps, at, request).flatMap((index) => (index >= step ? [index + 1] : []));
}

/** Numbers of the steps after one, by its number, in which another caller was served the very same. */
export function othersBetween({ steps }: ToldStory, step: number, exchange: number): readonly number[] {
  const at = steps.findIndex((one) => one.exchange === exchange);
  const request = steps[at]?.request ?? null;
  return steps.flatMap((one, index) =>
    index >= step &&
    index < at &&
    one.exchange !== null &&
    one.outcome?.kind === "response" &&
    isSuccess(one.outcome.status) &&
    isOfAnother(one.request, request)
      ? [index + 1]
      : [],
  );
}

/** Whether two requests are the same but for who makes them. */
const isOfAnother = (one: SentRequest | null, other: SentRequest | null): boolean =>
  one !== null &&
  other !== null &&
  one.method === other.method &&
  one.url === other.url &&
  one.body === other.body &&
  credentialOf(one) !== credentialOf(other);

/** Positions of the steps before one that changed something that may concern its request, or let time pass. */
function changesBefore(steps: ToldStory["steps"], at: number, request: SentRequest): readonly number[] {
  const shown = steps[at];
  const ownerOf = ownersOf(steps);
  return steps
    .slice(0, at)
    .flatMap((step, index) =>
      isChange(step, request) && (shown === undefined || isOwnedAlike(ownerOf(step), ownerOf(shown))) ? [index] : [],
    );
}

/** A call that has one thing less, and was answered alike; null where there is none. */
export function unheededOf({ steps }: ToldStory, exchange: number): Likeness | null {
  const shown = steps.find((step) => step.exchange === exchange);
  if (shown?.request == null) return null;
  const { request } = shown;
  const found = steps.flatMap((step, index): readonly Likeness[] => {
    if (step === shown || step.request === null || !isAnsweredAlike(step, shown)) return [];
    const [without, ...others] = differencesFrom(step.request, request);
    if (without === undefined || others.length > 0 || !/^without (?!a )/.test(without)) return [];
    return [{ step: index + 1, without, since: [] }];
  });
  return found.at(-1) ?? null;
}

const isOwnedAlike = (one: Owner, other: Owner): boolean => one === null || one === other;

const isAnsweredAlike = (one: ToldStep, other: ToldStep): boolean =>
  one.exchange !== null &&
  one.request !== null &&
  other.request !== null &&
  one.outcome?.kind === "response" &&
  other.outcome?.kind === "response" &&
  one.outcome.status === other.outcome.status &&
  one.outcome.code === other.outcome.code &&
  routeOf(one.request) === routeOf(other.request);

/** Whether a step changes something that may concern a request, by another call than that, or lets time pass. */
function isChange(step: ToldStep, request: SentRequest): boolean {
  const { through, what, outcome } = step;
  if (secondsOf(step) > 0) return true;
  if (step.request === null || outcome?.kind !== "response" || !isSuccess(outcome.status)) return false;
  if (through === "sandbox") return !/^(create|read|move)\b/.test(what ?? "") && isOfTheSame(step.request, request);
  return (
    through === "api" &&
    !isRead(step) &&
    routeOf(step.request) !== routeOf(request) &&
    isOfTheSame(step.request, request)
  );
}

/** Whether one of two requests names no recipient, or both name one that is the same. */
function isOfTheSame(one: SentRequest, other: SentRequest): boolean {
  const [mine, theirs] = [recipientsIn(one), recipientsIn(other)];
  return mine.length === 0 || theirs.length === 0 || mine.some((name) => theirs.includes(name));
}

/** Whether two requests ask for the same, whenever that is to be. */
function isSameButForMoments(one: SentRequest, other: SentRequest): boolean {
  const written = (request: SentRequest): string =>
    JSON.stringify([request.method, request.url, credentialOf(request), (request.body ?? "").replace(moments, "·")]);
  return written(one) === written(other);
}

const moments = /"\d{4}-\d\d-\d\dT[^"]*"/g;
