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
      if (whole === null) continue;
      const ids = recordsIn(whole.rows);
      const left = whole.rows.slice(ids.indexOf(last) + 1, first === undefined ? undefined : ids.indexOf(first));
      if (left.length > 0)
        return `the cursor leaves records out: ${behind}, and answer ${whole.number} has ${left.length} ${first === undefined ? "behind it" : "in between"}${commonTime([...left, whole.rows[ids.indexOf(last)]])}`;
    }
    return null;
  },
};

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
function listWith(wantedIds: readonly string[], { request }: Exchange, steps: readonly Step[]) {
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
    const all: readonly unknown[] = Array.isArray(data) ? data : [];
    const rows = all.filter((row) => more.every(([name, value]) => meets(objectOf(row) ?? {}, name, value) === true));
    const ids = recordsIn(rows);
    return wantedIds.every((id) => ids.includes(id)) ? [{ number, rows, more: more.length }] : [];
  });
  return lists.toSorted((a, b) => a.more - b.more).at(0) ?? null;
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
