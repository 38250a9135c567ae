import { buckets } from "../../../generated/limits.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, summaryOf } from "../../exchange/exchange.ts";
import { retryAfterIn } from "../../exchange/retry-after.ts";
import type { Credential } from "../../provision/tenant.ts";
import { attemptBatch, attemptConsent } from "../../steps/consent.ts";
import { roomForOne } from "../../steps/room-for-one.ts";
import { blockUnlessThrottled, burst, isThrottled, judgeRetryAfter } from "../../steps/throttle.ts";
import { type Refusable, withoutEffect } from "../../steps/without-effect.ts";
import { numberCount } from "../../target/phone-numbers.ts";
import { admittedAfterWait } from "./admitted-after-wait.ts";
import { loneWait } from "./lone-wait.ts";

/** The document names no allowance, so the kit sets one: fewer than it has recipients for. */
const allowance = { capacity: numberCount("recipients") - 1, periodSeconds: buckets.consentRecords.periodSeconds };

/** More consents in a minute than the organization may record. */
export const consentBurst = check({
  id: "limits.consent-burst",
  title: "Consent beyond the organization's allowance is refused for the limit",
  rules: ["LIM-14", "LIM-15", "LIM-21"],
  kind: "scenario",
  needs: ["limit-override"],
  effects: ["creates", "exhausts"],
  draws: {},
  async run(t) {
    const { capacity, periodSeconds } = allowance;
    const tenant = await t.tenant({
      clock: "manual",
      limits: { consentRecords: { capacity, period_seconds: periodSeconds } },
    });
    const main = await tenant.main();
    const { refusedEarly, beyond } = await burst(
      // Never of somebody whose consent is on file: to record it again may be nothing.
      (index) => attemptConsent(t, main, t.numbers("recipients")[Math.min(index, capacity)]),
      main,
      allowance,
    );
    blockUnlessThrottled(refusedEarly);
    t.verify("LIM-15", refusedEarly === null, {
      expected: `${capacity} consents recorded, as many as the allowance`,
      actual: refusedEarly === null ? "that" : summaryOf(refusedEarly),
      exchanges: refusedEarly === null ? [] : [refusedEarly],
    });
    t.verify("LIM-15", isThrottled(beyond) && retryAfterIn(beyond) !== null, {
      expected: `consent ${capacity + 1} refused for the limit, with Retry-After`,
      actual: summaryOf(beyond),
      exchanges: [beyond],
    });
    // It is each organization's own.
    const other = await (await t.otherTenant({ clock: "manual" })).main();
    t.control(await attemptConsent(t, other), "capturing a consent of another organization");
    if (!isThrottled(beyond)) return;
    judgeRetryAfter(t, beyond, allowance, { warnOnly: false });
    const again = () => attemptConsent(t, main, t.numbers("recipients")[capacity]);
    await admittedAfterWait(t, "LIM-21", again, { beyond, tenant, full: true });
  },
});

/** One more consent than the limit has room for. */
const secondConsent = (
  operation: Refusable["operation"],
  attempt: (t: CheckContext, as: Credential, number: string) => Promise<Exchange>,
): Refusable => ({
  operation,
  needs: ["limit-override"],
  effects: ["creates", "exhausts"],
  draws: {},
  async begin(t) {
    const tenant = await roomForOne(t, "consentRecords");
    const main = await tenant.main();
    const [one, other] = t.numbers("recipients");
    t.control(await attempt(t, main, one), "capturing a consent");
    return { tenant, send: () => attempt(t, main, other) };
  },
});

const single = secondConsent("captureConsent", attemptConsent);
const batch = secondConsent("captureConsentBatch", (t, as, number) => attemptBatch(t, as, [number]));

/** What consents leave behind that are refused for the limit, a single one and a batch. */
export const throttledConsents = [single, batch].map((one) => withoutEffect({ ...one, row: "RateLimited" }));

export const consentWait = loneWait("LIM-21", single);
