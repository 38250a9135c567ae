import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { rowNamed } from "../../exchange/admits.ts";
import { codeOf, type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import type { Tenant } from "../../provision/tenant.ts";
import { noNumbers } from "../../steps/consent.ts";
import { askRecipient, callDoubleOptIn, longestAnswer } from "../../steps/double-opt-in.ts";
import { isRefused } from "../../steps/endpoint.ts";
import { admissible, callSend, isNoLackOfConsent, optIn, sendDraws, sendUntil } from "../../steps/message.ts";
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

/** A recipient who is asked, and whose consent is captured otherwise meanwhile. */
export const capturedMeanwhile = check({
  id: "consent.captured-while-asked",
  title: "A consent that was captured while a double opt-in was pending does not expire with that",
  rules: ["CON-01"],
  kind: "scenario",
  needs: ["fresh-organization", "manual-clock"],
  effects: ["creates", "spends", "sends"],
  draws: { ...sendDraws(8), consentRecords: 2 },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const [asked, other] = t.numbers("answering");
    await askRecipient(t, main, asked);
    for (const to of [asked, other]) {
      await optIn(t, main, to);
      const sent = admissible(await sendUntil(t, main, { to }, isNoLackOfConsent));
      t.control(sent, "a send to a recipient who has opted in");
    }
    await tenant.advance(longestAnswer, "a double opt-in to expire");
    const kept = admissible(await callSend(t, main, { to: other }));
    if (codeOf(kept) === code) throw new NotApplicable("a consent does not hold for longer than a double opt-in");
    t.control(kept, "a send to a recipient who has opted in");
    const exchange = admissible(await callSend(t, main, { to: asked }));
    t.verify("CON-01", codeOf(exchange) !== code, {
      expected: `a send to ${asked}, like that to ${other}, whose consent was captured then as well`,
      actual: summaryOf(exchange),
      exchanges: [kept, exchange],
    });
  },
});

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
