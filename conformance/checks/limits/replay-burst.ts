import { buckets } from "../../../generated/limits.ts";
import { check } from "../../context/check.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { retryAfterIn } from "../../exchange/retry-after.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { ownDelivery } from "../../steps/own-delivery.ts";
import { attemptReplay } from "../../steps/replay.ts";
import {
  blockUnlessThrottled,
  burst,
  fillBucket,
  insistence,
  isThrottled,
  judgeRetryAfter,
} from "../../steps/throttle.ts";
import { admittedAfterWait } from "./admitted-after-wait.ts";

const size = buckets.deliveryReplays;
const { capacity } = size;

/** The scripted burst on the bucket of replays. */
export const replayBurst = check({
  id: "limits.replay-burst",
  title: "A full bucket admits its capacity of replays, refuses the next and admits one again after Retry-After",
  rules: ["WHP-22", "WHP-23", "WHP-26", "LIM-14"],
  kind: "scenario",
  needs: ["full-bucket"],
  effects: ["creates", "exhausts"],
  draws: { deliveryReplays: capacity + 3 + insistence },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    // The limit holds by default: an organization that the kit was given may have another.
    const alone = tenant.fresh;
    const main = await tenant.main();
    // Of two deliveries, as they share the limit.
    const [one, other] = [await ownDelivery(t, main), await ownDelivery(t, main)];
    const replay = (index = 0) => attemptReplay(t, main, (index % 2 === 0 ? one : other).id);
    const full = await fillBucket(tenant, alone, size);
    // Not a replay, whatever it is answered.
    if (t.serves("testWebhookEndpoint")) await t.call("testWebhookEndpoint", { path: { id: one.endpoint.id } }, main);
    const { admitted, refusedEarly, beyond } = await burst(replay, main, size);
    blockUnlessThrottled(refusedEarly);
    t.verify("WHP-22", refusedEarly === null, {
      expected: `${capacity} replays admitted, behind a test of an endpoint`,
      actual: `${admitted.length} admitted${refusedEarly === null ? "" : `, and ${summaryOf(refusedEarly)}`}`,
      exchanges: refusedEarly === null ? [] : [refusedEarly],
      warnOnly: !full,
    });
    const header = retryAfterIn(beyond);
    t.verify("WHP-23", isThrottled(beyond) && /^[1-9]\d*$/.test(header ?? ""), {
      expected: `replay ${capacity + 1} refused for the limit, with Retry-After, positive whole seconds`,
      actual: `${summaryOf(beyond)}, Retry-After ${header ?? "missing"}`,
      exchanges: [beyond],
      warnOnly: isSuccess(beyond) && !alone,
    });
    if (!isThrottled(beyond)) throw new Blocked("no replay was refused", "see WHP-23 first", "server");
    judgeRetryAfter(t, beyond, size, { warnOnly: !alone });
    await admittedAfterWait(t, "WHP-26", replay, { beyond, tenant, full });
  },
});
