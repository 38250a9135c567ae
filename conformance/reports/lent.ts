import { nothingApart } from "../story/told-tally.ts";
import type { FailureGroup } from "./failure-groups.ts";

/**
 * What is likely wrong: as its own finding says, or else as the one of the same cause that leaves fewest readings, which may
 * be of another call. A reading that another finding rules out is not told.
 */
export function guessesOf([primary, ...others]: readonly FailureGroup[]): FailureGroup["likely"] {
  const own = primary?.likely ?? [];
  const tellers = [primary, ...others]
    .flatMap((group) => group?.findings ?? [])
    .flatMap((finding) => (finding.likely.length > 0 ? [finding] : []))
    .toSorted((a, b) => readingsOf(a.likely) - readingsOf(b.likely));
  const isOpen = readingsOf(own) > 1;
  const [teller] = tellers.filter(({ likely }) => !isOpen || likely.some(({ probe }) => own[0]?.probe === probe));
  if (teller === undefined || (own.length > 0 && readingsOf(teller.likely) >= readingsOf(own))) return own;
  // The steps that it names are of that story.
  return teller.likely.map(({ probe, says }) => ({
    probe,
    says: `${says} (as ${teller.rule} shows in ${teller.check})`,
  }));
}

/** Readings that guesses leave open together. */
const readingsOf = (likely: FailureGroup["likely"]): number =>
  Math.max(1, ...likely.map(({ readings = 1 }) => readings));

/**
 * What sets the failing calls apart, or else those of another finding, where anything does; the steps that it names are of
 * that one's story. Beside what is likely wrong with the call itself, nothing is lent.
 */
export function apartOf({ apart, likely }: FailureGroup, groups: readonly FailureGroup[]): string | null {
  if (apart !== null && apart !== nothingApart) return apart;
  if (likely.length > 0) return null;
  const teller = groups
    .flatMap(({ findings }) => findings)
    .find(({ tally }) => tally?.apart != null && tally.apart !== nothingApart);
  if (teller?.tally?.apart == null) return apart;
  return `${teller.tally.apart.replace(/, in steps? [\d, ]+\)/, ")")} (as ${teller.rule} shows in ${teller.check})`;
}

/** What came when the call was made again, or else when that of another finding was. */
export function askedAgainOf(primary: FailureGroup, others: readonly FailureGroup[]): readonly string[] {
  if (primary.askedAgain.length > 0) return primary.askedAgain;
  const teller = [primary, ...others]
    .flatMap(({ findings }) => findings)
    .find(({ askedAgain }) => askedAgain.length > 0);
  return (teller?.askedAgain ?? []).map((text) => `${text} (as ${teller?.rule} shows in ${teller?.check})`);
}
