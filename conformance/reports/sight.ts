import { objectOf } from "../exchange/exchange.ts";
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
