import { refuse } from "../../../generated/error-rows.ts";
import { bounds } from "../../../generated/limits.ts";
import type { DeliveryAttempt } from "../../../generated/models/deliveries.ts";
import { operations } from "../../../generated/operations.ts";
import type { Mutant } from "../edit.ts";
import { allRecords, metaIn, onPages, paging, withMeta } from "../feed-pages.ts";
import { onRecords, recordsIn, withRecords } from "../feed-records.ts";
import { seeing } from "../seen.ts";
import { isRefusal, onRequest, refusedWith, type Wire } from "../wire.ts";
import { queryOf, withQuery } from "../wire-requests.ts";
import { everybodys } from "./everybodys.ts";
import { wireMutant } from "./mutant.ts";
import { overlooking } from "./plausible-faults.ts";

const list = operations.listDeliveryAttempts.id;

type Records = readonly DeliveryAttempt[];

/** Orders the feed by something else than the instant; of those that are equal in it, by their ids. */
const orderedBy = (keyOf: (record: DeliveryAttempt) => string | number): Wire =>
  paging({
    records: (own) =>
      own.toSorted((one, other) => {
        const [a, b] = [keyOf(one), keyOf(other)];
        return a === b ? one.id.localeCompare(other.id) : a < b ? 1 : -1;
      }),
  });

/** Of the records of an event, those of its first endpoint; `all` is the whole feed. */
const firstOfEvent = (all: Records): ReadonlyMap<string, DeliveryAttempt> => {
  const first = new Map<string, DeliveryAttempt>();
  for (const record of all) {
    const known = first.get(record.event_id);
    if (known === undefined || record.endpoint_id < known.endpoint_id) first.set(record.event_id, record);
  }
  return first;
};

/** Changes records, given those of the first endpoint that their events reached. */
const besideFirst = (change: (record: DeliveryAttempt, first: DeliveryAttempt) => readonly DeliveryAttempt[]): Wire =>
  paging({
    async records(own, request, serve) {
      const [path = ""] = request.path.split("?");
      const first = firstOfEvent(await allRecords(serve, { ...request, path }));
      return own.flatMap((record) => change(record, first.get(record.event_id) ?? record));
    },
  });

/** Servers that show the feed with faults that a careless change may bring. */
export const plausibleFeedMutants: readonly Mutant[] = [
  wireMutant(
    "WHL-18",
    "seconds",
    "orders by the second in which attempts were made",
    orderedBy(({ occurred_at }) => Math.floor(Date.parse(occurred_at) / 1000)),
  ),
  wireMutant(
    "WHL-18",
    "as-text",
    "orders by times as texts that end where only noughts would follow",
    orderedBy(({ occurred_at }) => occurred_at.replace(/\.?0+Z$/, "Z")),
  ),
  wireMutant(
    "WHL-18",
    "week-year",
    "writes the year that a week belongs to",
    onRecords((record) => ({
      ...record,
      occurred_at: record.occurred_at.replace(/^\d+(?=-12-(29|30|31)T)/, (year) => String(Number(year) + 1)),
    })),
  ),
  wireMutant("WHL-18", "by-event", "orders by when the event was first tried", (serve) => {
    const first = new Map<string, number>();
    return orderedBy(({ event_id, occurred_at }) => {
      const at = Math.min(first.get(event_id) ?? Number.POSITIVE_INFINITY, Date.parse(occurred_at));
      first.set(event_id, at);
      return at;
    })(serve);
  }),
  wireMutant(
    "WHL-53",
    "by-size",
    "orders what happened at one instant in one way on small pages and in another on large ones",
    paging({
      records: (own, request) =>
        Number(queryOf(request).get("limit") ?? bounds.deliveryPageDefault) < bounds.deliveryPageDefault
          ? own
          : own.toSorted((one, other) =>
              one.occurred_at === other.occurred_at
                ? one.id.localeCompare(other.id)
                : other.occurred_at.localeCompare(one.occurred_at),
            ),
    }),
  ),
  wireMutant(
    "WHL-54",
    "twice-moved",
    "goes on too far by what was added since the page before",
    paging({
      start(records, { behind, offset }) {
        const at = records.findIndex(({ id }) => id === behind) + 1;
        return at + Math.max(0, at - offset);
      },
    }),
  ),
  wireMutant("WHL-55", "page-number", "multiplies the number of a page by the size asked for", (serve) => {
    const made = new Map<string, { readonly page: number; readonly limit: number }>();
    return async (request) => {
      const answer = await serve(request);
      const meta = request.operation === list ? metaIn(answer) : undefined;
      if (meta === undefined) return answer;
      const query = queryOf(request);
      const { page, limit } = made.get(query.get("cursor") ?? "") ?? { page: 0, limit: meta.limit };
      if (typeof meta.next_cursor === "string") made.set(meta.next_cursor, { page: page + 1, limit: meta.limit });
      if (page === 0 || limit === meta.limit) return answer;
      const all = await allRecords(serve, request);
      return withRecords(answer, all.slice(page * meta.limit, (page + 1) * meta.limit));
    };
  }),
  wireMutant("WHL-19", "filtered", "takes another size as usual where a type is asked for", (serve) => (request) => {
    const query = queryOf(request);
    const usual = request.operation === list && query.has("event_type") && !query.has("limit");
    return serve(usual ? withQuery(request, { limit: "20" }) : request);
  }),
  wireMutant("WHL-22", "later-pages", "takes any size where there is a cursor", (serve) => async (request) => {
    const answer = await serve(request);
    if (request.operation !== list || !queryOf(request).has("cursor") || answer.status < 400) return answer;
    return serve(withQuery(request, { limit: undefined }));
  }),
  wireMutant(
    "WHL-43",
    "max-endpoint",
    "overlooks the greatest status where an endpoint and an outcome are named",
    overlooking("http_status_max", "endpoint_id", "outcome"),
  ),
  wireMutant(
    "WHL-43",
    "until-range",
    "overlooks the end where a beginning and a type are given",
    overlooking("until", "since", "event_type"),
  ),
  wireMutant(
    "WHL-43",
    "type-max",
    "overlooks the type where a greatest status is given",
    overlooking("event_type", "http_status_max"),
  ),
  wireMutant(
    "WHL-52",
    "combined",
    "counts without looking at the outcome where a type is named too",
    (serve) => async (request) => {
      const answer = await serve(request);
      const isBoth = ["event_type", "outcome"].every((name) => queryOf(request).has(name));
      if (request.operation !== list || !isBoth || metaIn(answer) === undefined) return answer;
      const { total } = metaIn(await serve(withQuery(request, { outcome: undefined, cursor: undefined }))) ?? {};
      return withMeta(answer, { total });
    },
  ),
  wireMutant(
    "WHL-36",
    "day",
    "takes a date for its first instant",
    onRequest(list, (request) => {
      const whole = (name: string): string | undefined =>
        queryOf(request)
          .get(name)
          ?.replace(/^\d{4}-\d\d-\d\d$/, "$&T00:00:00Z");
      return withQuery(request, { since: whole("since"), until: whole("until") });
    }),
  ),
  wireMutant(
    "ENV-23",
    "later",
    "leaves the offset of later pages out",
    onPages((answer, _, request) =>
      queryOf(request).has("cursor") ? withMeta(answer, { offset: undefined }) : answer,
    ),
  ),
  wireMutant(
    "WHL-08",
    "one-per-event",
    "shows of an event the attempts at one endpoint",
    besideFirst((record, first) => (record.endpoint_id === first.endpoint_id ? [record] : [])),
  ),
  wireMutant(
    "WHL-15",
    "first-endpoint",
    "shows the address of the first endpoint that the event reached",
    besideFirst((record, first) => [{ ...record, url: first.url }]),
  ),
  wireMutant(
    "WHL-09",
    "first-endpoint",
    "shows the status that the first endpoint of the event answered",
    besideFirst((record, first) => [{ ...record, response_status: first.response_status ?? null }]),
  ),
  wireMutant(
    "WHL-02",
    "later",
    "shows no headers of later attempts",
    onRecords((record) => (record.attempt > 1 ? { ...record, request_headers: undefined } : record)),
  ),
  wireMutant(
    "TEN-04",
    "by-status",
    "shows everybody's attempts where a status is bounded",
    seeing((seen) =>
      paging({
        records: (own, request, serve) =>
          queryOf(request).has("http_status_min") ? everybodys(serve, request, seen) : own,
      }),
    ),
  ),
  wireMutant(
    "TEN-06",
    "by-type",
    "shows the attempts at anybody's endpoint where a type is asked for too",
    seeing((seen) =>
      paging({
        records: (own, request, serve) =>
          ["endpoint_id", "event_type"].every((name) => queryOf(request).has(name))
            ? everybodys(serve, request, seen)
            : own,
      }),
    ),
  ),
  wireMutant("TEN-04", "count-kept", "keeps counts by the filters, whoever asked", (serve) => {
    const kept = new Map<string, { readonly total: number; left: number }>();
    return onPages((answer, meta, request) => {
      const { path } = withQuery(request, { cursor: undefined, limit: undefined });
      const known = kept.get(path);
      if (known !== undefined && known.left > 0) {
        known.left -= 1;
        return withMeta(answer, { total: known.total });
      }
      kept.set(path, { total: meta.total, left: 1 });
      return answer;
    })(serve);
  }),
  wireMutant("WHP-21", "unanswered", "replays nothing that nobody answered", (serve) => {
    const unanswered = new Set<string>();
    return async (request) => {
      const answer = await serve(request);
      if (request.operation === list)
        for (const { id, error } of recordsIn(answer)) if (error !== null) unanswered.add(id);
      const isReplay = request.operation === operations.replayDelivery.id;
      return isReplay && unanswered.has(request.parameters.id ?? "") && !isRefusal(answer, "RateLimited")
        ? refusedWith(answer, refuse.Conflict("Nobody was there."))
        : answer;
    };
  }),
];
