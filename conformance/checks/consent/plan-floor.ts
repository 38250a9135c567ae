import { operations } from "../../../generated/operations.ts";
import { check } from "../../context/check.ts";
import { errorOf, summaryOf } from "../../exchange/exchange.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { attemptConsent, recipients } from "../../steps/consent.ts";
import { keyLacking } from "../../steps/key-lacking.ts";

/** Words by which a message may name each of the two other ways. */
const otherWays = [/double[\s-]*opt/i, /\bhosted\b|\bforms?\b/i];

/** Organizations whose plan is too low to say themselves that recipients consent. */
export const planFloor = check({
  id: "consent.plan-floor",
  title: "An organization with a dormant legacy plan cannot capture consent, and another one can",
  rules: ["AUTH-26", "AUTH-28", "AUTH-29", "AUTH-30", "AUTH-31"],
  kind: "scenario",
  needs: ["dormant-plan"],
  effects: ["creates"],
  draws: { consentRecords: 2 * recipients.length },
  async run(t) {
    const usual = await (await t.tenant()).main();
    for (const number of recipients) {
      const exchange = await attemptConsent(t, usual, number);
      t.verify("AUTH-31", !answeredBy(exchange, "PlanRequired"), {
        expected: "anything but a refusal for the plan, which is a new customer's",
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
      t.control(exchange, "capturing a consent");
    }
    const dormant = await t.otherTenant({ dormant_plan: true });
    const main = await dormant.main();
    for (const number of recipients) {
      const exchange = await attemptConsent(t, main, number);
      t.refused("AUTH-26", exchange, "PlanRequired");
      if (!answeredBy(exchange, "PlanRequired")) continue;
      t.equal("AUTH-30", "error.details", errorOf(exchange)?.details, undefined, exchange);
      const message = String(errorOf(exchange)?.message);
      t.verify(
        "AUTH-29",
        otherWays.every((way) => way.test(message)),
        {
          expected: "a message that names double opt-in and the hosted form",
          actual: message,
          exchanges: [exchange],
        },
      );
    }
    const lacking = await keyLacking(operations.captureConsent.scope, dormant);
    t.refused("AUTH-28", await attemptConsent(t, lacking), "Forbidden");
  },
});
