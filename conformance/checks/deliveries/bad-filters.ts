import { randomUUID } from "node:crypto";
import type { ErrorRowName } from "../../../generated/error-rows.ts";
import { bounds } from "../../../generated/limits.ts";
import type { RuleId } from "../../../generated/rules.ts";
import { rowNamed, rowText } from "../../check/admits.ts";
import type { Check } from "../../check/check.ts";
import { isSuccess, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { answeredBy } from "../authentication/answered-by.ts";
import { malformedIds } from "../malformed-ids.ts";
import { type FeedQuery, list, readPage } from "./feed.ts";
import { namesFilter } from "./names-filter.ts";
import { outcomes } from "./outcomes.ts";

/** One filter with a sound value and values that are not. */
interface Filter {
  readonly name: string;
  readonly rule: RuleId;
  readonly sound: string;
  readonly bad: readonly string[];
}

const { deliveryPageMin, deliveryPageMax, httpStatusMin, httpStatusMax } = bounds;

const outside = (from: number, to: number): readonly string[] => [String(from - 1), String(to + 1), "-1"];
const notWhole = (from: number): readonly string[] => [`${from}.5`, "many"];

const statuses = ["http_status_min", "http_status_max"].map(
  (name): Filter => ({
    // The bounds themselves are another rule's matter.
    ...{ name, rule: "WHL-40", sound: "404" },
    bad: [...outside(httpStatusMin, httpStatusMax), "0", ...notWhole(httpStatusMin)],
  }),
);

const instants = ["since", "until"].map(
  (name): Filter => ({
    ...{ name, rule: "WHL-36", sound: "2026-01-01T00:00:00Z" },
    bad: ["yesterday", "2026-13-01T00:00:00Z", "2026-01-01T25:00:00Z"],
  }),
);

const filters: readonly Filter[] = [
  {
    ...{ name: "limit", rule: "WHL-22", sound: String(deliveryPageMax) },
    bad: [...outside(deliveryPageMin, deliveryPageMax), ...notWhole(deliveryPageMin)],
  },
  {
    ...{ name: "outcome", rule: "WHL-33", sound: outcomes[0] ?? "" },
    bad: ["failure", "*", ...outcomes.flatMap((outcome) => [outcome.slice(0, -1), outcome.toUpperCase()])],
  },
  ...statuses,
  ...instants,
];

/** Bounds of the status that leave nothing between them, and bounds that leave one status. */
const crossed = [
  [httpStatusMax, httpStatusMin],
  [500, 499],
  [404, 403],
] as const;
const touching = [httpStatusMin, 404, httpStatusMax] as const;

/** What a limit that is out of range may get: whether it is a filter is open. */
const rowsFor = (name: string): readonly ErrorRowName[] =>
  name === "limit" ? ["ValidationFailed", "ValidationFailed400"] : ["ValidationFailed"];

/** Reads of the feed with one bad filter each. */
export const badFilters: Check = {
  id: "deliveries.bad-filters",
  title: "A bad filter of the feed is refused by name, and its sound twin is not",
  rules: [
    ...(["WHL-22", "WHL-28", "WHL-32", "WHL-33", "WHL-36", "WHL-39", "WHL-40", "WHL-41", "WHL-42", "WHL-46"] as const),
  ],
  kind: "scenario",
  needs: ["key"],
  effects: ["reads"],
  draws: 0,
  async run(t) {
    const main = await (await t.tenant()).main();
    for (const { name, rule, sound, bad } of filters) {
      await readPage(t, main, { [name]: sound });
      for (const value of bad) {
        const exchange = await list(t, main, { [name]: value });
        t.refused(rule, exchange, ...rowsFor(name));
        namesFilter(t, exchange, [name]);
      }
    }
    // An endpoint that is not there need not get an empty list.
    const unknown = await list(t, main, { endpoint_id: randomUUID() });
    if (!answeredBy(unknown, "NotFound")) t.control(unknown, "reading the feed of one endpoint");
    for (const endpoint_id of malformedIds) {
      const exchange = await list(t, main, { endpoint_id });
      t.refused("WHL-28", exchange, "ValidationFailed");
      namesFilter(t, exchange, ["endpoint_id"]);
    }

    const range = (min: number, max: number): FeedQuery => ({
      http_status_min: String(min),
      http_status_max: String(max),
    });
    for (const status of touching) t.accepted("WHL-42", await list(t, main, range(status, status)));
    for (const bounded of [httpStatusMin, httpStatusMax].map(String)) {
      t.accepted("WHL-39", await list(t, main, { http_status_min: bounded }));
      t.accepted("WHL-39", await list(t, main, { http_status_max: bounded }));
    }
    t.accepted("WHL-39", await list(t, main, range(httpStatusMin, httpStatusMax)));
    for (const [min, max] of crossed) {
      const exchange = await list(t, main, range(min, max));
      t.refused("WHL-41", exchange, "ValidationFailed");
      namesFilter(t, exchange, ["http_status_min", "http_status_max"]);
    }
    for (const outcome of outcomes) t.accepted("WHL-32", await list(t, main, { outcome }));
  },
};

/** Cursors that no server made. */
export const badCursors: Check = {
  id: "deliveries.bad-cursors",
  title: "A cursor that the server did not make is refused and does not give the first page",
  rules: ["WHL-26"],
  kind: "scenario",
  needs: ["key"],
  effects: ["reads"],
  draws: 0,
  async run(t) {
    const main = await (await t.tenant()).main();
    await readPage(t, main);
    const nobodys = randomUUID();
    const encoded = Buffer.from(JSON.stringify({ bylaw: nobodys })).toString("base64url");
    for (const cursor of [`bylaw-${nobodys}`, encoded, "%%%", "~".repeat(300)]) {
      const exchange = await list(t, main, { cursor });
      const status = statusOf(exchange) ?? 0;
      t.verify("WHL-26", status >= 400 && status <= 499 && !isSuccess(exchange), {
        expected: `a 4xx, such as ${rowText(rowNamed("ValidationFailed"))}`,
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
    }
  },
};
