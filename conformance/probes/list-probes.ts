import { isDeepStrictEqual } from "node:util";
import { dataOf, objectOf } from "../exchange/exchange.ts";
import type { Step } from "../story/step.ts";
import { ownersIn } from "./owners.ts";
import { dataIn, exchangeIn, type Probe } from "./probe.ts";

type Row = Readonly<Record<string, unknown>>;

/** Parameters that choose a page and no records. */
export const ofPages: ReadonlySet<string> = new Set(["limit", "offset", "cursor"]);

/** A parameter of the query that changes nothing. */
export const ignoredParameter: Probe = {
  id: "ignored-parameter",
  says(seen) {
    const exchange = exchangeIn(seen);
    const rows = exchange === null ? [] : rowsOf(dataOf(exchange));
    if (exchange === null || rows.length === 0) return null;
    const url = new URL(exchange.request.url);
    const [filter, ...others] = [...url.searchParams].filter(([name]) => !ofPages.has(name));
    // Among several filters one may change nothing lawfully.
    if (filter === undefined || others.length > 0) return null;
    const [name, value] = filter;
    const isMet = rows.map((row) => meets(row, name, value));
    if (!isMet.includes(true) || !isMet.includes(false)) return null;
    const without = seen.steps.find(
      (step) =>
        step.exchange !== exchange.number &&
        askedFor(step)?.pathname === url.pathname &&
        !askedFor(step)?.searchParams.has(name) &&
        isDeepStrictEqual(rowsOf(dataIn(step)), rows),
    );
    return without === undefined
      ? null
      : `${name} is ignored: answer ${without.exchange}, which was asked for without it, has the same records`;
  },
};

/** Whether a record is one that a filter asks for; null where it does not tell. */
function meets(row: Row, name: string, value: string): boolean | null {
  if (Object.hasOwn(row, name)) return row[name] === value;
  const [at] = Object.keys(row).filter((key) => key.endsWith("_at"));
  const [time, bound] = [Date.parse(String(row[at ?? ""])), Date.parse(value)];
  if (Number.isNaN(time) || Number.isNaN(bound)) return null;
  return name === "since" ? time >= bound : name === "until" ? time <= bound : null;
}

/** A list that stands the other way round. */
export const turnedOrder: Probe = {
  id: "turned-order",
  says(seen) {
    const exchange = exchangeIn(seen);
    if (!/newest|oldest|order/i.test(`${seen.finding.expected} ${seen.finding.actual}`) || exchange === null)
      return null;
    const rows = rowsOf(dataOf(exchange));
    for (const name of Object.keys(rows[0] ?? {}).filter((one) => one.endsWith("_at"))) {
      const times = rows.map((row) => Date.parse(String(row[name])));
      const isRising = times.every((time, index) => index === 0 || time >= (times[index - 1] ?? time));
      if (isRising && new Set(times).size > 1)
        return `the order is turned round: answer ${exchange.number} has the oldest first by ${name}`;
    }
    return null;
  },
};

/** A record of another organization. */
export const foreignRecord: Probe = {
  id: "foreign-record",
  says(seen) {
    const exchange = exchangeIn(seen);
    const caller = exchange?.request.headers.authorization;
    if (exchange === null || caller === undefined) return null;
    const owners = ownersIn(seen);
    const own = owners.ofCaller.get(caller);
    if (own === undefined) return null;
    for (const row of rowsOf(dataOf(exchange))) {
      for (const [name, value] of Object.entries(row)) {
        const owner = typeof value === "string" ? owners.ofId.get(value) : undefined;
        if (owner !== undefined && owner !== own)
          return `a record of another organization is shown: ${name} ${value} belongs to ${owner}, and the key to ${own}`;
      }
    }
    return null;
  },
};

const askedFor = ({ through, request }: Step): URL | null =>
  through === "api" && request?.method === "GET" && URL.canParse(request.url) ? new URL(request.url) : null;

const rowsOf = (data: unknown): readonly Row[] =>
  (Array.isArray(data) ? data : [data]).map(objectOf).filter((row) => row !== null);
