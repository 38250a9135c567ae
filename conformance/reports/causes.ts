import { constants } from "../../generated/constants.ts";
import { operations } from "../../generated/operations.ts";
import type { RuleId } from "../../generated/rules.ts";
import type { Misanswer } from "../evidence/misanswer.ts";
import { rowAllows, rowNamed } from "../exchange/admits.ts";
import { statusOf } from "../exchange/exchange.ts";
import { monitorId } from "../monitor/monitor.ts";
import type { ToldFinding } from "../outcome/verdict.ts";
import { cutShort } from "../probes/body-probes.ts";
import { otherClock } from "../probes/clock-probes.ts";
import { misnamedEvent } from "../probes/delivery-probes.ts";
import { eventTime, frozenTime, misreadOffset } from "../probes/list-probes.ts";
import { lateFilter, overlappingPages, skippingPages } from "../probes/page-probes.ts";
import { racedRetry } from "../probes/race-probes.ts";
import { mayLeak } from "../runner/possible-leak.ts";
import type { RuleResult, RunResult } from "../runner/run-result.ts";
import { operationOf } from "../sending/sender.ts";
import { callsAtOnce } from "./at-once-text.ts";
import {
  admitsSuccess,
  cameText,
  type Deviation,
  depthOf,
  deviationOf,
  exactnessOf,
  isAdmittedAlike,
  isAfterSameRefusal,
} from "./deviation.ts";
import { type FailureGroup, failureGroups } from "./failure-groups.ts";
import { alikeOf, apartOf, askedAgainOf, contrastsOf, guessesOf } from "./lent.ts";
import { nearestTo, refusedForSameHeader, type Sight, sightOf, warnsOfSame } from "./sight.ts";

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

/**
 * What was found, by cause: a possible leak between organizations first, then breaches before warnings before faults of
 * the kit, and what breaks most rules first.
 */
export function causesOf(result: RunResult): readonly Cause[] {
  const sights = failureGroups(result).map(sightOf);
  const everywhere = { came: refusedEverywhere(sights), missed: servedEverywhere(sights) };
  return joined(sights, (one, other) => isRelated(one, other, everywhere))
    .map(causeOf)
    .sort((a, b) => orderOf(a).reduce((sum, mine, at) => sum || (orderOf(b)[at] ?? 0) - mine, 0));
}

/** Everything that hangs together, directly or by others. */
function joined<T>(all: readonly T[], belong: (one: T, other: T) => boolean): readonly (readonly T[])[] {
  const left = new Set(all);
  return all.flatMap((first) => {
    if (!left.delete(first)) return [];
    const found = [first];
    for (const one of found)
      for (const other of left) {
        if (!belong(one, other)) continue;
        left.delete(other);
        found.push(other);
      }
    return [found];
  });
}

/** Refusals that so many operations give in place of something else are made in one place, whatever they are. */
const isEverywhere = 4;

function refusedEverywhere(sights: readonly Sight[]): ReadonlySet<string> {
  const wrong = sights
    .flatMap(({ deviations }) => deviations)
    .flatMap(({ came, operation }) => (came !== null && came.status >= 400 ? [{ came, operation }] : []));
  const at = [...Map.groupBy(wrong, ({ came }) => cameText(came))].filter(
    ([, those]) => new Set(those.map(({ operation }) => operation)).size >= isEverywhere,
  );
  return new Set(at.map(([came]) => came));
}

/** Refusals in place of which so many operations serve: what they are made by is not looked at, or is another's. */
function servedEverywhere(sights: readonly Sight[]): ReadonlySet<string> {
  const served = sights.flatMap(({ deviations }) => deviations).filter(isServedForRefused);
  const at = [...Map.groupBy(served, ({ admitted }) => admitted)].filter(
    ([, those]) => new Set(those.map(({ operation }) => operation)).size >= isEverywhere,
  );
  return new Set(at.map(([admitted]) => admitted));
}

/** Whether a call was served in place of a refusal with a certain code, of whoever calls. */
const isServedForRefused = ({ came, admitted }: Deviation): boolean =>
  came?.isSuccess === true && callerCodes.has(admitted);

const callerCodes: ReadonlySet<string> = new Set(
  [rowNamed("Unauthorized"), rowNamed("Forbidden"), rowNamed("PlatformRequired")].map(({ code }) => code),
);

/** What is wrong at many operations: refusals that come, and those that do not. */
interface Everywhere {
  readonly came: ReadonlySet<string>;
  readonly missed: ReadonlySet<string>;
}

function isRelated(one: Sight, other: Sight, everywhere: Everywhere): boolean {
  // A fault of the kit says nothing about the server.
  if (one.group.verdict === "kit_error" || other.group.verdict === "kit_error") return false;
  // What one organization sees of another it sees in several ways.
  const isOneCheck = one.group.check === other.group.check && one.group.check !== monitorId;
  if (isOneCheck && isOfTenancy(one.group) && isOfTenancy(other.group)) return true;
  if (meet(commonGuesses(one.group), commonGuesses(other.group))) return true;
  if (mayFollow(one, other) || mayFollow(other, one)) return true;
  if (cameOfServing(one, other) || cameOfServing(other, one)) return true;
  if (warnsOfSame(one, other) || warnsOfSame(other, one) || refusedForSameHeader(one, other)) return true;
  const sameRules = one.group.rules.filter((rule) => other.group.rules.includes(rule));
  // Whatever shows it: a rule of one operation is broken at that one.
  if (sameRules.some(({ rule: { about } }) => Object.hasOwn(operations, about))) return true;
  if (wentAstray(one, other) || wentAstray(other, one)) return true;
  return one.deviations.some((mine) =>
    other.deviations.some(
      (theirs) =>
        (isSameAnswer(mine, theirs) && (isOneCheck || !areApart(mine.parts, theirs.parts))) ||
        isSameDeviation(mine, theirs, everywhere) ||
        (sameRules.length > 0 && isAlike(mine, theirs)),
    ),
  );
}

/**
 * Whether one may be what a call did although it was refused, and the other what it found so: before it came a call of that
 * operation that was refused in that way, or in any where its rule is about that operation.
 */
function mayFollow({ deviations }: Sight, { group }: Sight): boolean {
  const done = deviations.flatMap(({ isDoneThoughRefused, operation, exchange }) =>
    isDoneThoughRefused && operation !== null && exchange !== null ? [{ operation, status: statusOf(exchange) }] : [],
  );
  return (
    done.length > 0 &&
    group.findings.some((finding) => {
      const before = refusedBefore(finding);
      return done.some((one) =>
        before.some(
          ({ operation, status }) =>
            operation === one.operation && (status === one.status || isAbout(group, one.operation)),
        ),
      );
    })
  );
}

/** Whether one is that what an operation brings about came elsewhere, and the other that it never came where it was to. */
const wentAstray = (one: Sight, other: Sight): boolean =>
  one.deviations.some(({ isAstray }) => isAstray) &&
  other.deviations.some(({ isSilence }) => isSilence) &&
  one.group.rules.some(({ rule: { about } }) => Object.hasOwn(operations, about) && isAbout(other.group, about));

/** Whether one is that a call was carried out in place of a refusal, and the other was found after that same call. */
function cameOfServing({ deviations }: Sight, { group }: Sight): boolean {
  const done = deviations.flatMap(({ came, admits, exchange }) =>
    came?.isSuccess === true && !admits.includes("success") && exchange !== null && exchange.request.method !== "GET"
      ? [exchange.number]
      : [],
  );
  return group.findings.some(({ told, exchanges }) => {
    const last = exchanges.at(-1)?.number ?? 0;
    return (told?.steps ?? []).some(({ exchange }) => exchange !== null && exchange < last && done.includes(exchange));
  });
}

const isAbout = ({ rules }: FailureGroup, operation: string): boolean =>
  rules.some(({ rule: { about } }) => about === operation);

/** Calls of a finding's story that were refused, before the last one that shows it. */
function refusedBefore({ told, exchanges }: ToldFinding): readonly Pick<Refused, "operation" | "status">[] {
  const last = exchanges.at(-1)?.number;
  const calls = (told?.steps ?? []).flatMap(({ exchange, request, outcome }): readonly Refused[] =>
    exchange === null || request === null || outcome?.kind !== "response" || !URL.canParse(request.url)
      ? []
      : [
          {
            number: exchange,
            operation: operationOf(request.method, new URL(request.url).pathname),
            status: outcome.status,
          },
        ],
  );
  return last === undefined ? [] : calls.filter(({ number, status }) => number < last && status >= 400);
}

interface Refused {
  readonly number: number;
  readonly operation: string | null;
  readonly status: number;
}

/** Guesses at what a server does in one place, whatever shows it: write bodies, read clocks, keep answers, date records. */
const ofOnePlace: ReadonlySet<string> = new Set([
  cutShort.id,
  otherClock.id,
  misreadOffset.id,
  racedRetry.id,
  frozenTime.id,
  misnamedEvent.id,
]);

/** Guesses at what is done in one place for each operation. */
const ofOneOperation: ReadonlySet<string> = new Set([
  overlappingPages.id,
  skippingPages.id,
  lateFilter.id,
  eventTime.id,
]);

const commonGuesses = ({ findings }: FailureGroup): readonly string[] =>
  findings.flatMap((finding) =>
    finding.likely.flatMap(({ probe }) => {
      if (ofOnePlace.has(probe)) return [probe];
      return ofOneOperation.has(probe) ? [`${probe} ${deviationOf(finding).operation}`] : [];
    }),
  );

const isSameAnswer = (one: Deviation, other: Deviation): boolean =>
  one.exchange !== null && one.exchange.number === other.exchange?.number;

/** Both are known, and have nothing to do with each other. */
const areApart = (these: readonly string[], those: readonly string[]): boolean =>
  these.length > 0 && those.length > 0 && !meet(these, those);

/** Answers to one operation, or to any where it does not matter to which, deviate in one way. */
function isSameDeviation(one: Deviation, other: Deviation, everywhere: Everywhere): boolean {
  if (one.isSilence && other.isSilence) return true;
  // What stands around the data is made in one place for all operations.
  if (meet(one.parts.filter(isAround), other.parts.filter(isAround))) return true;
  const came =
    one.came !== null && other.came !== null && cameText(one.came) === cameText(other.came) ? one.came : null;
  if (came !== null && (isBeforehand(came) || everywhere.came.has(cameText(came)))) return true;
  if ([one, other].every((each) => isServedForRefused(each) && everywhere.missed.has(each.admitted)))
    return one.admitted === other.admitted;
  if (one.operation !== other.operation) return false;
  if (came !== null) {
    // Who is refused where something else is to be said is refused too early; who is served may be for many reasons.
    return isAdmittedAlike(one, other) || (!came.isSuccess && !admitsSuccess(one) && !admitsSuccess(other));
  }
  if (isAfterSameRefusal(one, other)) return true;
  return one.came === null && other.came === null && one.parts.length > 0 && meet(one.parts, other.parts);
}

/** A refusal that is made before an operation is looked at: of who calls, of too much at once. */
const isBeforehand = ({ status }: Misanswer): boolean =>
  [rowNamed("Unauthorized"), rowNamed("RateLimited")].some((row) => rowAllows(row, status));

const isAround = (part: string): boolean => /^(header|delivery header|\/(error|meta|success))\b/.test(part);

/** One rule is broken at one operation, or in one way, as far as is known. */
const isAlike = (one: Deviation, other: Deviation): boolean =>
  one.exchange === null ||
  other.exchange === null ||
  one.operation === other.operation ||
  one.actual === other.actual ||
  isServedAlike(one, other) ||
  meet(one.parts, other.parts);

/** Served in place of one refusal, or of what words alone tell, with whatever status an operation has for that. */
const isServedAlike = (one: Deviation, other: Deviation): boolean =>
  (isAdmittedAlike(one, other) || (one.admits.length === 0 && other.admits.length === 0)) &&
  [one, other].every(({ came }) => came?.isSuccess === true);

/** Whether one of these is part of one of those. */
const meet = (these: readonly string[], those: readonly string[]): boolean =>
  these.some((one) => those.some((other) => isWithin(one, other) || isWithin(other, one)));

const isWithin = (part: string, whole: string): boolean => part === whole || part.startsWith(`${whole}/`);

function causeOf(sights: readonly Sight[]): Cause {
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

const isOfTenancy = ({ rules }: FailureGroup): boolean => rules.some(({ id }) => mayLeak(id));

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
    Math.max(...group.rules.flatMap((rule) => deviations.map((deviation) => exactnessOf(rule, deviation, at)))),
    // What the document says first is said of the more general thing.
    -Math.min(...group.rules.map(({ id }) => Number(id.split("-")[1]))),
    // A code says more plainly what was admitted than words do.
    Number(deviations.some(({ admits }) => admits.length === 1)),
  ];
}

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

const orderOf = (cause: Cause): readonly number[] => [
  Number(cause.isLeak),
  verdicts.indexOf(cause.verdict),
  Number(!isReading(cause)),
  cause.rules.length,
  cause.primary.times,
];
