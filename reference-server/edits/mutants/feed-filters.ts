import { refuse } from "../../../generated/error-rows.ts";
import { bounds } from "../../../generated/limits.ts";
import type { DeliveryAttempt } from "../../../generated/models/deliveries.ts";
import { operations } from "../../../generated/operations.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Mutant } from "../edit.ts";
import { allRecords, metaIn, paging } from "../feed-pages.ts";
import { recordsIn } from "../feed-records.ts";
import { onAnswer, onRequest, refusedWith, type WireRequest } from "../wire.ts";
import { queryOf, withQuery } from "../wire-requests.ts";
import { wireMutant } from "./mutant.ts";

const { id: list } = operations.listDeliveryAttempts;

/** Filters of the feed, each with the rule that says what it lets pass. */
const ruleOf = {
  endpoint_id: "WHL-27",
  event_type: "WHL-29",
  outcome: "WHL-32",
  since: "WHL-34",
  until: "WHL-35",
  http_status_min: "WHL-37",
  http_status_max: "WHL-38",
} as const satisfies Readonly<Record<string, RuleId>>;

type Filter = keyof typeof ruleOf;
const filters = Object.keys(ruleOf) as readonly Filter[];

/** A mutant that does not heed a filter; where a condition is given, while that holds of the query. */
const ignoring = (
  breaks: RuleId,
  name: string,
  does: string,
  filter: Filter,
  condition: (query: URLSearchParams) => boolean = () => true,
): Mutant =>
  wireMutant(
    breaks,
    name,
    does,
    paging({
      records: (own, request, serve) =>
        condition(queryOf(request)) ? allRecords(serve, withQuery(request, { [filter]: undefined })) : own,
    }),
  );

/** A mutant that goes by another comparison of a filter's value with a record. */
const keeping = (
  name: string,
  does: string,
  filter: Filter,
  keep: (record: DeliveryAttempt, value: string) => boolean,
  breaks: RuleId = ruleOf[filter],
): Mutant =>
  wireMutant(
    breaks,
    name,
    does,
    paging({
      async records(own, request, serve) {
        const value = queryOf(request).get(filter);
        if (value === null) return own;
        const all = await allRecords(serve, withQuery(request, { [filter]: undefined }));
        return all.filter((record) => keep(record, value));
      },
    }),
  );

/** A mutant that goes by another value of a filter than was sent. */
const reading = (
  name: string,
  does: string,
  filter: Filter,
  change: (value: string) => Readonly<Record<string, string | undefined>>,
): Mutant =>
  wireMutant(
    ruleOf[filter],
    name,
    does,
    onRequest(list, (request) => {
      const value = queryOf(request).get(filter);
      return value === null ? request : withQuery(request, change(value));
    }),
  );

/** A mutant that refuses what it should serve. */
const refusing = (
  breaks: RuleId,
  name: string,
  does: string,
  condition: (request: WireRequest, isEmpty: boolean) => boolean,
  refusal: Parameters<typeof refusedWith>[1],
): Mutant =>
  wireMutant(
    breaks,
    name,
    does,
    onAnswer(list, (answer, request) =>
      answer.status < 300 && condition(request, recordsIn(answer).length === 0) ? refusedWith(answer, refusal) : answer,
    ),
  );

const sizeOf = (request: WireRequest): number => Number(queryOf(request).get("limit") ?? bounds.deliveryPageDefault);
const familyOf = (type: string): string | undefined => type.split(".")[0];
const statusOf = ({ response_status: status }: DeliveryAttempt): number => status ?? 0;
const startOfDay = (instant: string): string => `${instant.slice(0, 10)}T00:00:00Z`;

/** Servers that show other attempts than the filters say. */
export const feedFilterMutants: readonly Mutant[] = [
  ...filters.map((filter) => ignoring(ruleOf[filter], "ignored", `does not heed ${filter}`, filter)),
  keeping("beginning", "compares all but the last digits of an endpoint's id", "endpoint_id", (record, id) =>
    record.endpoint_id.startsWith(id.slice(0, 30)),
  ),
  keeping(
    "any-id",
    "shows what has that id, whatever of",
    "endpoint_id",
    (record, id) => record.endpoint_id === id || record.id === id,
  ),
  keeping(
    "family",
    "shows the types of the same family too",
    "event_type",
    (record, type) => familyOf(record.event_type) === familyOf(type),
  ),
  wireMutant("WHL-29", "cursor", "goes on with the type that a cursor was made for", (serve) => {
    const types = new Map<string, string | undefined>();
    return async (request) => {
      if (request.operation !== list) return serve(request);
      const query = queryOf(request);
      const cursor = query.get("cursor");
      const type = cursor === null ? (query.get("event_type") ?? undefined) : types.get(cursor);
      const known = cursor === null || types.has(cursor);
      const answer = await serve(known ? withQuery(request, { event_type: type }) : request);
      const next = metaIn(answer)?.next_cursor;
      if (typeof next === "string") types.set(next, type);
      return answer;
    };
  }),
  keeping(
    "failures",
    "shows what is dead among what is tried again",
    "outcome",
    ({ outcome }, value) => outcome === value || (value === "retry" && outcome === "dead"),
  ),
  refusing(
    "WHL-32",
    "dead",
    "does not know one of the outcomes",
    (request) => queryOf(request).get("outcome") === "dead",
    refuse.ValidationFailed("The request has invalid fields.", { outcome: "is not known" }),
  ),
  reading("day", "begins with the day of the instant", "since", (since) => ({ since: startOfDay(since) })),
  reading("offset", "overlooks in what zone an instant is", "since", (since) => ({
    since: since.replace(/[+-]\d\d:\d\d$/, "Z"),
  })),
  reading("turned", "takes it as the end", "since", (since) => ({ since: undefined, until: since })),
  reading("day", "ends before the day of the instant", "until", (until) => ({ until: startOfDay(until) })),
  reading("minute", "ends with the minute of the instant", "until", (until) => ({
    until: new Date(Math.ceil(Date.parse(until) / 60_000) * 60_000).toISOString(),
  })),
  keeping(
    "exclusive",
    "leaves the least status itself out",
    "http_status_min",
    (record, least) => statusOf(record) > Number(least),
  ),
  keeping(
    "class",
    "begins with the class of the least status",
    "http_status_min",
    (record, least) => statusOf(record) >= Math.floor(Number(least) / 100) * 100,
  ),
  keeping(
    "exclusive",
    "leaves the greatest status itself out",
    "http_status_max",
    (record, most) => statusOf(record) > 0 && statusOf(record) < Number(most),
  ),
  ignoring("WHL-43", "one-of-two", "overlooks the type where an endpoint is named", "event_type", (query) =>
    query.has("endpoint_id"),
  ),
  wireMutant(
    "WHL-43",
    "first-page",
    "forgets the outcome on later pages",
    paging({
      async records(own, request, serve) {
        const last = own[sizeOf(request) - 1];
        if (last === undefined) return own;
        const all = await allRecords(serve, withQuery(request, { outcome: undefined }));
        return [...own.slice(0, sizeOf(request)), ...all.slice(all.findIndex(({ id }) => id === last.id) + 1)];
      },
    }),
  ),
  ignoring("WHL-43", "outcome-or-status", "overlooks the outcome where a status is bounded", "outcome", (query) =>
    query.has("http_status_max"),
  ),
  refusing(
    "WHL-45",
    "not-found",
    "finds it an error that nothing matches",
    (_, isEmpty) => isEmpty,
    refuse.NotFound("There is no such attempt."),
  ),
  wireMutant(
    "WHL-45",
    "all",
    "shows all where nothing matches",
    paging({
      records: (own, request, serve) =>
        own.length > 0
          ? own
          : allRecords(serve, withQuery(request, Object.fromEntries(filters.map((filter) => [filter, undefined])))),
    }),
  ),
];
