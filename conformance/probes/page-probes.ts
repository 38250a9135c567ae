import { isDeepStrictEqual } from "node:util";
import { operations } from "../../generated/operations.ts";
import { dataOf, type Exchange, objectOf } from "../exchange/exchange.ts";
import type { Finding } from "../outcome/verdict.ts";
import { operationOf } from "../sending/sender.ts";
import type { Step } from "../story/step.ts";
import { meets, ofPages } from "./list-probes.ts";
import { dataIn, type Probe, placeAmong } from "./probe.ts";

/** Whether an answer is wrong as a whole, whatever it shows. */
const isOfWholeAnswer = ({ came = null }: Finding): boolean => came !== null;

/** A page behind a cursor that shows what the page before did, or begins again. */
export const overlappingPages: Probe = {
  id: "overlapping-pages",
  says({ finding, steps }) {
    if (isOfWholeAnswer(finding)) return null;
    for (const exchange of finding.exchanges.toReversed()) {
      const before = pageBefore(exchange, finding.exchanges, steps);
      const [own, others] = [recordsIn(dataOf(exchange)), recordsIn(before?.data)];
      const both = own.filter((id) => others.includes(id));
      if (before === null || both.length === 0) continue;
      const added = madeBetween(steps, before, exchange);
      const what = `answer ${exchange.number} shows ${both.length} of the records of answer ${before.number} again`;
      if (added > 0) return `the cursor counts positions: ${added} made in between, and ${what}`;
      return both.length === own.length && both.length === others.length
        ? `the cursor is ignored: ${what}, which are all`
        : `the cursor begins too early: ${what}`;
    }
    return null;
  },
};

/** A page behind a cursor that begins later than the page before ends. */
export const skippingPages: Probe = {
  id: "skipping-pages",
  says({ finding, steps }) {
    if (isOfWholeAnswer(finding)) return null;
    for (const exchange of finding.exchanges.toReversed()) {
      const before = pageBefore(exchange, finding.exchanges, steps);
      const [last, first] = [recordsIn(before?.data).at(-1), recordsIn(dataOf(exchange))[0]];
      if (before === null || last === undefined || !Array.isArray(dataOf(exchange))) continue;
      const behind = `answer ${exchange.number} follows answer ${before.number} by its cursor`;
      const [end, begin] = [endOf(before), numberIn(metaIn(exchange), "offset")];
      if (end !== null && begin !== null && begin > end)
        return `the cursor leaves records out: ${behind} and begins at offset ${begin}, though the page before ends before ${end}`;
      const whole = listWith([last, first ?? last], exchange, steps);
      if (whole === undefined) continue;
      const ids = recordsIn(whole.rows);
      const left = whole.rows.slice(ids.indexOf(last) + 1, first === undefined ? undefined : ids.indexOf(first));
      if (left.length > 0)
        return `the cursor leaves records out: ${behind}, and answer ${whole.number} has ${left.length} ${first === undefined ? "behind it" : "in between"}${commonTime([...left, whole.rows[ids.indexOf(last)]])}`;
    }
    return null;
  },
};

/** Filters that are held against the records of a page that was cut before, in place of the whole list. */
export const lateFilter: Probe = {
  id: "late-filter",
  says({ finding, steps }) {
    if (isOfWholeAnswer(finding)) return null;
    for (const exchange of finding.exchanges.toReversed()) {
      const shown = dataOf(exchange);
      const before = pageBefore(exchange, finding.exchanges, steps);
      const last = recordsIn(before?.data).at(-1);
      // Where a page of nothing ended is not known.
      if (!Array.isArray(shown) || (isBehind(exchange) && last === undefined)) continue;
      const size = numberIn(metaIn(exchange), "limit");
      for (const { number, rows, more } of listsFor(exchange, steps)) {
        const begin = last === undefined ? 0 : recordsIn(rows).indexOf(last) + 1;
        const rest = rows.slice(begin);
        const met = rest.filter((row) => areMet(row, more));
        if (size === null || more.length === 0 || (last !== undefined && begin === 0)) continue;
        // One more may be read, to tell whether there is a further page.
        const cut = [size, size + 1].find((cut) => {
          const found = recordsIn(
            rest
              .slice(0, cut)
              .filter((row) => areMet(row, more))
              .slice(0, size),
          );
          return found.length < Math.min(size, met.length) && isDeepStrictEqual(found, recordsIn(shown));
        });
        if (cut === undefined) continue;
        const names = more.map(([name]) => name).join(" and ");
        return `the page is cut before ${names} is applied, not after: answer ${exchange.number} has those ${shown.length} that match among the ${last === undefined ? "first" : "next"} ${cut} records of answer ${number}, which was asked for without it; of ${rest.length} there match ${met.length}`;
      }
    }
    return null;
  },
};

type Filter = readonly [name: string, value: string];

/** Whether a record shows that it is what all of these ask for. */
const areMet = (row: unknown, filters: readonly Filter[]): boolean =>
  filters.every(([name, value]) => meets(objectOf(row) ?? {}, name, value) === true);

const isBehind = ({ request }: Exchange): boolean =>
  URL.canParse(request.url) && new URL(request.url).searchParams.has("cursor");

/** The offset at which a page that tells its own one ends. */
function endOf({ meta, data }: Page): number | null {
  const offset = numberIn(meta, "offset");
  return offset === null ? null : offset + recordsIn(data).length;
}

const metaIn = ({ outcome }: Exchange): unknown =>
  outcome.kind === "response" ? objectOf(outcome.json)?.meta : undefined;

function numberIn(value: unknown, name: string): number | null {
  const found = objectOf(value)?.[name];
  return typeof found === "number" ? found : null;
}

/** That records have one time, where they do: who goes by that alone cannot tell them apart. */
function commonTime(rows: readonly unknown[]): string {
  const records = rows.map(objectOf);
  const name = Object.keys(records[0] ?? {}).find((one) => one.endsWith("_at") && isTime(records[0]?.[one]));
  const times = new Set(records.map((record) => record?.[name ?? ""]));
  return name === undefined || times.size !== 1
    ? ""
    : `, all with the ${name} of the last record of the page before: the cursor may go by that alone`;
}

const isTime = (value: unknown): boolean => typeof value === "string" && !Number.isNaN(Date.parse(value));

/**
 * What an answer without a cursor shows of the same list, that has these records: asked for by the same filters, or else by
 * fewer, as far as its records tell that they meet the others.
 */
function listWith(wantedIds: readonly string[], exchange: Exchange, steps: readonly Step[]) {
  return listsFor(exchange, steps)
    .map(({ number, rows, more }) => ({ number, rows: rows.filter((row) => areMet(row, more)) }))
    .find(({ rows }) => wantedIds.every((id) => recordsIn(rows).includes(id)));
}

/** Answers without a cursor of the same list, by the same filters or by fewer, the most first; with those that they lack. */
function listsFor({ request }: Exchange, steps: readonly Step[]) {
  const wanted = listOf(request.url);
  const lists = steps.flatMap((step) => {
    const { request: asked, exchange: number } = step;
    const own = asked?.method === "GET" && number !== null ? listOf(asked.url) : null;
    if (own === null || wanted === null || number === null || own.pathname !== wanted.pathname) return [];
    if (new URL(asked?.url ?? "").searchParams.has("cursor")) return [];
    const filters = [...own.searchParams].map(String);
    const more = [...wanted.searchParams].filter((filter) => !filters.includes(String(filter)));
    if (filters.length + more.length !== wanted.searchParams.size) return [];
    const data = dataIn(step);
    const rows: readonly unknown[] = Array.isArray(data) ? data : [];
    return [{ number, rows, more }];
  });
  return lists.toSorted((a, b) => a.more.length - b.more.length);
}

/** What a list is asked for, without what chooses a page of it; null for no address. */
function listOf(address: string): URL | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  for (const name of ofPages) url.searchParams.delete(name);
  return url;
}

/** Records by their ids, or else by all that they show; none where an answer is no list. */
const recordsIn = (data: unknown): readonly string[] =>
  Array.isArray(data) ? data.map((row) => String(objectOf(row)?.id ?? JSON.stringify(row))) : [];

interface Page {
  readonly number: number;
  readonly data: unknown;
  readonly meta: unknown;
}

/** The page whose cursor a page was asked for with. */
function pageBefore({ request }: Exchange, exchanges: readonly Exchange[], steps: readonly Step[]): Page | null {
  const cursor = URL.canParse(request.url) ? new URL(request.url).searchParams.get("cursor") : null;
  if (cursor === null) return null;
  const isIt = (json: unknown): boolean => objectOf(objectOf(json)?.meta)?.next_cursor === cursor;
  for (const { outcome, number } of exchanges)
    if (outcome.kind === "response" && isIt(outcome.json)) return { number, ...partsIn(outcome.json) };
  for (const { outcome, exchange } of steps)
    if (exchange !== null && outcome?.kind === "response" && isIt(outcome.json))
      return { number: exchange, ...partsIn(outcome.json) };
  return null;
}

const partsIn = (json: unknown): Pick<Page, "data" | "meta"> => ({
  data: objectOf(json)?.data,
  meta: objectOf(json)?.meta,
});

/** Events that were made between two pages. */
const madeBetween = (steps: readonly Step[], before: Page, exchange: Exchange): number =>
  steps
    .slice(placeAmong(before, steps) + 1, Math.max(0, placeAmong(exchange, steps)))
    .filter(({ what, request }) => what?.includes("emit") || isCreation(request)).length;

/** Operations that make a record of a list. */
const makers: readonly (string | null)[] = [operations.sendMessage.id, operations.createLookup.id];

const isCreation = (request: Step["request"]): boolean =>
  request !== null &&
  URL.canParse(request.url) &&
  makers.includes(operationOf(request.method, new URL(request.url).pathname));
