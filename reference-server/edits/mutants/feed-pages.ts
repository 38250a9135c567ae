import { refuse } from "../../../generated/error-rows.ts";
import { bounds } from "../../../generated/limits.ts";
import type { DeliveryAttempt } from "../../../generated/models/deliveries.ts";
import { operations } from "../../../generated/operations.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Mutant } from "../edit.ts";
import { metaIn, onPages, paging, withMeta } from "../feed-pages.ts";
import { recordsIn, withRecords } from "../feed-records.ts";
import { storingWebhooks } from "../port-changes.ts";
import { onAnswer, onRequest, parsed, refusedWith, type WireAnswer, type WireRequest, withBody } from "../wire.ts";
import { queryOf, withQuery } from "../wire-requests.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

const { id: list } = operations.listDeliveryAttempts;

type Meta = NonNullable<ReturnType<typeof metaIn>>;

/** A mutant that says something else beside the records of a page; undefined leaves a member out. */
const saying = (
  breaks: RuleId,
  name: string,
  does: string,
  change: (meta: Meta, records: readonly DeliveryAttempt[]) => Readonly<Record<string, unknown>>,
): Mutant =>
  wireMutant(
    breaks,
    name,
    does,
    onPages((answer, meta) => withMeta(answer, change(meta, recordsIn(answer)))),
  );

/** A mutant that shows the records of a page in another order. */
const ordered = (
  name: string,
  does: string,
  order: (records: readonly DeliveryAttempt[]) => readonly DeliveryAttempt[],
): Mutant =>
  wireMutant(
    "WHL-18",
    name,
    does,
    onPages((answer) => withRecords(answer, order(recordsIn(answer)))),
  );

const pagedBy = (breaks: RuleId, name: string, does: string, by: Parameters<typeof paging>[0]): Mutant =>
  wireMutant(breaks, name, does, paging(by));

const sizeOf = (request: WireRequest): number => Number(queryOf(request).get("limit") ?? bounds.deliveryPageDefault);

/** A mutant that gives pages of another size than was asked for. */
const sized = (breaks: RuleId, name: string, does: string, size: (asked: number) => number): Mutant =>
  wireMutant(
    breaks,
    name,
    does,
    onRequest(list, (request) => {
      const asked = sizeOf(request);
      return size(asked) === asked ? request : withQuery(request, { limit: String(size(asked)) });
    }),
  );

/** A mutant that gives pages of another size than it says. */
const saidOtherwise = (breaks: RuleId, name: string, does: string, size: (asked: number) => number): Mutant =>
  wireMutant(breaks, name, does, (serve) => async (request) => {
    const asked = sizeOf(request);
    if (request.operation !== list || size(asked) === asked) return serve(request);
    const answer = await serve(withQuery(request, { limit: String(size(asked)) }));
    return metaIn(answer) === undefined ? answer : withMeta(answer, { limit: asked });
  });

/** A mutant that does something else with a cursor that the server refuses. */
const strange = (
  name: string,
  does: string,
  change: (begun: () => Promise<WireAnswer>, answer: WireAnswer, cursor: string) => Promise<WireAnswer> | WireAnswer,
): Mutant =>
  wireMutant("WHL-26", name, does, (serve) => async (request) => {
    const answer = await serve(request);
    const cursor = request.operation === list ? queryOf(request).get("cursor") : null;
    const isRefused = "cursor" in Object(Object(Object(parsed(answer.bytes)).error).details);
    return cursor !== null && isRefused
      ? change(() => serve(withQuery(request, { cursor: undefined })), answer, cursor)
      : answer;
  });

const last = (records: readonly DeliveryAttempt[], end: number): string | undefined =>
  end < records.length ? records[end - 1]?.id : undefined;

/** Servers that page through the feed in a way that breaks a rule. */
export const feedPageMutants: readonly Mutant[] = [
  saying("WHL-01", "no-total", "leaves the total out", () => ({ total: undefined })),
  saying("WHL-01", "no-offset", "leaves the offset of the first page out", ({ offset }) => ({
    offset: offset > 0 ? offset : undefined,
  })),
  saying("WHL-01", "no-cursor", "never leads on", () => ({ next_cursor: undefined })),
  ordered("oldest", "turns every page round", (records) => records.toReversed()),
  ordered("endpoints", "shows one endpoint after the other", (records) =>
    records.toSorted((one, other) => one.endpoint_id.localeCompare(other.endpoint_id)),
  ),
  sized("WHL-19", "largest", "gives the largest page when none was asked for", (asked) =>
    asked === bounds.deliveryPageDefault ? bounds.deliveryPageMax : asked,
  ),
  sized("WHL-19", "less", "takes another size as usual", (asked) =>
    asked === bounds.deliveryPageDefault ? Math.floor(asked / 2) : asked,
  ),
  sized("WHL-20", "capped", "gives no more than half of the largest page", (asked) =>
    asked > bounds.deliveryPageMax ? asked : Math.min(asked, bounds.deliveryPageMax / 2),
  ),
  wireMutant(
    "WHL-20",
    "exclusive",
    "refuses the largest size itself",
    onAnswer(list, (answer, request) =>
      sizeOf(request) === bounds.deliveryPageMax
        ? refusedWith(answer, refuse.ValidationFailed("The request has invalid fields.", { limit: "must be less" }))
        : answer,
    ),
  ),
  saidOtherwise("WHL-21", "one-more", "shows the record that tells of a further page", (asked) =>
    asked < bounds.deliveryPageMax ? asked + 1 : asked,
  ),
  saidOtherwise("WHL-22", "larger", "gives pages of any size", (asked) => Math.min(asked, bounds.deliveryPageMax)),
  pagedBy("WHL-23", "skips", "begins a page behind the record that told of it", {
    next: (records, _, end) => (end < records.length ? records[end]?.id : undefined),
  }),
  pagedBy("WHL-23", "instants", "loses what happened at the instant of a page's end", {
    next: (records, _, end) => {
      const ended = records[end - 1]?.occurred_at;
      return last(records, end) && records.findLast(({ occurred_at: at }) => at === ended)?.id;
    },
  }),
  pagedBy("WHL-23", "repeats", "repeats the last record of a page", {
    next: (records, _, end) => last(records, end) && records[end - 2]?.id,
  }),
  pagedBy("WHL-23", "endless", "leads from the last page to the first", {
    start: (records, { behind }) => records.findIndex(({ id }) => id === behind) + 1,
    next: (records, start, end) => last(records, end) ?? (start > 0 ? null : undefined),
  }),
  pagedBy("WHL-24", "pages", "turns the order of pages round, and not that on them", {
    records: (own) => own.toReversed(),
    page: (records) => records.toReversed(),
  }),
  pagedBy("WHL-25", "offset", "counts where a page begins anew", { start: (_, { offset }) => offset }),
  strange("first-page", "begins anew with a strange cursor", (begun) => begun()),
  strange("spoilt", "takes a cursor that looks like its own for the beginning", (begun, answer, cursor) =>
    /^[\w-]{60,200}$/.test(cursor) ? begun() : answer,
  ),
  strange("fails", "fails on a cursor that it did not make", (_, answer) =>
    refusedWith(answer, refuse.InternalError("It failed.")),
  ),
  strange("empty", "finds nothing behind a strange cursor", async (begun) =>
    withMeta(withRecords(await begun(), []), { total: 0, next_cursor: undefined }),
  ),
  saying("WHL-44", "page", "counts the records of the page", (_, { length: total }) => ({ total })),
  pagedBy("WHL-44", "deliveries", "counts first attempts only", {
    total: (records) => records.filter(({ attempt }) => attempt === 1).length,
  }),
  wireMutant(
    "ENV-20",
    "items",
    "holds the records in an object",
    onPages((answer) => withBody(answer, { ...Object(parsed(answer.bytes)), data: { items: recordsIn(answer) } })),
  ),
  wireMutant(
    "ENV-20",
    "no-meta",
    "leaves meta out",
    onPages((answer) => withBody(answer, { ...Object(parsed(answer.bytes)), meta: undefined })),
  ),
  wireMutant(
    "ENV-20",
    "none",
    "gives no list where it is empty",
    onPages((answer) =>
      recordsIn(answer).length === 0 ? withBody(answer, { ...Object(parsed(answer.bytes)), data: null }) : answer,
    ),
  ),
  saying("ENV-21", "text", "writes the total as a text", ({ total }) => ({ total: `${total}` })),
  saying("ENV-21", "unknown", "says -1 instead of counting", () => ({ total: -1 })),
  saying("ENV-22", "found", "tells how many records the page holds as its size", (_, { length: limit }) => ({ limit })),
  saying("ENV-22", "text", "repeats the size as it was written", ({ limit }) => ({ limit: `${limit}` })),
  saying("ENV-23", "null", "has no offset", () => ({ offset: null })),
  saying("ENV-23", "before", "counts from the record before", ({ offset }) => ({ offset: offset - 1 })),
  saying("ENV-24", "number", "gives a position as cursor", ({ next_cursor: next, offset, limit }) => ({
    next_cursor: typeof next === "string" ? offset + limit : undefined,
  })),
  saying("ENV-24", "first-only", "leads to the second page and no further", ({ next_cursor: next, offset }) => ({
    next_cursor: offset > 0 ? undefined : next,
  })),
  saying("WHL-52", "rest", "counts what is left from the page on", ({ total, offset }) => ({ total: total - offset })),
  mutantOf("WHL-52", "endpoint", "counts without looking at the type of event", [
    storingWebhooks((webhooks) => ({
      async attempts(organizationId, filters, page) {
        const found = await webhooks.attempts(organizationId, filters, page);
        if (filters.eventType === undefined) return found;
        const ofEveryType = await webhooks.attempts(organizationId, { ...filters, eventType: undefined }, page);
        return { ...found, total: ofEveryType.total - 1 };
      },
    })),
  ]),
  mutantOf("WHL-01", "largest", "overlooks what follows a page of the largest size", [
    storingWebhooks((webhooks) => ({
      attempts: (organizationId, filters, page) =>
        webhooks.attempts(organizationId, filters, { ...page, limit: Math.min(page.limit, bounds.deliveryPageMax) }),
    })),
  ]),
  wireMutant(
    "WHL-08",
    "many",
    "keeps no more attempts than fit on a page of the largest size",
    (serve) => async (request) => {
      const answer = await serve(request);
      const meta = request.operation === list ? metaIn(answer) : null;
      if (meta === null || meta === undefined || meta.offset + recordsIn(answer).length < bounds.deliveryPageMax)
        return answer;
      const kept = recordsIn(answer).slice(0, Math.max(0, bounds.deliveryPageMax - meta.offset));
      return withMeta(withRecords(answer, kept), { ...meta, next_cursor: undefined });
    },
  ),
];
