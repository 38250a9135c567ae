import { check } from "../../context/check.ts";
import { summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { attemptConsent } from "../../steps/consent.ts";
import { callDoubleOptIn } from "../../steps/double-opt-in.ts";
import { callHostedForm } from "../../steps/hosted-form.ts";

/** What an organization has whose plan is too low to say itself that recipients consent. */
const ways = [
  {
    id: "consent.double-opt-in-plan-floor",
    title: "An organization with a dormant legacy plan may ask by double opt-in",
    effects: ["creates", "sends"],
    call: callDoubleOptIn,
    part: "silent",
  },
  {
    id: "consent.hosted-form-plan-floor",
    title: "An organization with a dormant legacy plan may have a hosted form",
    effects: ["creates"],
    call: callHostedForm,
    part: "forms",
  },
] as const;

/** The ways that the refusal for the plan names. */
export const otherWays = ways.map(({ call, part, ...about }) =>
  check({
    ...about,
    rules: ["CON-05"],
    kind: "scenario",
    needs: ["dormant-plan"],
    draws: { consentRecords: 1 },
    async run(t) {
      const numbers = t.numbers(part);
      const [first] = numbers;
      t.control(await call(t, await (await t.tenant()).main(), first), "the same for another plan");
      const dormant = await (await t.otherTenant({ dormant_plan: true })).main();
      const captured = await attemptConsent(t, dormant);
      if (!answeredBy(captured, "PlanRequired"))
        throw new Blocked("the plan keeps nobody from capturing consent", "see AUTH-26 first", "server");
      for (const number of numbers) {
        const exchange = await call(t, dormant, number);
        t.verify("CON-05", !answeredBy(exchange, "PlanRequired"), {
          expected: "anything but a refusal for the plan",
          actual: summaryOf(exchange),
          exchanges: [captured, exchange],
        });
      }
    },
  }),
);
