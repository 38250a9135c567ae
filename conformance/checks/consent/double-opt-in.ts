import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { rowNamed } from "../../exchange/admits.ts";
import { codeOf, type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Tenant } from "../../provision/tenant.ts";
import { noNumbers } from "../../steps/consent.ts";
import { askRecipient, callDoubleOptIn } from "../../steps/double-opt-in.ts";
import { isRefused } from "../../steps/endpoint.ts";
import { admissible, callSend, optIn, sendDraws } from "../../steps/message.ts";
import { numberCount } from "../../target/phone-numbers.ts";

const { code } = rowNamed("ConsentRequired");

/** Recipients who were asked, once and again, and have not answered. */
export const pendingDoubleOptIn = check({
  id: "consent.pending-double-opt-in",
  title: "Who was asked by double opt-in and has not answered cannot be sent to, however often they were asked",
  rules: ["CON-03"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(1 + 2 * numberCount("silent")),
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const [consenting] = t.numbers("recipients");
    await optIn(t, main, consenting);
    t.control(admissible(await callSend(t, main, { to: consenting })), "a send to a recipient who has opted in");
    for (const to of t.numbers("silent")) {
      const asked = await askRecipient(t, main, to);
      judgePending(t, tenant, asked, await callSend(t, main, { to }));
      const again = await callDoubleOptIn(t, main, to);
      judgePending(t, tenant, again, await callSend(t, main, { to }));
    }
  },
});

/** Decides that an unanswered double opt-in has given no consent. */
function judgePending(t: CheckContext<"CON-03">, tenant: Tenant, asked: Exchange, sent: Exchange): void {
  // A caller who was given everything has neither too few scopes nor too little money.
  const exchange = tenant.fresh ? sent : admissible(sent);
  t.verify("CON-03", codeOf(exchange) === code, {
    expected: `a refusal with ${code} while the double opt-in is unanswered`,
    admits: ["ConsentRequired"],
    actual: summaryOf(exchange),
    exchanges: [asked, exchange],
    // Who shares the organization may know the number, or have had the gate opened.
    warnOnly: !tenant.fresh,
  });
  if (!tenant.fresh && isSuccess(exchange))
    throw new Blocked("the recipient can be sent to without an answer", "give the kit a new organization");
}

/** Double opt-ins of nobody. */
export const askingNobody = check({
  id: "consent.double-opt-in-no-number",
  title: "The double opt-in of a text that is no phone number is refused",
  rules: ["CON-35"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "sends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    await askRecipient(t, main);
    for (const number of noNumbers) {
      const exchange = await callDoubleOptIn(t, main, number);
      t.verify("CON-35", isRefused(exchange), {
        expected: `a refusal of the number ${JSON.stringify(number)}`,
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
    }
  },
});
