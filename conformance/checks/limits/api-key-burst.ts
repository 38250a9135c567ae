import { buckets } from "../../../generated/limits.ts";
import { check } from "../../context/check.ts";
import { errorOf, summaryOf } from "../../exchange/exchange.ts";
import { retryAfterIn } from "../../exchange/retry-after.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { callCreate, endpointBody } from "../../steps/endpoint.ts";
import { surelyGrantable } from "../../steps/grantable.ts";
import { roomForOne } from "../../steps/room-for-one.ts";
import {
  blockUnlessThrottled,
  burst,
  create,
  fillBucket,
  insistence,
  isThrottled,
  judgeRetryAfter,
} from "../../steps/throttle.ts";
import { admittedAfterWait } from "./admitted-after-wait.ts";
import { loneWait } from "./lone-wait.ts";

const size = buckets.apiKeyWrites;
const { capacity } = size;

/** The scripted burst on the bucket of creations and rotations. */
export const apiKeyBurst = check({
  id: "limits.api-key-burst",
  title: "A full bucket admits its capacity, refuses the next creation and admits one again after Retry-After",
  rules: ["KEYC-29", "KEYC-30", "KEYC-31", "KEYC-33", "LIM-14"],
  kind: "scenario",
  needs: ["full-bucket"],
  effects: ["creates", "exhausts"],
  draws: { apiKeyWrites: capacity + 3 + insistence },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const alone = tenant.fresh;
    const main = await tenant.main();
    const full = await fillBucket(tenant, alone, size);
    // Not a creation of a key, whatever it is answered.
    if (t.serves("createWebhookEndpoint")) await callCreate(t, main, endpointBody({}));
    // Whatever a key is to be good for, its creation counts.
    const scopes = surelyGrantable(main);
    const { admitted, refusedEarly, beyond } = await burst(
      (index) => create(t, main, scopes.slice(0, 1 + (index % scopes.length))),
      main,
      size,
    );
    blockUnlessThrottled(refusedEarly);
    t.verify("KEYC-29", refusedEarly === null, {
      expected: `${capacity} creations of keys admitted, behind one of an endpoint`,
      actual: refusedEarly
        ? `${admitted.length} admitted, and ${summaryOf(refusedEarly)}`
        : `${admitted.length} admitted`,
      exchanges: refusedEarly ? [refusedEarly] : [],
      warnOnly: !full,
    });
    t.refused("KEYC-30", beyond, "RateLimited");
    if (!isThrottled(beyond)) throw new Blocked("no creation was refused", "see KEYC-30 first", "server");

    const header = retryAfterIn(beyond);
    const details = errorOf(beyond)?.details;
    t.verify("KEYC-31", /^[1-9]\d*$/.test(header ?? "") && details === undefined, {
      expected: "Retry-After, positive whole seconds, and no error.details",
      actual: `Retry-After ${header ?? "missing"}, details ${JSON.stringify(details) ?? "none"}`,
      exchanges: [beyond],
    });
    judgeRetryAfter(t, beyond, size, { warnOnly: false });
    await admittedAfterWait(t, "KEYC-33", () => create(t, main), { beyond, tenant, full });
  },
});

export const creationWait = loneWait("KEYC-33", {
  operation: "createApiKey",
  needs: ["limit-override"],
  effects: ["creates", "exhausts"],
  draws: {},
  async begin(t) {
    const tenant = await roomForOne(t, "apiKeyWrites");
    const main = await tenant.main();
    // Where the key itself was made by the API, it has used up the limit.
    await create(t, main);
    return { tenant, send: () => create(t, main) };
  },
});
