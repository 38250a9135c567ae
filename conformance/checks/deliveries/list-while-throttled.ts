import { buckets } from "../../../generated/limits.ts";
import { check } from "../../context/check.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { readPage } from "../../steps/feed.ts";
import { ownDelivery } from "../../steps/own-delivery.ts";
import { isThrottled } from "../../steps/throttle.ts";

/** Replays that a full bucket does not admit all of, nor one that refills meanwhile. */
const most = 2 * buckets.deliveryReplays.capacity + 1;

/** The feed while replays are used up. */
export const listWhileThrottled = check({
  id: "deliveries.list-while-throttled",
  title: "The feed is read while no replay is admitted",
  rules: ["WHL-48"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "exhausts"],
  draws: { deliveryReplays: most },
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const { id } = await ownDelivery(t, main);
    await readPage(t, main);
    for (let count = 0; ; count += 1) {
      const replay = await t.attempt("replayDelivery", { path: { id }, body: {} }, main);
      if (isThrottled(replay)) break;
      t.control(replay, "replaying a delivery");
      if (count >= most) throw new Blocked(`${count} replays in a row were admitted`, "see WHP-23 first", "server");
    }
    const page = await t.attempt("listDeliveryAttempts", {}, main);
    t.verify("WHL-48", isSuccess(page), {
      expected: "the feed",
      actual: summaryOf(page),
      exchanges: [page],
    });
  },
});
