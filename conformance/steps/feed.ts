import { bounds } from "../../generated/limits.ts";
import { operations } from "../../generated/operations.ts";
import type { CheckContext } from "../context/context.ts";
import { dataOf, type Exchange, isSuccess, objectOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Credential } from "../provision/tenant.ts";
import { answeredBy } from "./answered-by.ts";

/** Scope that reading the feed needs. */
export const feedScope: string = operations.listDeliveryAttempts.scope;

/** Query parameters as they are written. */
export type FeedQuery = Readonly<Record<string, string>>;

/** A record of the feed as it came. */
export type AttemptRecord = Readonly<Record<string, unknown>>;

/** One page of the feed, whatever the answer. */
export const list = (t: CheckContext, as: Credential, query: FeedQuery = {}): Promise<Exchange> =>
  t.call("listDeliveryAttempts", { query }, as);

/** One page of the feed: a set-up step, or the sound twin of a read with one defect. Blocks when it is refused. */
export async function readPage(t: CheckContext, as: Credential, query: FeedQuery = {}): Promise<Exchange> {
  const exchange = await list(t, as, query);
  blockUnlessReader(exchange, as);
  t.control(exchange, readingText(query));
  // What is no list shows nothing of what was asked for.
  if (!Array.isArray(dataOf(exchange)))
    throw new Blocked(`${readingText(query)} gave no list of records`, "see ENV-20 first", "server");
  return exchange;
}

/** Such as "reading the feed with limit 7, outcome dead", for messages. */
export function readingText(query: FeedQuery): string {
  const filters = queryText(query);
  return filters === "" ? "reading the feed" : `reading the feed with ${filters}`;
}

/** Such as "limit 7, outcome dead", for messages. */
export const queryText = (query: FeedQuery): string =>
  Object.entries(query)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");

/** Blocks where a key that was given to the kit may not read the feed. */
export function blockUnlessReader(exchange: Exchange, { scopes }: Credential): void {
  if (scopes === null && answeredBy(exchange, "Forbidden"))
    throw new Blocked("the given key may not read the feed", `give the kit a key that holds ${feedScope}`);
}

/** The records of a page, none where the answer has no list of them. */
export const recordsOf = (exchange: Exchange): readonly AttemptRecord[] => recordsIn(dataOf(exchange));

/** The same of an answer's `data`. */
export const recordsIn = (data: unknown): readonly AttemptRecord[] =>
  Array.isArray(data) ? data.map(objectOf).filter((record) => record !== null) : [];

/** The events that records are of, each once, in lower case: a UUID may be written in either (RFC 9562, 4). */
export const eventIdsOf = (records: readonly AttemptRecord[]): readonly string[] => [
  ...new Set(records.map(({ event_id }) => String(event_id).toLowerCase())),
];

/** The `meta` of a page; empty where there is none. */
export function metaOf({ outcome }: Exchange): Readonly<Record<string, unknown>> {
  const body = outcome.kind === "response" ? objectOf(outcome.json) : null;
  return objectOf(body?.meta) ?? {};
}

/** The cursor of the page after this one; null on the last, however that is said. */
export function nextCursorOf(exchange: Exchange): string | null {
  const { next_cursor } = metaOf(exchange);
  return typeof next_cursor === "string" && next_cursor !== "" ? next_cursor : null;
}

/** A feed, or the part of it that was asked for, read to its end. */
export interface Feed {
  /** Of all pages, in their order: newest first. */
  readonly records: readonly AttemptRecord[];
  readonly pages: readonly Exchange[];
}

export interface FeedOptions {
  /** Filters, and the size of a page; as large as may be when left out. */
  readonly query?: FeedQuery;
}

/** Follows `next_cursor` from the first page to the last. Blocks when a page is refused. */
export async function readFeed(t: CheckContext, as: Credential, { query = {} }: FeedOptions = {}): Promise<Feed> {
  const asked = { limit: String(bounds.deliveryPageMax), ...query };
  const { pages, refused } = await followPages(t, as, asked);
  if (refused !== null) {
    blockUnlessReader(refused, as);
    t.control(refused, readingText(asked));
  }
  return { records: pages.flatMap(recordsOf), pages };
}

/** Pages one after the other, however that ended. */
export interface Paging {
  /** Those that were given. */
  readonly pages: readonly Exchange[];
  /** The page that was not; null when all were. */
  readonly refused: Exchange | null;
  /** It led nowhere: a cursor or a whole page came back, page after page was empty, or there was no end to them. */
  readonly endless: boolean;
}

/** More than any feed that the kit fills has in pages of one. */
const mostPages = 500;

/**
 * Pages without a record, one after the other, after which nobody looks for more: a server may look through so many
 * records for a page and show those that match, and no feed that the kit fills has more records than this.
 */
const mostEmpty = 400;

export interface PagingOptions {
  /** How a page is asked for; of the feed when left out. */
  readonly read?: typeof list;
  /** What it shows; its records as they came when left out. */
  readonly shown?: (t: CheckContext, page: Exchange) => readonly AttemptRecord[];
  /** Pages to read at most. */
  readonly most?: number;
  /** Done after each page that another one follows. */
  readonly between?: () => Promise<void>;
}

/** Follows `next_cursor` as far as it leads. */
export async function followPages(
  t: CheckContext,
  as: Credential,
  query: FeedQuery,
  { read = list, shown = (_, page) => recordsOf(page), most = mostPages, between }: PagingOptions = {},
): Promise<Paging> {
  const pages: Exchange[] = [];
  const cursors = new Set<string>();
  const ids = new Set<unknown>();
  let empty = 0;
  for (let cursor: string | null = null; ; cursors.add(cursor)) {
    const page: Exchange = await read(t, as, cursor === null ? query : { ...query, cursor });
    if (!isSuccess(page)) return { pages, refused: page, endless: false };
    pages.push(page);
    cursor = nextCursorOf(page);
    const records = shown(t, page);
    const known = records.length > 0 && records.every(({ id }) => ids.has(id));
    for (const { id } of records) ids.add(id);
    empty = records.length === 0 ? empty + 1 : 0;
    const astray = known || empty >= mostEmpty || pages.length >= mostPages || (cursor !== null && cursors.has(cursor));
    const endless = cursor !== null && astray;
    if (cursor === null || endless || pages.length >= most) return { pages, refused: null, endless };
    await between?.();
  }
}
