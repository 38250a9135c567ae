import { eventTypes } from "../../../generated/events.ts";
import { bounds } from "../../../generated/limits.ts";
import { check } from "../../context/check.ts";
import { dataOf, objectOf } from "../../exchange/exchange.ts";
import { blockUnlessReader, list, metaOf, readingText } from "../../steps/feed.ts";
import { outcomes } from "../../steps/outcomes.ts";

const { deliveryPageDefault, deliveryPageMin, deliveryPageMax } = bounds;

/** Page sizes to ask for: the bounds, what is next to them, and sizes about which a server has no reason to be special. */
const limits = [
  ...[deliveryPageMin, deliveryPageMin + 1, 7, deliveryPageDefault - 1, deliveryPageDefault, deliveryPageDefault + 1],
  ...[99, 100, 101, deliveryPageMax - 1, deliveryPageMax],
];

/** Filters of every kind together. */
const filters = {
  event_type: eventTypes[0],
  outcome: outcomes[0],
  since: "2000-01-01T00:00:00Z",
  http_status_min: String(bounds.httpStatusMin),
  http_status_max: String(bounds.httpStatusMax),
};

/** What every list says about itself; the feed of attempts is the one list of the contract. */
export const listEnvelope = check({
  id: "envelope.list-envelope",
  title: "A list has its records in data and its size in meta, whatever was asked of it",
  rules: ["ENV-20", "ENV-21", "ENV-22", "ENV-23"],
  kind: "scenario",
  needs: ["key"],
  effects: ["reads"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    const reads = [
      { query: {}, limit: deliveryPageDefault },
      { query: { until: "2000-01-01T00:00:00Z" }, limit: deliveryPageDefault },
      ...limits.map((limit) => ({ query: { limit: String(limit) }, limit })),
      ...limits.slice(1, 3).map((limit) => ({ query: { limit: String(limit), ...filters }, limit })),
    ];
    for (const { query, limit } of reads) {
      // What is no list is no set-up that went wrong here: it is what this check looks for.
      const page = await list(t, main, query);
      blockUnlessReader(page, main);
      t.control(page, readingText(query));
      const [data, json] = [dataOf(page), page.outcome.kind === "response" ? objectOf(page.outcome.json) : null];
      t.verify("ENV-20", Array.isArray(data) && objectOf(json?.meta) !== null, {
        expected: "data, a list, and meta, an object",
        actual: `data ${kindOf(data)}, meta ${kindOf(json?.meta)}`,
        exchanges: [page],
      });
      const meta = metaOf(page);
      for (const [rule, name] of [
        ["ENV-21", "total"],
        ["ENV-23", "offset"],
      ] as const) {
        const value = meta[name];
        t.verify(rule, Number.isInteger(value) && Number(value) >= 0, {
          expected: `meta.${name}, a whole number that is not negative`,
          actual: JSON.stringify(value) ?? "none",
          exchanges: [page],
        });
      }
      t.equal("ENV-22", "meta.limit", meta.limit, limit, page);
    }
  },
});

const kindOf = (value: unknown): string =>
  value === null || value === undefined ? "missing" : Array.isArray(value) ? "a list" : typeof value;
