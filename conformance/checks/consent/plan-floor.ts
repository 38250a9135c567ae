import { operations } from "../../../generated/operations.ts";
import { signedInUser } from "../../arrangements/signed-in-user.ts";
import { userOf } from "../../context/caller-of.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { errorOf, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { attemptBatch, attemptConsent } from "../../steps/consent.ts";
import { judgeEach } from "../../steps/judge-each.ts";
import { keyLacking } from "../../steps/key-lacking.ts";
import { withoutEffect } from "../../steps/without-effect.ts";
import { numberCount } from "../../target/phone-numbers.ts";

/** Words by which a message may name each of the two other ways. */
const otherWays = [/double[\s-]*opt/i, /\bhosted\b|\bforms?\b/i];

/** Ways in which an organization says itself that recipients consent: each in an exchange of its own. */
const captures = [
  { id: "consent.plan-floor", operation: operations.captureConsent, rule: "AUTH-26", attempt: attemptConsent },
  {
    id: "consent.batch-plan-floor",
    operation: operations.captureConsentBatch,
    rule: "AUTH-27",
    attempt: (t: CheckContext, as: Credential, number: string = t.numbers("recipients")[0]) =>
      attemptBatch(t, as, [number]),
  },
] as const;

/** Organizations whose plan is too low to say themselves that recipients consent. */
export const planFloors = captures.map(({ id, operation, rule, attempt }) =>
  check({
    id,
    title: `An organization with a dormant legacy plan gets nothing from ${operation.method} ${operation.path}, and another one does`,
    rules: [rule, "AUTH-28", "AUTH-29", "AUTH-30", "AUTH-31"],
    kind: "scenario",
    needs: ["dormant-plan"],
    effects: ["creates"],
    draws: { consentRecords: 2 * numberCount("recipients") },
    async run(t) {
      const usual = await (await t.tenant()).main();
      await judgeEach(t.numbers("recipients"), async (number) => {
        const exchange = await attempt(t, usual, number);
        t.verify("AUTH-31", !answeredBy(exchange, "PlanRequired"), {
          expected: "anything but a refusal for the plan, which is a new customer's",
          actual: summaryOf(exchange),
          exchanges: [exchange],
        });
        t.control(exchange, "capturing a consent");
      });
      const dormant = await t.otherTenant({ dormant_plan: true });
      const main = await dormant.main();
      for (const number of t.numbers("recipients")) {
        const exchange = await attempt(t, main, number);
        t.refused(rule, exchange, "PlanRequired");
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
      // Whether users may call it is open: the plan is the organization's, whoever acts for it.
      if (dormant.can(signedInUser)) {
        const byUser = await attempt(t, await userOf(dormant));
        t.verify(rule, !isSuccess(byUser), {
          expected: "a refusal of a signed-in user as well",
          actual: summaryOf(byUser),
          exchanges: [byUser],
        });
      }
      const lacking = await keyLacking(operation.scope, dormant);
      t.refused("AUTH-28", await attempt(t, lacking), "Forbidden");
    },
  }),
);

/** What such a refusal leaves behind. */
export const planFloorEffects = captures.map(({ operation, attempt }) =>
  withoutEffect({
    operation: operation.id,
    row: "PlanRequired",
    needs: ["dormant-plan"],
    effects: ["creates"],
    draws: {},
    async begin(t) {
      const tenant = await t.tenant({ clock: "manual", dormant_plan: true });
      const main = await tenant.main();
      return { tenant, send: () => attempt(t, main) };
    },
  }),
);
