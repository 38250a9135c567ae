import type { Check } from "../../check/check.ts";
import { Blocked } from "../../check/verdict.ts";
import { errorOf, headerOf, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { burst, capacity, create, fillBucket, isThrottled, retryAfterOf } from "./throttle.ts";

/** The scripted burst on the bucket of creations and rotations. */
export const apiKeyBurst: Check = {
  id: "limits.api-key-burst",
  title: "A full bucket admits its capacity, refuses the next creation and admits one again after Retry-After",
  rules: ["KEYC-29", "KEYC-30", "KEYC-31", "KEYC-33"],
  kind: "scenario",
  needs: ["full-bucket"],
  effects: ["creates", "exhausts"],
  draws: capacity + 3,
  async run(t) {
    const tenant = await t.tenant({ manualClock: true });
    const main = await tenant.main();
    await fillBucket(tenant);
    const { admitted, refusedEarly, beyond } = await burst(() => create(t, main), main);
    if (refusedEarly !== null && !isThrottled(refusedEarly)) {
      throw new Blocked(
        `a creation of the burst was answered ${summaryOf(refusedEarly)}`,
        "see KEYC-01 first",
        "server",
      );
    }
    t.verify("KEYC-29", refusedEarly === null, {
      expected: `${capacity} creations admitted`,
      actual: refusedEarly
        ? `${admitted.length} admitted, and ${summaryOf(refusedEarly)}`
        : `${admitted.length} admitted`,
      exchanges: refusedEarly ? [refusedEarly] : [],
    });
    t.refused("KEYC-30", beyond, "RateLimited");
    if (!isThrottled(beyond)) throw new Blocked("no creation was refused", "see KEYC-30 first", "server");

    const header = headerOf(beyond, "Retry-After");
    const details = errorOf(beyond)?.details;
    t.verify("KEYC-31", /^[1-9]\d*$/.test(header ?? "") && details === undefined, {
      expected: "Retry-After, positive whole seconds, and no error.details",
      actual: `Retry-After ${header ?? "missing"}, details ${JSON.stringify(details) ?? "none"}`,
      exchanges: [beyond],
    });
    const wait = retryAfterOf(beyond);
    // More than a second early an admission means that Retry-After asks for too much; only a standing clock can tell.
    if (tenant.manualClock && wait > 2) {
      await tenant.advance(wait - 1.5, "a moment before Retry-After has passed");
      const early = await create(t, main);
      t.verify("KEYC-33", !isSuccess(early), {
        expected: `a refusal 1.5 s before the ${wait} s of Retry-After have passed`,
        actual: summaryOf(early),
        exchanges: [beyond, early],
        warnOnly: true,
      });
      // The early call may have drawn, so its own Retry-After counts from here.
      await tenant.advance(isSuccess(early) ? wait : Math.max(1.5, retryAfterOf(early)), "what is left of Retry-After");
    } else {
      await tenant.advance(wait, "Retry-After");
    }
    t.accepted("KEYC-33", await create(t, main));
  },
};
