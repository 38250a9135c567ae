import { operations } from "../../../generated/operations.ts";
import { check, sharedStock } from "../../context/check.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { activeCampaignOf, attachedNumber } from "../../steps/number-campaign.ts";
import { readNumber } from "../../steps/phone-number.ts";

/** A number that sends for a campaign, and is to be returned to its carrier by who may only write numbers. */
export const returnAttached = check({
  id: "phone-numbers.return-attached",
  title: "A key that may write numbers, and nothing else, may not return one that has a campaign to its carrier",
  rules: ["NUM-16"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["brand-verification", "campaign-move"],
  effects: ["creates", "spends"],
  draws: {},
  sharedKeys: [[operations.releasePhoneNumber.scope]],
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const writer = await tenant.keyWith([operations.releasePhoneNumber.scope]);
    const campaign = await activeCampaignOf(t, main);
    const { id } = await attachedNumber(t, main, campaign.id);
    const query = { return_to_carrier: "true" };
    const exchange = await t.call("releasePhoneNumber", { path: { id }, query }, writer);
    t.verify("NUM-16", answeredBy(exchange, "Forbidden"), {
      expected: "a refusal for what the key lacks",
      admits: ["Forbidden"],
      actual: summaryOf(exchange),
      exchanges: [exchange],
      // Whether a number can be released while it has a campaign, and what is looked at first, is open.
      warnOnly: !isSuccess(exchange),
    });
    const still = await readNumber(t, main, id);
    t.verify("NUM-16", isSuccess(still), {
      expected: "the number there as before",
      actual: summaryOf(still),
      exchanges: [exchange, still],
    });
  },
});
