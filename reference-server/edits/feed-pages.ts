import { bounds } from "../../generated/limits.ts";
import type { DeliveryAttempt } from "../../generated/models/deliveries.ts";
import type { PageMeta } from "../../generated/models/shared.ts";
import { recordsIn } from "./feed-records.ts";
import { parsed, type Serve, type Wire, type WireAnswer, type WireRequest, withBody } from "./wire.ts";
import { queryOf, withQuery } from "./wire-requests.ts";

type Records = readonly DeliveryAttempt[];

/** What a page of the feed says of itself; undefined for any other answer. */
export function metaIn({ bytes }: WireAnswer): PageMeta | undefined {
  return Object(parsed(bytes)).meta;
}

/** The same page with other members beside its records; undefined ones are left out. */
export const withMeta = (answer: WireAnswer, changes: Readonly<Record<string, unknown>>): WireAnswer => {
  const { meta, ...body } = Object(parsed(answer.bytes));
  return withBody(answer, { ...body, meta: { ...meta, ...changes } });
};

/** Changes the pages of the feed. */
export const onPages =
  (change: (answer: WireAnswer, meta: PageMeta, request: WireRequest) => WireAnswer): Wire =>
  (serve) =>
  async (request) => {
    const answer = await serve(request);
    const meta = request.operation === "listDeliveryAttempts" ? metaIn(answer) : undefined;
    return meta === undefined ? answer : change(answer, meta, request);
  };

/** All records that a request asks for, whatever page. */
export async function allRecords(serve: Serve, request: WireRequest): Promise<Records> {
  const all: DeliveryAttempt[] = [];
  let cursor: string | undefined;
  do {
    const page = await serve(withQuery(request, { cursor, limit: String(bounds.deliveryPageMax) }));
    all.push(...recordsIn(page));
    cursor = metaIn(page)?.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}

/** How pages are made of all the records there are. */
interface Paging {
  /** Records to page through, newest first, of those that the server has. */
  readonly records?: (own: Records, request: WireRequest, serve: Serve) => Records | Promise<Records>;
  /** Where a page begins, given the cursor. */
  readonly start?: (records: Records, cursor: Cursor) => number;
  /** The record behind which the next page begins; null for the beginning, undefined for none. */
  readonly next?: (records: Records, start: number, end: number) => string | null | undefined;
  readonly page?: (records: Records) => Records;
  readonly total?: (records: Records) => number;
}

interface Cursor {
  readonly offset: number;
  readonly behind: string | null;
}

const behind = (records: Records, cursor: Cursor): number => {
  const at = records.findIndex(({ id }) => id === cursor.behind);
  return at < 0 ? cursor.offset : at + 1;
};
const last = (records: Records, _start: number, end: number): string | undefined =>
  end < records.length ? records[end - 1]?.id : undefined;

/** Whose list it is, by which filters: what a cursor is good for. */
const listOf = (request: WireRequest): string =>
  `${request.headers.authorization} ${withQuery(request, { cursor: undefined, limit: undefined }).path}`;

/** Serves the feed in pages of its own. What the server refuses stays refused, and so does any cursor but its own. */
export const paging =
  ({ records: choose, start = behind, next = last, page = (each) => each, total }: Paging): Wire =>
  (serve) => {
    const cursors = new Map<string, Cursor>();
    const written = (request: WireRequest, cursor: Cursor): string => {
      const text = Buffer.from(JSON.stringify(cursor)).toString("base64url");
      cursors.set(`${text} ${listOf(request)}`, cursor);
      return text;
    };
    return async (request) => {
      if (request.operation !== "listDeliveryAttempts") return serve(request);
      const cursor = cursors.get(`${queryOf(request).get("cursor")} ${listOf(request)}`);
      const asked = cursor === undefined ? request : withQuery(request, { cursor: undefined });
      const answer = await serve(asked);
      const meta = metaIn(answer);
      if (meta === undefined) return answer;
      const own = await allRecords(serve, asked);
      const all = (await choose?.(own, asked, serve)) ?? own;
      const from = cursor === undefined ? 0 : start(all, cursor);
      const to = from + meta.limit;
      const following = next(all, from, to);
      const offset = cursor?.offset ?? 0;
      return withBody(answer, {
        success: true,
        data: page(all.slice(from, to)),
        meta: {
          total: total?.(all) ?? all.length,
          limit: meta.limit,
          offset,
          next_cursor:
            following === undefined ? undefined : written(request, { offset: offset + meta.limit, behind: following }),
        },
      });
    };
  };
