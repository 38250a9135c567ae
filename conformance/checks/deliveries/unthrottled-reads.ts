import { check } from "../../context/check.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { readPage } from "../../steps/feed.ts";
import { isThrottled } from "../../steps/throttle.ts";

/** Reads in all, and how many of them at a time: nobody should wait long for a distant target. */
const reads = 200;
const atOnce = 10;

/** What is read, in turn: whoever looks for something reads no less than whoever looks at all of it. */
const queries = [{}, { limit: "1" }, { outcome: "success", http_status_min: "200" }] as const;

/** A burst of reads. */
export const unthrottledReads = check({
  id: "deliveries.unthrottled-reads",
  title: "Two hundred reads of the feed in a row are all answered",
  rules: ["WHL-47"],
  kind: "scenario",
  needs: ["key"],
  effects: ["reads"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    await readPage(t, main);
    const exchanges: Exchange[] = [];
    while (exchanges.length < reads && !exchanges.some(isThrottled)) {
      const some = Array.from({ length: atOnce }, (_, index) =>
        t.attempt("listDeliveryAttempts", { query: queries[index % queries.length] ?? {} }, main),
      );
      exchanges.push(...(await Promise.all(some)));
    }
    const throttled = exchanges.find(isThrottled);
    const failed = exchanges.find((exchange) => !isSuccess(exchange));
    if (failed && throttled === undefined) {
      const message = `one of ${exchanges.length} reads was answered ${summaryOf(failed)}`;
      throw new Blocked(message, "see the rules on reading the feed first", "server");
    }
    t.verify("WHL-47", throttled === undefined, {
      expected: `${reads} reads admitted`,
      actual: throttled ? `${summaryOf(throttled)} after ${exchanges.filter(isSuccess).length} reads` : "all admitted",
      exchanges: throttled ? [throttled] : [],
    });
  },
});
