import { bounds } from "../../../generated/limits.ts";
import { check } from "../../context/check.ts";
import { dataOf } from "../../exchange/exchange.ts";
import { blockUnlessReader, list, metaOf } from "../../steps/feed.ts";

/** The feed as anybody finds it, whether or not there are attempts. */
export const feedList = check({
  id: "deliveries.feed-list",
  title: "The feed is a list that tells its page size, also when none was asked for",
  rules: ["WHL-01", "WHL-19", "WHL-20", "WHL-45"],
  kind: "scenario",
  needs: ["key"],
  effects: ["reads"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    const first = await list(t, main);
    blockUnlessReader(first, main);
    t.accepted("WHL-01", first);
    t.control(first, "reading the feed");
    const meta = metaOf(first);
    const missing = ["total", "limit", "offset"].filter((name) => !Object.hasOwn(meta, name));
    const isList = Array.isArray(dataOf(first));
    t.verify("WHL-01", isList && missing.length === 0, {
      expected: isList ? missing.map((name) => `meta.${name}`).join(" and ") : "data, a list",
      actual: isList ? `no ${missing.join(" and no ")}` : "data that is no list",
      exchanges: [first],
    });

    t.equal("WHL-19", "meta.limit", meta.limit, bounds.deliveryPageDefault, first);
    for (const limit of [bounds.deliveryPageMin, bounds.deliveryPageMax]) {
      const page = await list(t, main, { limit: String(limit) });
      if (t.accepted("WHL-20", page)) t.equal("WHL-20", "meta.limit", metaOf(page).limit, limit, page);
    }

    // Before there was anything to attempt.
    const none = await list(t, main, { until: "2000-01-01T00:00:00Z" });
    if (t.accepted("WHL-45", none)) t.equal("WHL-45", "data", dataOf(none), [], none);
  },
});
