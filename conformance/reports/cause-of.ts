import { constants } from "../../generated/constants.ts";
import type { RuleId } from "../../generated/rules.ts";
import { statusOf } from "../exchange/exchange.ts";
import { misnamedEvent } from "../probes/delivery-probes.ts";
import { overlappingPages, skippingPages } from "../probes/page-probes.ts";
import type { RuleResult } from "../runner/run-result.ts";
import { callsAtOnce } from "./at-once-text.ts";
import { admitsSuccess, cameText, type Deviation, depthOf, deviationOf, exactnessOf } from "./deviation.ts";
import { type FailureGroup, stepsOf } from "./failure-groups.ts";
import { alikeOf, apartOf, askedAgainOf, contrastsOf, counterexampleOf, guessesOf } from "./lent.ts";
import {
  cameOfServing,
  commonGuesses,
  countsBesides,
  isAround,
  isOfTenancy,
  nearestTo,
  refusedForState,
  type Sight,
} from "./sight.ts";

/** What was found that has one cause, as far as that can be told. */
export interface Cause {
  /** The worst of what was found. */
  readonly verdict: FailureGroup["verdict"];
  /** An organization may have got at what is another's. */
  readonly isLeak: boolean;
  /** What says most exactly what is wrong. */
  readonly primary: FailureGroup;
  /** What seems to follow from the same, in the order in which it tells of it. */
  readonly consequences: readonly FailureGroup[];
  /** Every rule that is broken by it, the primary one first. */
  readonly rules: readonly RuleResult[];
}

/** What hangs together as one cause: what shows it best, and what seems to follow. */
export function causeOf(sights: readonly Sight[]): Cause {
  const at = new Set(sights.flatMap(({ deviations }) => deviations.map(({ operation }) => operation)));
  const ordered = sights.toSorted((a, b) =>
    weightOf(a, at, sights).reduce((sum, mine, i) => sum || (weightOf(b, at, sights)[i] ?? 0) - mine, 0),
  );
  const first = ordered[0] && nearestTo(ordered[0], ordered);
  if (first === undefined) throw new Error("a cause without anything that was found");
  const others = ordered.filter((sight) => sight !== first);
  const consequences = newRulesFirst(
    first.group,
    others.map(({ group }) => group),
  );
  const exactness = (rule: RuleResult): number =>
    Math.max(...first.deviations.map((deviation) => exactnessOf(rule, deviation, at)));
  const primary = {
    ...first.group,
    likely: guessesOf([first.group, ...consequences]),
    apart: apartOf(first.group, consequences),
    askedAgain: askedAgainOf(first.group, consequences),
    contrasts: contrastsOf(first.group, consequences),
    alike: alikeOf(first.group, consequences),
    counterexample: counterexampleOf(first.group, consequences),
    rules: first.group.rules.toSorted((a, b) => exactness(b) - exactness(a)),
  };
  return {
    verdict: verdicts.findLast((verdict) => sights.some(({ group }) => group.verdict === verdict)) ?? primary.verdict,
    isLeak: sights.some(({ group }) => isLeak(group)),
    ...{ primary, consequences },
    rules: [...new Set([primary, ...consequences].flatMap(({ rules }) => rules))],
  };
}

/** What breaks a rule that nothing before it does stands before what shows the same once more. */
function newRulesFirst({ rules }: FailureGroup, others: readonly FailureGroup[]): readonly FailureGroup[] {
  const seen = new Set(rules);
  const isNew = ({ rules: its }: FailureGroup): boolean => {
    const brings = its.some((rule) => !seen.has(rule));
    for (const rule of its) seen.add(rule);
    return brings;
  };
  const { more = [], again = [] } = Object.groupBy(others, (group) => (isNew(group) ? "more" : "again"));
  return [...more, ...again];
}

/** From the least to the most telling. */
const verdicts: readonly FailureGroup["verdict"][] = ["kit_error", "warn", "fail"];

/** A refusal that changes another organization's record all the same. */
const isTampering = ({ rules }: FailureGroup): boolean => rules.some(({ id }) => id === ("TEN-20" satisfies RuleId));

/** Whether an organization got more than a refusal where another one's is concerned. */
const isLeak = (group: FailureGroup): boolean =>
  isOfTenancy(group) && (isTampering(group) || group.findings.map(deviationOf).some(isServed));

/** An answer that is no refusal came where it may be for somebody else. */
const isServed = (deviation: Deviation): boolean =>
  (deviation.exchange === null || (statusOf(deviation.exchange) ?? 500) < 400) &&
  !(deviation.came !== null && admitsSuccess(deviation));

/** What makes one of several the primary one, the weightiest first. */
function weightOf(sight: Sight, at: ReadonlySet<string | null>, all: readonly Sight[]): readonly number[] {
  const { group, deviations } = sight;
  return [
    Number(isLeak(group)),
    // What is done although it is refused shows in whatever is asked later.
    Number(deviations.some(({ isDoneThoughRefused }) => isDoneThoughRefused)),
    // So does what is carried out in place of a refusal.
    Number(all.some((other) => other !== sight && cameOfServing(sight, other))),
    // Of a state that a record is not to be in follows that it is refused what it is to be served, or the other way round.
    Number(all.some((other) => other !== sight && refusedForState(sight, other))),
    // Of how a limit is counted that too much is served.
    Number(all.some((other) => other !== sight && countsBesides(sight, other))),
    // Of a wrong status follows what else is wrong with the answer.
    Number(deviations.some(({ came }) => came !== null)),
    // Of who is refused, those who were to be served tell most.
    Number(deviations.some((deviation) => deviation.came !== null && admitsSuccess(deviation))),
    // What calls one after another show needs no race.
    -Math.min(...group.findings.map(callsAtOnce)),
    // Of records that no page shows follows that pages end too early, and that there are fewer than were told.
    Number(isOfPages(group) && !deviations.some(({ parts }) => parts.some(isAround))),
    // Of the whole of it what is wrong with its parts.
    -Math.min(...deviations.map(depthOf)),
    // Of a wrong id follows that what is signed with it does not verify.
    -Number(
      commonGuesses(group).includes(misnamedEvent.id) && deviations.some(({ parts }) => parts.includes(signature)),
    ),
    // Of what shows the same, what tells why.
    Number(commonGuesses(group).length > 0),
    verdicts.indexOf(group.verdict),
    // What is in the way of both is in the shorter one alone.
    Number(all.some((other) => other !== sight && isShorterWayTo(sight, other))),
    Math.max(...group.rules.flatMap((rule) => deviations.map((deviation) => exactnessOf(rule, deviation, at)))),
    // What the document says first is said of the more general thing.
    -Math.min(...group.rules.map(({ id }) => Number(id.split("-")[1]))),
    // A code says more plainly what was admitted than words do.
    Number(deviations.some(({ admits }) => admits.length === 1)),
    // Of the same rules what is come to by the shortest way.
    -shortestWay(sight),
  ];
}

/** How many times as long the way is that a short one stands before. */
const muchLonger = 1.5;

/** Whether one comes to the same wrong answer of an operation by a way that is much shorter. */
const isShorterWayTo = (one: Sight, other: Sight): boolean =>
  shortestWay(one) * muchLonger <= shortestWay(other) &&
  one.deviations.some((mine) =>
    other.deviations.some(
      (theirs) =>
        mine.came !== null &&
        theirs.came !== null &&
        mine.operation === theirs.operation &&
        cameText(mine.came) === cameText(theirs.came),
    ),
  );

const shortestWay = ({ group }: Sight): number => Math.min(...group.findings.map(stepsOf));

/** Whether pages are likely to overlap, or to leave records out. */
const isOfPages = ({ findings }: FailureGroup): boolean =>
  findings.some(({ likely }) =>
    likely.some(({ probe }) => probe === overlappingPages.id || probe === skippingPages.id),
  );

const signature = `delivery header ${constants.signatureHeader.toLowerCase()}`;

/** Whether all that is warned of would be lawful under other readings of open questions. */
export const isReading = ({
  verdict,
  primary,
  consequences,
}: Pick<Cause, "verdict" | "primary" | "consequences">): boolean =>
  verdict === "warn" &&
  [primary, ...consequences].every(({ findings }) => findings.every(({ question }) => question !== null));

/** What makes one cause stand before others, the weightiest first. */
export const orderOf = (cause: Cause): readonly number[] => [
  Number(cause.isLeak),
  verdicts.indexOf(cause.verdict),
  Number(!isReading(cause)),
  cause.rules.length,
  // Where it is known what is likely wrong, that may explain what comes behind, too.
  Number(cause.primary.likely.length > 0),
  cause.primary.times,
];
