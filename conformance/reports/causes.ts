import { operations } from "../../generated/operations.ts";
import type { Misanswer } from "../evidence/misanswer.ts";
import { rowAllows, rowNamed } from "../exchange/admits.ts";
import { statusOf } from "../exchange/exchange.ts";
import { monitorId } from "../monitor/monitor.ts";
import type { ToldFinding } from "../outcome/verdict.ts";
import type { RunResult } from "../runner/run-result.ts";
import { operationOf } from "../sending/sender.ts";
import { type Cause, causeOf, orderOf } from "./cause-of.ts";
import {
  admitsSuccess,
  cameText,
  codeOfRow,
  type Deviation,
  isAdmittedAlike,
  isAfterSameRefusal,
} from "./deviation.ts";
import { type FailureGroup, failureGroups } from "./failure-groups.ts";
import {
  cameOfServing,
  commonGuesses,
  countsBesides,
  isAround,
  isOfTenancy,
  refusedForSameHeader,
  type Sight,
  sightOf,
  warnsOfSame,
} from "./sight.ts";

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
  if (countsBesides(one, other) || countsBesides(other, one)) return true;
  if (warnsOfSame(one, other) || warnsOfSame(other, one) || refusedForSameHeader(one, other)) return true;
  const sameRules = one.group.rules.filter((rule) => other.group.rules.includes(rule));
  // Whatever shows it: a rule of one operation, or of one member of a record, is broken in one place.
  if (sameRules.some(({ rule: { about } }) => isOfOnePlace(about))) return true;
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

/** Whether a rule that speaks of it is of one operation, or of one member. */
const isOfOnePlace = (about: string): boolean => Object.hasOwn(operations, about) || about.includes(".");

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
  if (came !== null && isOfOneGate(came) && [one, other].every(isToBeServed)) return true;
  if (one.operation !== other.operation) return false;
  if (came !== null) {
    // Who is refused where something else is to be said is refused too early; who is served may be for many reasons.
    return isAdmittedAlike(one, other) || (!came.isSuccess && !admitsSuccess(one) && !admitsSuccess(other));
  }
  if (isAfterSameRefusal(one, other)) return true;
  return one.came === null && other.came === null && one.parts.length > 0 && meet(one.parts, other.parts);
}

/** Operations that share a refusal of their own: it is made in one place for all of them. */
const mostSharing = 5;

const isOfOneGate = ({ isSuccess, code }: Misanswer): boolean =>
  !isSuccess && code !== null && (operationsRefusing.get(code)?.size ?? mostSharing + 1) <= mostSharing;

/** The operations that declare a refusal, by its code. */
const operationsRefusing: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [
    ...Map.groupBy(
      Object.values(operations).flatMap(({ id, errors }) =>
        errors.map((name) => ({ id, code: codeOfRow(name) ?? name })),
      ),
      ({ code }) => code,
    ),
  ].map(([code, all]) => [code, new Set(all.map(({ id }) => id))]),
);

/** Whether a success was admitted, or what words alone tell. */
const isToBeServed = (deviation: Deviation): boolean => deviation.admits.length === 0 || admitsSuccess(deviation);

/** A refusal that is made before an operation is looked at: of who calls, of too much at once. */
const isBeforehand = ({ status }: Misanswer): boolean =>
  [rowNamed("Unauthorized"), rowNamed("RateLimited")].some((row) => rowAllows(row, status));

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
