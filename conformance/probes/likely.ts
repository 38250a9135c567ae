import { isBreach, type Likely } from "../outcome/verdict.ts";
import { cutShort } from "./body-probes.ts";
import { emptyChange } from "./change-probes.ts";
import { otherClock } from "./clock-probes.ts";
import { nearCredential, replacedCredential, shortGrace } from "./credential-probes.ts";
import { misnamedEvent } from "./delivery-probes.ts";
import { eventTime, foreignRecord, frozenTime, ignoredParameter, misreadOffset, turnedOrder } from "./list-probes.ts";
import { uncoveredCharge } from "./money-probes.ts";
import { lateFilter, overlappingPages, skippingPages } from "./page-probes.ts";
import type { Case, Probe } from "./probe.ts";
import { racedRetry } from "./race-probes.ts";
import { constantSignature, otherContent, otherSecret } from "./signature-probes.ts";
import { earlierAnswer, otherUnit, takenForOne, valueBefore } from "./value-probes.ts";

/** Every probe. */
export const probes: readonly Probe[] = [
  ...[nearCredential, replacedCredential, shortGrace],
  ...[misnamedEvent, otherSecret, otherContent, constantSignature],
  ...[ignoredParameter, turnedOrder, overlappingPages, skippingPages, lateFilter, foreignRecord],
  ...[misreadOffset, eventTime, frozenTime, racedRetry],
  ...[cutShort, otherUnit, otherClock, takenForOne, earlierAnswer, valueBefore, emptyChange, uncoveredCharge],
];

/** Milliseconds that guessing may take in a run, beside what a guess that was begun takes. */
const timeLimit = 3_000;

/** Guesses at what is wrong behind breaches, as long as there is time. */
export function newGuesses(now: () => number = Date.now): (seen: Case) => readonly Likely[] {
  let spent = 0;
  return (seen) => {
    if (!isBreach(seen.finding) || spent > timeLimit) return [];
    const begun = now();
    const found = probes.flatMap((probe) => guessOf(probe, seen));
    spent += now() - begun;
    return found;
  };
}

function guessOf({ id, says }: Probe, seen: Case): readonly Likely[] {
  try {
    const guess = says(seen);
    if (guess === null) return [];
    return [{ probe: id, ...(typeof guess === "string" ? { says: guess } : guess) }];
  } catch {
    // Whatever a target answered, a breach counts without a guess.
    return [];
  }
}
