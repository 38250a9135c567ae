import { type Check, check } from "../../context/check.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { attemptBatch, attemptConsent } from "../../steps/consent.ts";
import { admissible, callSend, sendDraws } from "../../steps/message.ts";
import { kindsWithUsualPlan, organizationKinds } from "../../steps/organization-kinds.ts";

/** The consent gate for each kind of organization. */
export const gateOfKinds: readonly Check[] = organizationKinds.map(({ id, what, needs, wish }) =>
  check({
    id: `consent.gate-of.${id}`,
    title: `A send of ${what} to a recipient without consent is refused`,
    rules: ["MSG-04"],
    kind: "scenario",
    needs: ["fresh-organization", ...needs],
    effects: ["creates", "spends", "sends"],
    draws: sendDraws(1),
    async run(t) {
      const main = await (await t.otherTenant({ clock: "manual", ...wish })).main();
      const [to] = t.numbers("strangers");
      const exchange = admissible(await callSend(t, main, { to }));
      // Another refusal may come first. Its own rules judge that.
      if (!isSuccess(exchange) && !answeredBy(exchange, "ConsentRequired"))
        throw new Blocked(`a send of ${what} was answered ${summaryOf(exchange)}`, "see MSG-04 first", "server");
      t.refused("MSG-04", exchange, "ConsentRequired");
    },
  }),
);

/** Captures of consent for each kind of organization with the plan of a new customer. */
export const capturesOfKinds: readonly Check[] = kindsWithUsualPlan.map(({ id, what, needs, wish }) =>
  check({
    id: `consent.captures-of.${id}`,
    title: `The plan of ${what} permits captures of consent`,
    rules: ["AUTH-31"],
    kind: "scenario",
    needs,
    effects: ["creates"],
    draws: { consentRecords: 2 },
    async run(t) {
      const main = await (await t.otherTenant({ clock: "manual", ...wish })).main();
      const [one, other] = t.numbers("recipients");
      for (const exchange of [await attemptConsent(t, main, one), await attemptBatch(t, main, [other])])
        t.verify("AUTH-31", !answeredBy(exchange, "PlanRequired"), {
          expected: `no refusal for the plan of ${what}`,
          actual: summaryOf(exchange),
          exchanges: [exchange],
        });
    },
  }),
);
