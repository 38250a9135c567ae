import type { Place } from "../evidence/place.ts";
import { type Exchange, objectOf, statusOf } from "../exchange/exchange.ts";
import type { Finding } from "../outcome/verdict.ts";
import type { Step } from "../story/step.ts";

/** A breach with all that is known of how it came to it; nothing in it is redacted yet. */
export interface Case {
  readonly finding: Finding;
  /** What was done in the check until then, in order. */
  readonly steps: readonly Step[];
  /** Secrets that the run was given or shown, in the order in which it learned them. */
  readonly secrets: readonly string[];
}

/**
 * A guess at what is wrong behind a breach. It looks at what was recorded and asks nobody, so that it can change neither a
 * verdict nor the target.
 */
export interface Probe {
  readonly id: string;
  /**
   * What is likely wrong and what shows it, such as "the order is turned round: oldest first by occurred_at"; null where
   * nothing speaks for it. Secrets may stand in it as they are.
   */
  readonly says: (seen: Case) => string | Guess | null;
}

/** A guess of which what was recorded leaves several readings. */
export interface Guess {
  readonly says: string;
  /** How many. */
  readonly readings: number;
}

/** The exchange that a finding points at, or else the last one that shows it. */
export function exchangeIn({ finding: { at = [], exchanges } }: Case): Exchange | null {
  const isHere = (place: Place, { number }: Exchange): boolean =>
    place.in?.kind === "exchange" && place.in.number === number;
  return exchanges.findLast((exchange) => at.some((place) => isHere(place, exchange))) ?? exchanges.at(-1) ?? null;
}

/** Where a call stands among the steps, -1 for nowhere. Many begin in one millisecond: times do not tell their order. */
export const placeAmong = ({ number }: Pick<Exchange, "number">, steps: readonly Step[]): number =>
  steps.findLastIndex(({ exchange }) => exchange === number);

/** An exchange that was served although its status is what the finding is about; null for any other finding. */
export function wronglyServed(seen: Case): Exchange | null {
  const exchange = exchangeIn(seen);
  const isAboutStatus = seen.finding.at?.some(({ part }) => part.kind === "status") ?? false;
  return exchange !== null && isAboutStatus && (statusOf(exchange) ?? 400) < 300 ? exchange : null;
}

/** What was sent behind "Bearer"; null where no such credential was. */
export const tokenOf = (headers: Readonly<Record<string, string>>): string | null =>
  /^Bearer (.*)$/is.exec(headers.authorization ?? "")?.[1] ?? null;

/** The `data` of what a step was answered with; undefined where there is none. */
export const dataIn = ({ outcome }: Step): unknown =>
  outcome?.kind === "response" ? objectOf(outcome.json)?.data : undefined;
