import { objectOf } from "../exchange/exchange.ts";
import { cutShort } from "../probes/body-probes.ts";
import { otherClock } from "../probes/clock-probes.ts";
import { misnamedEvent } from "../probes/delivery-probes.ts";
import { eventTime, frozenTime, misreadOffset } from "../probes/list-probes.ts";
import { ownAllowance } from "../probes/live-probes.ts";
import { lateFilter, overlappingPages, skippingPages } from "../probes/page-probes.ts";
import { racedRetry } from "../probes/race-probes.ts";
import { mayLeak } from "../runner/possible-leak.ts";
import { parsedBody } from "../story/parsed-body.ts";
import { admitsSuccess, cameText, codeOfRow, type Deviation, deviationOf } from "./deviation.ts";
import { type FailureGroup, stepsOf } from "./failure-groups.ts";
import { areaOf } from "./rule-counts.ts";

/** A group with what it shows of the server. */
export interface Sight {
  readonly group: FailureGroup;
  readonly deviations: readonly Deviation[];
}

export const sightOf = (group: FailureGroup): Sight => ({ group, deviations: group.findings.map(deviationOf) });

/**
 * What the same check saw before it came to this, where the same refusal came in place of what was to be done: what comes
 * later is done on top of it.
 */
export function nearestTo(first: Sight, all: readonly Sight[]): Sight {
  const isAlike = ({ group, deviations }: Sight): boolean =>
    group.check === first.group.check &&
    group.verdict === first.group.verdict &&
    deviations.some((one) => first.deviations.some((other) => isRefusedAlike(one, other)));
  const steps = ({ group }: Sight): number => Math.min(...group.findings.map(stepsOf));
  const isNearer = (one: Sight, other: Sight): boolean =>
    steps(one) < steps(other) || (steps(one) === steps(other) && isOfRefusal(one) && !isOfRefusal(other));
  return all.filter(isAlike).reduce((nearest, sight) => (isNearer(sight, nearest) ? sight : nearest), first);
}

/** Whether a rule says when the refusal that came is made. */
const isOfRefusal = ({ group, deviations }: Sight): boolean =>
  group.rules.some(({ rule: { about } }) =>
    deviations.some(({ came }) => came !== null && codeOfRow(about) === came.code),
  );

/** Refused alike at one operation where words or a success were admitted. */
const isRefusedAlike = (one: Deviation, other: Deviation): boolean =>
  one.operation === other.operation &&
  one.came !== null &&
  other.came !== null &&
  !one.came.isSuccess &&
  cameText(one.came) === cameText(other.came) &&
  [one, other].every((each) => each.admits.length === 0 || admitsSuccess(each));

/** Whether one only warns of what the other breaks: that an operation served what was to be refused, by rules of one area. */
export const warnsOfSame = (one: Sight, other: Sight): boolean =>
  one.group.verdict === "warn" &&
  other.group.verdict === "fail" &&
  one.group.rules.some((rule) => other.group.rules.some(({ id }) => areaOf(id) === areaOf(rule.id))) &&
  one.deviations.some((mine) => other.deviations.some((theirs) => isServedBoth(mine, theirs)));

const isServedBoth = (one: Deviation, other: Deviation): boolean =>
  one.operation === other.operation &&
  [one, other].every((each) => each.came?.isSuccess === true && !admitsSuccess(each)) &&
  one.came?.status === other.came?.status;

/**
 * Whether both refused calls that were to be served for the same header, such as a key under which an answer is kept: what
 * operations have in common is looked at in one place.
 */
export const refusedForSameHeader = (one: Sight, other: Sight): boolean => {
  const names = one.deviations.flatMap(headersBlamed);
  return other.deviations.flatMap(headersBlamed).some((name) => names.includes(name));
};

/** Headers of a refused request that the refusal's details name, in lower case. */
function headersBlamed(deviation: Deviation): readonly string[] {
  const { came, admits, exchange } = deviation;
  const isServed = admits.length === 0 || admitsSuccess(deviation);
  if (came === null || came.isSuccess || !isServed || exchange?.outcome.kind !== "response") return [];
  const sent = new Set(Object.keys(exchange.request.headers).map((name) => name.toLowerCase()));
  const details = objectOf(objectOf(objectOf(parsedBody(exchange.outcome.text))?.error)?.details);
  return Object.keys(details ?? {})
    .map((name) => name.replace(/^\//, "").toLowerCase())
    .filter((name) => sent.has(name));
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

/** Guesses of a group that other ones may share. */
export const commonGuesses = ({ findings }: FailureGroup): readonly string[] =>
  findings.flatMap((finding) =>
    finding.likely.flatMap(({ probe }) => {
      if (ofOnePlace.has(probe)) return [probe];
      return ofOneOperation.has(probe) ? [`${probe} ${deviationOf(finding).operation}`] : [];
    }),
  );

/**
 * Whether one is known to be that a limit is counted for each caller, or each of what calls are about, and the other that a
 * call was served which a limit was to refuse.
 */
export const countsBesides = ({ group }: Sight, { deviations }: Sight): boolean =>
  group.findings.some(({ likely }) => likely.some(({ probe }) => probe === ownAllowance.id)) &&
  deviations.some(({ came, admits }) => came?.isSuccess === true && admits.includes("RateLimited"));

/** Whether one is that a call was carried out in place of a refusal, and the other was found after that same call. */
export function cameOfServing({ deviations }: Sight, { group }: Sight): boolean {
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

/** Whether a part stands around the data of an answer. */
export const isAround = (part: string): boolean => /^(header|delivery header|\/(error|meta|success))\b/.test(part);

/** Whether a group breaks a rule that keeps organizations apart. */
export const isOfTenancy = ({ rules }: FailureGroup): boolean => rules.some(({ id }) => mayLeak(id));

/** Whether one is that a record was in a wrong state, and the other a refusal of a call about a record in that state. */
export function refusedForState({ group }: Sight, other: Sight): boolean {
  const states = group.findings.flatMap(({ at }) =>
    at.flatMap(({ part, seen }) => (part.kind === "member" && part.pointer.endsWith("/status") && seen ? [seen] : [])),
  );
  return (
    states.length > 0 &&
    other.group.findings.some(({ came, told, exchanges }) => {
      const asked = told?.steps.find(({ exchange }) => exchange === exchanges.at(-1)?.number);
      const isOfState = ([name, text]: readonly [string, string]): boolean =>
        name.endsWith("'s status") && states.includes(text);
      return came?.isSuccess === false && (asked?.standing?.some(isOfState) ?? false);
    })
  );
}
