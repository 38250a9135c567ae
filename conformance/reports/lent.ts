import type { ToldFinding } from "../outcome/verdict.ts";
import { nothingApart } from "../story/told-tally.ts";
import { contrastElsewhere, contrastedBy } from "./contrast-text.ts";
import { deviationOf } from "./deviation.ts";
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
 * What sets the failing calls apart, unless the finding's words say it, or else those of another finding, where anything
 * does; the steps that it names are of that one's story. Beside what is likely wrong with the call itself nothing is lent,
 * nor what sets far fewer calls apart than failed here: that may be by chance.
 */
export function apartOf({ apart, likely, finding }: FailureGroup, groups: readonly FailureGroup[]): string | null {
  if (finding.isNarrowed === true) return null;
  if (apart !== null && apart !== nothingApart) return apart;
  if (likely.length > 0) return null;
  const teller = groups
    .flatMap(({ findings }) => findings)
    .find(
      ({ tally }) =>
        tally?.apart != null && tally.apart !== nothingApart && mostMore * tally.failed >= (finding.tally?.failed ?? 0),
    );
  if (teller?.tally?.apart == null) return apart;
  return `${teller.tally.apart.replace(/, in steps? [\d, ]+\)/, ")")} (as ${teller.rule} shows in ${teller.check})`;
}

/** How many times as many calls may have failed here as where what sets them apart is lent from. */
const mostMore = 4;

/** Lines of other findings that are told beside those of the one that is shown. */
const mostLent = 2;

/** How a line of the kit's own says that nothing but what was wrong came again. */
const asBefore = / as well: /;

/**
 * What came when the call was made again, and what came otherwise when that of another finding was: of one fault that tells
 * as much.
 */
export function askedAgainOf(primary: FailureGroup, others: readonly FailureGroup[]): readonly string[] {
  const own = primary.askedAgain;
  const further = findingsLike(primary, others).flatMap((finding) =>
    finding.askedAgain
      .filter((text) => own.length === 0 || !asBefore.test(text))
      .map((text) => ({ text, says: `${text} ${asShown(finding)}` })),
  );
  const lent = distinct(further, ({ text }) => text).filter(({ text }) => !own.includes(text));
  return [...own, ...lent.slice(0, own.length === 0 ? 2 * mostLent : mostLent).map(({ says }) => says)];
}

/** What went the other way, and of other findings calls that differ in one thing by which no other does. */
export function contrastsOf(primary: FailureGroup, others: readonly FailureGroup[]): readonly string[] {
  const known = new Set(contrastedBy(primary.finding));
  const lent = findingsLike(primary, others).flatMap((finding) => {
    const contrast = contrastElsewhere(finding);
    // Alone it says more than together with something else.
    return contrast === null || (known.size === 1 && known.has(contrast.by))
      ? []
      : [{ by: contrast.by, says: `${contrast.says} ${asShown(finding)}` }];
  });
  return [
    ...primary.contrasts,
    ...distinct(lent, ({ by }) => by)
      .slice(0, mostLent)
      .map(({ says }) => says),
  ];
}

/**
 * How calls like it fared, unless its words say what decides, or else those like another one of the cause where some failed
 * and some held.
 */
export function alikeOf({ alike, finding }: FailureGroup, others: readonly FailureGroup[]): FailureGroup["alike"] {
  if (finding.isNarrowed === true) return [];
  if (alike.some(({ holds }) => holds)) return alike;
  const at = deviationOf(finding).operation;
  const teller = others
    .flatMap(({ findings }) => findings)
    .find(
      (one) =>
        deviationOf(one).operation === at &&
        [true, false].every((wanted) => one.tally?.rows.some(({ holds }) => holds === wanted)),
    );
  return (
    teller?.tally?.rows.map((row, at) => (at > 0 ? row : { ...row, says: `${row.says} ${asShown(teller)}` })) ?? alike
  );
}

/** Calls in a counterexample. */
const arrow = " → ";

/** Of more calls some are likely to have nothing to do with it. */
const mostCalls = 6;

/**
 * With what it was seen; or else the fewest calls after which another finding of the cause saw the same rule broken, where
 * these are few.
 */
export function counterexampleOf(
  { counterexample, rules }: FailureGroup,
  others: readonly FailureGroup[],
): FailureGroup["counterexample"] {
  const [fewest] = others
    .filter((other) => other.rules.some((rule) => rules.includes(rule)))
    .flatMap(({ findings }) => findings)
    .flatMap((finding) => {
      const calls = finding.counterexample?.value.split(arrow) ?? [];
      return calls.length > 1 && calls.length <= mostCalls ? [{ calls, finding }] : [];
    })
    .toSorted((a, b) => a.calls.length - b.calls.length);
  return counterexample ?? (fewest === undefined ? null : `${fewest.calls.join(arrow)} ${asShown(fewest.finding)}`);
}

/** The other findings of a cause in which the same came of the same operation. */
function findingsLike(primary: FailureGroup, others: readonly FailureGroup[]): readonly ToldFinding[] {
  const { operation, came } = deviationOf(primary.finding);
  return [primary, ...others]
    .flatMap(({ findings }) => findings)
    .filter((finding) => {
      if (finding === primary.finding) return false;
      const other = deviationOf(finding);
      return other.operation === operation && came?.status === other.came?.status && came?.code === other.came?.code;
    });
}

const asShown = ({ rule, check }: ToldFinding): string => `(as ${rule} shows in ${check})`;

const distinct = <T>(all: readonly T[], by: (one: T) => string): readonly T[] =>
  [...new Map(all.toReversed().map((one) => [by(one), one])).values()].toReversed();
