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
    // A value that is misread may have the same effect as none.
    if (seen.steps.some((step) => isHeeded(step, url, name, rows))) return null;
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

/** Whether a step asked by another value of the parameter, and got what meets that alone, although there are others. */
function isHeeded(step: Step, { pathname, searchParams }: URL, name: string, all: readonly Row[]): boolean {
  const asked = askedFor(step);
  const value = asked?.searchParams.get(name) ?? null;
  if (asked?.pathname !== pathname || value === null || value === searchParams.get(name)) return false;
  const shown = rowsOf(dataIn(step));
  const areMet = shown.length > 0 && shown.every((row) => meets(row, name, value) === true);
  return areMet && all.some((row) => meets(row, name, value) === false);
}

/** Whether a record is one that a filter asks for; null where it does not tell. */
export function meets(row: Row, name: string, value: string): boolean | null {
  return Object.hasOwn(row, name) ? isSameName(row[name], value) : isWithin(row, name, Date.parse(value));
}

/** Whether a member is what a filter asks for; ids may be written in either case (RFC 9562, 4). */
const isSameName = (own: unknown, value: string): boolean =>
  own === value || (typeof own === "string" && isUuid(value) && own.toLowerCase() === value.toLowerCase());

const isUuid = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** Whether a record lies within a bound in time, milliseconds since 1970; null where it does not tell. */
function isWithin(row: Row, name: string, bound: number): boolean | null {
  const [at] = Object.keys(row).filter((key) => key.endsWith("_at"));
  const time = Date.parse(String(row[at ?? ""]));
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
      // Its own id says more than that of what it belongs to.
      const members = Object.entries(row).sort(([a], [b]) => Number(b === "id") - Number(a === "id"));
      for (const [name, value] of members) {
        const owner = typeof value === "string" ? owners.ofId.get(value) : undefined;
        if (owner === undefined || owner === own) continue;
        const [maker] = [...owners.ofCaller].find(([, organization]) => organization === owner) ?? [];
        const made = maker === undefined ? "" : `, whose key is ${maker.replace(/^Bearer /, "")}`;
        return `a record of another organization is shown: ${name} ${value} belongs to ${owner}${made}; ${caller.replace(/^Bearer /, "")} is one of ${own}`;
      }
    }
    return null;
  },
};

const askedFor = ({ through, request }: Step): URL | null =>
  through === "api" && request?.method === "GET" && URL.canParse(request.url) ? new URL(request.url) : null;

const rowsOf = (data: unknown): readonly Row[] =>
  (Array.isArray(data) ? data : [data]).map(objectOf).filter((row) => row !== null);

/** A filter by a time whose offset from UTC is read as another one. */
export const misreadOffset: Probe = {
  id: "misread-offset",
  says(seen) {
    const exchange = exchangeIn(seen);
    if (exchange === null || !Array.isArray(dataOf(exchange))) return null;
    const url = new URL(exchange.request.url);
    const [filter, ...others] = [...url.searchParams].filter(([name]) => !ofPages.has(name));
    if (filter === undefined || others.length > 0) return null;
    const [name, value] = filter;
    const [, local, sign, hours, minutes] = /^(.+T[\d:.]+)([+-])(\d\d):(\d\d)$/.exec(value) ?? [];
    if (local === undefined || sign === undefined) return null;
    const shown = rowsOf(dataOf(exchange));
    const all = recordsSeen(seen.steps, url, shown);
    const turned = `${sign === "-" ? "+" : "-"}${hours}:${minutes}`;
    const readings = [
      { offset: "Z", how: "as none, the time being taken for UTC" },
      { offset: turned, how: `as ${turned}, its sign being overlooked or turned round` },
    ];
    const fitting = readings.filter(({ offset }) => {
      const met = all.filter((row) => isWithin(row, name, Date.parse(local + offset)) === true);
      return areSame(met, shown);
    });
    return fitting.length === 0
      ? null
      : `the offset of ${name}, ${sign}${hours}:${minutes}, is misread: ${fitting.map(({ how }) => how).join(", or ")}; so read, it has the ${shown.length} of ${all.length} records that answer ${exchange.number} shows`;
  },
};

/** Every record that a list showed in the course of a check, and these. */
function recordsSeen(steps: readonly Step[], { pathname }: URL, shown: readonly Row[]): readonly Row[] {
  const pages = steps.filter((step) => askedFor(step)?.pathname === pathname);
  return [
    ...new Map([...pages.flatMap((step) => rowsOf(dataIn(step))), ...shown].map((row) => [row.id, row])).values(),
  ];
}

const areSame = (some: readonly Row[], others: readonly Row[]): boolean =>
  some.length === others.length && some.every(({ id }) => others.some((row) => row.id === id));

/** A bound in time that attempts are held against by when their delivery began, in place of their own time. */
export const eventTime: Probe = {
  id: "event-time",
  says(seen) {
    const exchange = exchangeIn(seen);
    if (exchange === null || !Array.isArray(dataOf(exchange))) return null;
    const url = new URL(exchange.request.url);
    const filters = [...url.searchParams].filter(([name]) => !ofPages.has(name));
    const [bound, ...bounds] = filters.filter(([name]) => name === "since" || name === "until");
    if (bound === undefined || bounds.length > 0) return null;
    const [name, value] = bound;
    const others = filters.filter((filter) => filter !== bound);
    const shown = rowsOf(dataOf(exchange));
    const all = recordsSeen(seen.steps, url, shown).filter(({ attempt }) => typeof attempt === "number");
    const deliveries = Map.groupBy(all, ({ event_id: event, endpoint_id: endpoint }) => `${event} ${endpoint}`);
    const firsts = [...deliveries.values()].flatMap((own) => {
      const first = own.find(({ attempt }) => attempt === 1);
      return first === undefined ? [] : own.map((row) => ({ row, first }));
    });
    if (firsts.length < all.length) return null;
    const asked = firsts.filter(({ row }) => others.every(([other, wanted]) => meets(row, other, wanted) === true));
    const asFirst = asked.filter(({ first }) => meets(first, name, value) === true).map(({ row }) => row);
    const wrong = asked.find(({ row, first }) => meets(row, name, value) !== meets(first, name, value));
    return wrong === undefined || !areSame(asFirst, shown)
      ? null
      : `${name} is held against when a delivery began, not against each attempt's own time: so read, it has the ${shown.length} of ${all.length} records that answer ${exchange.number} shows; ${asFirst.includes(wrong.row) ? "it has" : "it leaves out"} ${wrong.row.id}, attempt ${wrong.row.attempt} at ${wrong.row.occurred_at}, whose first was at ${wrong.first.occurred_at}`;
  },
};

/** Records of one delivery's attempts that have one time. */
export const frozenTime: Probe = {
  id: "frozen-time",
  says({ finding: { exchanges } }) {
    for (const exchange of exchanges.toReversed()) {
      const rows = rowsOf(dataOf(exchange)).filter(({ attempt }) => typeof attempt === "number");
      for (const [event, own] of Map.groupBy(rows, ({ event_id: id, endpoint_id: to }) => `${id} ${to}`)) {
        const [attempts, times] = [own.map((row) => row.attempt), new Set(own.map((row) => row.occurred_at))];
        if (new Set(attempts).size > 1 && times.size === 1)
          return `all attempts of a delivery are dated alike: in answer ${exchange.number} numbers ${attempts.join(", ")} of ${event.split(" ")[0]} have ${[...times].join("")}, as the event or its first attempt may`;
      }
    }
    return null;
  },
};
