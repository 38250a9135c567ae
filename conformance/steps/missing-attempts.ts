import { type Apart, type Decided, type Fact, type FactMaker, newFactMaker, whatSetsApart } from "../evidence/apart.ts";
import { atPart, member, type Place } from "../evidence/place.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Attempt } from "./attempt.ts";
import type { AttemptRecord } from "./feed.ts";
import type { Filters } from "./filter-model.ts";

/** That a page lacks an attempt, wherever it were to stand: at the element behind the last (RFC 6901, 4). */
export const lacking = (page: Exchange, admitted: string): Place => atPart(page, member("/data/-"), admitted);

/** That a member of a page's record is not what is admitted; records are counted from 0. */
export const ofRecord = (page: Exchange, index: number, name: string, admitted: string): Place =>
  atPart(page, member(`/data/${index}/${name}`), admitted);

/**
 * Which attempts a feed should show and does not, one of them by its members, and what sets them apart from those that it
 * shows; `all` are those that the feed has without filters, by which the first attempt of each event is known.
 */
export function missingText(
  wanted: readonly Attempt[],
  isShown: (attempt: Attempt) => boolean,
  all: readonly Attempt[],
  filters: Filters,
): string {
  const missing = wanted.filter((attempt) => !isShown(attempt));
  const [first] = missing;
  if (first === undefined) return "none missing";
  const firstTry = (attempt: Attempt): number =>
    Math.min(...all.filter((one) => isOfOneDelivery(one, attempt)).map(({ at }) => at));
  const fact = newFactMaker();
  const factsOf = (attempt: Attempt): ReadonlySet<Fact> => {
    const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = filters;
    return new Set([
      ...(firstTry(attempt) < since ? [fact(0, "whose event was tried first before since")] : []),
      ...(firstTry(attempt) > until ? [fact(0, "whose event was tried first after until")] : []),
      ...attemptFacts(attempt, fact),
    ]);
  };
  const decided = wanted.map((one): Decided => ({ holds: isShown(one), facts: factsOf(one) }));
  const apart = whatSetsApart(decided);
  const sets = apart?.failing === true ? `; all that are missing are those ${apartText(apart)}` : "";
  const tried =
    first.attempt > 1 ? `, of an event that was tried first at ${new Date(firstTry(first)).toISOString()}` : "";
  return `${missing.length} of ${wanted.length} missing, such as ${described(first)}${tried}${sets}`;
}

/** What may set attempts apart from others. */
function attemptFacts(
  { attempt, outcome, status, eventType }: Pick<Attempt, "attempt" | "outcome" | "status" | "eventType">,
  fact: FactMaker,
): readonly Fact[] {
  return [
    fact(1, attempt > 1 ? "that are later attempts than the first" : "that are first attempts"),
    fact(2, `with outcome ${outcome}`),
    fact(2, status === null ? "without a status" : `with status ${status}`),
    fact(3, `of ${eventType}`),
  ];
}

const apartText = ({ facts, or }: Apart): string =>
  [facts.map(({ says }) => says).join(" and "), ...or.map(({ says }) => says)].join(", or ");

/**
 * How many records are wrong of how many, and what sets those apart from the others, such as "3 of 40, those with outcome dead";
 * `isApart` where something does.
 */
export function wrongRecords(
  records: readonly AttemptRecord[],
  isWrong: (record: AttemptRecord) => boolean,
): { readonly text: string; readonly isApart: boolean } {
  const fact = newFactMaker();
  const apart = whatSetsApart(
    records.map((record): Decided => {
      const { attempt, outcome, response_status: status, event_type } = record;
      const told = { attempt: Number(attempt), outcome: String(outcome), eventType: String(event_type) };
      const facts = attemptFacts({ ...told, status: Number(status) > 0 ? Number(status) : null }, fact);
      return { holds: !isWrong(record), facts: new Set(facts) };
    }),
  );
  const counts = `${records.filter(isWrong).length} of ${records.length}`;
  if (apart === null) return { text: counts, isApart: false };
  return { text: `${counts}, ${apart.failing ? "those" : "all but those"} ${apartText(apart)}`, isApart: true };
}

const isOfOneDelivery = (one: Attempt, other: Attempt): boolean =>
  one.eventId === other.eventId && one.endpointId === other.endpointId;

/** An attempt by its members. */
export const described = ({ id, attempt, eventType, endpointId, outcome, status, at }: Attempt): string =>
  `${id}, attempt ${attempt}, ${eventType} at endpoint ${endpointId}, ${outcome}, status ${status ?? "none"}, ${new Date(at).toISOString()}`;
