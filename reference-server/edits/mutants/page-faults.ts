import { refuse } from "../../../generated/error-rows.ts";
import { bounds } from "../../../generated/limits.ts";
import type { DeliveryAttempt } from "../../../generated/models/deliveries.ts";
import { operations } from "../../../generated/operations.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Mutant } from "../edit.ts";
import { allRecords, metaIn, onPages, paging, withMeta } from "../feed-pages.ts";
import { recordsIn, withRecords } from "../feed-records.ts";
import { storing } from "../port-changes.ts";
import { onAnswer, refusedWith, type WireRequest } from "../wire.ts";
import { queryOf, withQuery } from "../wire-requests.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

const { listDeliveryAttempts, listMessages, deleteWebhookEndpoint, replayDelivery } = operations;
const list = listDeliveryAttempts.id;

type Records = readonly DeliveryAttempt[];

const sizeOf = (request: WireRequest): number => Number(queryOf(request).get("limit") ?? bounds.deliveryPageDefault);

/** A mutant that forgets a filter behind the first page. */
const forgetting = (breaks: RuleId, filter: string): Mutant =>
  wireMutant(
    breaks,
    "later-pages",
    `forgets ${filter} behind the first page`,
    paging({
      async records(own, request, serve) {
        const last = own[sizeOf(request) - 1];
        if (last === undefined || !queryOf(request).has(filter)) return own;
        const all = await allRecords(serve, withQuery(request, { [filter]: undefined }));
        return [...own.slice(0, sizeOf(request)), ...all.slice(all.findIndex(({ id }) => id === last.id) + 1)];
      },
    }),
  );

/** A mutant that shows the oldest first where the query has this filter. */
const turnedBy = (filter: string): Mutant =>
  wireMutant(
    "WHL-18",
    `turned-${filter}`,
    `shows the oldest first where ${filter} is given`,
    paging({ records: (own, request) => (queryOf(request).has(filter) ? own.toReversed() : own) }),
  );

/** A mutant that refuses a sound read. */
const refusing = (breaks: RuleId, name: string, does: string, isRefused: (query: URLSearchParams) => boolean): Mutant =>
  wireMutant(
    breaks,
    name,
    does,
    onAnswer(list, (answer, request) =>
      answer.status < 300 && isRefused(queryOf(request))
        ? refusedWith(answer, refuse.ValidationFailed("The request has invalid fields.", { until: "is out of range" }))
        : answer,
    ),
  );

const time = (query: URLSearchParams, name: string): number => Date.parse(query.get(name) ?? "");

/** Shows the feed under a filter without the records that are left out. */
const leavingOut = (
  breaks: RuleId,
  name: string,
  does: string,
  filter: string,
  isLeftOut: (record: DeliveryAttempt, deleted: ReadonlySet<string>, replays: ReadonlySet<string>) => boolean,
): Mutant =>
  wireMutant(breaks, name, does, (serve) => {
    const [deleted, replays] = [new Set<string>(), new Set<string>()];
    const paged = paging({
      records: (own, request) =>
        filter === "" || queryOf(request).has(filter)
          ? own.filter((record) => !isLeftOut(record, deleted, replays))
          : own,
    })(serve);
    return async (request) => {
      const answer = await paged(request);
      if (request.operation === deleteWebhookEndpoint.id && answer.status < 300)
        deleted.add(request.parameters.id ?? "");
      if (request.operation === replayDelivery.id && answer.status < 300)
        replays.add(String(JSON.parse(answer.bytes.toString()).data.new_event_id));
      return answer;
    };
  });

const isReplay = (record: DeliveryAttempt, _: unknown, replays: ReadonlySet<string>): boolean =>
  replays.has(record.event_id);

/** Servers whose pages are wrong under some filters, in some places or after something has happened. */
export const pageFaultMutants: readonly Mutant[] = [
  forgetting("WHL-27", "endpoint_id"),
  forgetting("WHL-29", "event_type"),
  forgetting("WHL-32", "outcome"),
  forgetting("WHL-34", "since"),
  forgetting("WHL-37", "http_status_min"),
  forgetting("WHL-38", "http_status_max"),
  ...["since", "until", "outcome", "endpoint_id", "event_type", "http_status_max"].map(turnedBy),
  wireMutant(
    "WHL-24",
    "turned-outcome",
    "turns the order of pages round under an outcome, and not that on them",
    paging({
      records: (own, request) => (queryOf(request).has("outcome") ? own.toReversed() : own),
      page: (records) => records.toReversed(),
    }),
  ),
  refusing(
    "WHL-35",
    "future",
    "refuses an end that is still to come",
    (query) => time(query, "until") > Date.now() + 3e8,
  ),
  wireMutant(
    "WHL-43",
    "one-status",
    "finds nothing in a range of one status",
    paging({
      records(own, request) {
        const [least, most] = ["http_status_min", "http_status_max"].map((name) => queryOf(request).get(name));
        return least !== null && least === most ? [] : own;
      },
    }),
  ),
  refusing("WHL-42", "ends", "refuses the ends of the range as both bounds", (query) => {
    const [least, most] = [query.get("http_status_min"), query.get("http_status_max")];
    return least === most && (Number(least) === bounds.httpStatusMin || Number(least) === bounds.httpStatusMax);
  }),
  wireMutant("WHL-29", "late", "cuts pages before it looks at types, and takes a short one for the last", (serve) => {
    return async (request) => {
      const type = request.operation === list ? queryOf(request).get("event_type") : null;
      if (type === null) return serve(request);
      const page = await serve(withQuery(request, { event_type: undefined }));
      if (metaIn(page) === undefined) return page;
      const records = recordsIn(page).filter(({ event_type: own }) => own === type);
      const isFull = records.length === sizeOf(request);
      return withRecords(isFull ? page : withMeta(page, { next_cursor: undefined }), records);
    };
  }),
  leavingOut("WHL-27", "replays", "finds no replays by their endpoint", "endpoint_id", isReplay),
  leavingOut("WHL-32", "replays", "finds no replays by their outcome", "outcome", isReplay),
  leavingOut("WHL-34", "replays", "finds no replays by their time", "since", isReplay),
  leavingOut("WHL-27", "deleted", "finds nothing at a deleted endpoint", "endpoint_id", (record, deleted) =>
    deleted.has(record.endpoint_id),
  ),
  leavingOut(
    "WHL-29",
    "deleted",
    "finds nothing of a type that was sent to a deleted endpoint",
    "event_type",
    (record, deleted) => deleted.has(record.endpoint_id),
  ),
  leavingOut("WHL-29", "families", "finds nothing of some types", "event_type", (record) =>
    /^(lookup|consent|wallet)/.test(record.event_type),
  ),
  wireMutant(
    "WHL-29",
    "some-ignored",
    "does not heed some types",
    paging({
      records: (own, request, serve) =>
        /^(lookup|consent|wallet|phone|subscription)/.test(queryOf(request).get("event_type") ?? "")
          ? allRecords(serve, withQuery(request, { event_type: undefined }))
          : own,
    }),
  ),
  wireMutant(
    "WHL-44",
    "capped",
    "counts no further than a page by default",
    onPages((answer, { total }) => withMeta(answer, { total: Math.min(total, bounds.deliveryPageDefault) })),
  ),
  wireMutant(
    "WHL-52",
    "last",
    "counts what it shows on the last page",
    onPages((answer, meta) =>
      meta.next_cursor === undefined && meta.offset > 0
        ? withMeta(answer, { total: recordsIn(answer).length })
        : answer,
    ),
  ),
  wireMutant(
    "WHL-52",
    "empty",
    "counts everything where nothing matches a time, but for one",
    (serve) => async (request) => {
      const answer = await serve(request);
      if (request.operation !== list || metaIn(answer) === undefined || recordsIn(answer).length > 0) return answer;
      return withMeta(answer, { total: 1 });
    },
  ),
  wireMutant("WHL-52", "replays", "does not count replays", (serve) => {
    let replays = 0;
    return async (request) => {
      const answer = await serve(request);
      if (request.operation === replayDelivery.id && answer.status < 300) replays += 1;
      const meta = request.operation === list ? metaIn(answer) : undefined;
      return meta === undefined ? answer : withMeta(answer, { total: Math.max(0, meta.total - replays) });
    };
  }),
  wireMutant(
    "WHL-01",
    "exact",
    "leads to no page that would be just full",
    paging({
      next: (records, _, end) => {
        const limit = records.length - end;
        return limit > 0 && limit !== 2 ? records[end - 1]?.id : undefined;
      },
    }),
  ),
  wireMutant(
    "WHL-95",
    "headers",
    "shows no headers behind the first page",
    onPages((answer, _, request) =>
      queryOf(request).has("cursor")
        ? withRecords(
            answer,
            recordsIn(answer).map(({ request_headers: _headers, ...record }) => record),
          )
        : answer,
    ),
  ),
  wireMutant(
    "WHL-95",
    "digest",
    "shows another digest behind the first page",
    onPages((answer, _, request) =>
      queryOf(request).has("cursor")
        ? withRecords(
            answer,
            recordsIn(answer).map((record) => ({ ...record, request_body_sha256: "0".repeat(64) })),
          )
        : answer,
    ),
  ),
  wireMutant(
    "WHL-95",
    "filtered",
    "shows no status where an outcome is asked for",
    onPages((answer, _, request) =>
      queryOf(request).has("outcome")
        ? withRecords(
            answer,
            recordsIn(answer).map((record) => ({ ...record, response_status: null })),
          )
        : answer,
    ),
  ),
  wireMutant(
    "WHL-53",
    "later-ties",
    "orders what happened at one instant in another way behind the first page",
    paging({
      records: (own: Records, request) => {
        const size = sizeOf(request);
        const tied = own.toSorted((one, other) =>
          one.occurred_at === other.occurred_at
            ? one.id.localeCompare(other.id)
            : other.occurred_at.localeCompare(one.occurred_at),
        );
        const head = own.slice(0, size);
        const shown = new Set(head.map(({ id }) => id));
        return [...head, ...tied.filter(({ id }) => !shown.has(id))];
      },
    }),
  ),
  mutantOf("MSG-61", "instants", "loses messages of the instant at which a page ends", [
    storing((store) => ({
      messages: (organizationId, page) =>
        store.messages(organizationId, {
          ...page,
          before: page.before === null ? null : { ...page.before, id: "00000000-0000-0000-0000-000000000000" },
        }),
    })),
  ]),
  wireMutant("MSG-61", "offset", "counts where a page of messages begins anew", (serve) => {
    const begins = new Map<string, number>();
    return async (request) => {
      const answer = await serve(request);
      const meta = request.operation === listMessages.id ? metaIn(answer) : undefined;
      if (meta === undefined) return answer;
      const begin = begins.get(queryOf(request).get("cursor") ?? "") ?? 0;
      if (typeof meta.next_cursor === "string") begins.set(meta.next_cursor, begin + meta.limit);
      const whole = await serve(withQuery(request, { cursor: undefined, limit: String(bounds.deliveryPageMax) }));
      return withRecords(answer, recordsIn(whole).slice(begin, begin + meta.limit));
    };
  }),
];
