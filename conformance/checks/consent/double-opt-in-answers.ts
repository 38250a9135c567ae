import { inboundText } from "../../arrangements/inbound-text.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { rowNamed } from "../../exchange/admits.ts";
import { codeOf, type Exchange, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { askRecipient, callDoubleOptIn, longestAnswer, confirmation as yes } from "../../steps/double-opt-in.ts";
import { callHostedForm } from "../../steps/hosted-form.ts";
import { admissible, callSend, isNoLackOfConsent, optIn, sendDraws, sendUntil } from "../../steps/message.ts";

const { code } = rowNamed("ConsentRequired");
const lacksConsent = (exchange: Exchange): boolean => codeOf(exchange) === code;

const somethingElse = "Who is this, please";

/** Has the organization shown to send where there is consent, so that a refusal is for the lack of it. */
async function controlSend(t: CheckContext, as: Credential): Promise<void> {
  const [consenting] = t.numbers("recipients");
  await optIn(t, as, consenting);
  t.control(admissible(await callSend(t, as, { to: consenting })), "a send to a recipient who has opted in");
}

const refusalOf = (exchange: Exchange, why: string) => ({
  expected: `a refusal with ${code}: ${why}`,
  admits: ["ConsentRequired"] as const,
  actual: summaryOf(exchange),
  exchanges: [exchange],
});

/** Recipients who are asked and answer. */
export const answers = check({
  id: "consent.double-opt-in-answers",
  title: "Who answers a double opt-in with YES can be sent to by who asked, until they reply STOP; nobody else can be",
  rules: ["CON-03", "CON-30", "CON-31", "CON-33", "CON-34", "CON-38"],
  kind: "scenario",
  needs: ["inbound-text", "fresh-organization"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(22),
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const other = await (await t.otherTenant()).main();
    const [answering, silent] = t.numbers("answering");
    for (const each of [main, other]) await controlSend(t, each);
    for (const to of [answering, silent]) await askRecipient(t, main, to);
    // Whom two organizations ask answers each of them, or one.
    await askRecipient(t, other, answering);

    await tenant.arrange(inboundText, { from: answering, text: somethingElse });
    const before = await callSend(t, main, { to: answering });
    t.verify("CON-31", lacksConsent(before), refusalOf(before, `${JSON.stringify(somethingElse)} confirms nothing`));

    await tenant.arrange(inboundText, { from: answering, text: yes });
    const confirmed = admissible(await sendUntil(t, main, { to: answering }, isNoLackOfConsent));
    const isConfirmed = t.verify("CON-30", !lacksConsent(confirmed), {
      expected: `a send to who has answered ${yes}`,
      actual: summaryOf(confirmed),
      exchanges: [confirmed],
    });
    const unanswered = await callSend(t, main, { to: silent });
    t.verify("CON-03", lacksConsent(unanswered), refusalOf(unanswered, "this recipient has not answered"));
    if (!isConfirmed) throw new Blocked(`no double opt-in is confirmed by ${yes}`, "see CON-30 first", "server");
    t.control(confirmed, "a send to who has confirmed");

    const foreign = await callSend(t, other, { to: answering });
    t.verify("CON-33", lacksConsent(foreign), refusalOf(foreign, "the recipient has answered another organization"));

    await tenant.arrange(inboundText, { from: answering, text: "STOP" });
    const stopped = await sendUntil(t, main, { to: answering }, lacksConsent);
    t.verify("CON-34", lacksConsent(stopped), refusalOf(stopped, "the recipient has replied STOP"));
    if (!lacksConsent(stopped)) throw new Blocked("STOP withdraws no consent", "see CON-34 first", "server");
    // Whether who has opted out may be asked is open; to have asked them is no consent.
    await callDoubleOptIn(t, main, answering);
    const asked = await callSend(t, main, { to: answering });
    t.verify(
      "CON-03",
      lacksConsent(asked),
      refusalOf(asked, "the recipient was asked after STOP and has not answered"),
    );
    await callHostedForm(t, main, answering);
    const formed = await callSend(t, main, { to: answering });
    t.verify(
      "CON-38",
      lacksConsent(formed),
      refusalOf(formed, "a form was made after STOP and nobody has submitted it"),
    );
  },
});

/** Recipients who answer too late. */
export const lateAnswer = check({
  id: "consent.late-double-opt-in-answer",
  title: "A double opt-in expires unless it is confirmed: then no answer confirms it, until it is asked for anew",
  rules: ["CON-30", "CON-32"],
  kind: "scenario",
  needs: ["inbound-text", "fresh-organization", "manual-clock"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(15),
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const [late, early] = t.numbers("answering");
    for (const to of [late, early]) await askRecipient(t, main, to);
    await tenant.arrange(inboundText, { from: early, text: yes });
    const inTime = admissible(await sendUntil(t, main, { to: early }, isNoLackOfConsent));
    if (lacksConsent(inTime))
      throw new Blocked(`no double opt-in is confirmed by ${yes}`, "see CON-30 first", "server");
    t.control(inTime, "a send to who has confirmed in time");
    await tenant.advance(longestAnswer, "a double opt-in to expire");
    // What was confirmed is not open any more, so that nothing of it is left to expire.
    const kept = admissible(await callSend(t, main, { to: early }));
    t.verify("CON-30", !lacksConsent(kept), {
      expected: `a send to who has answered ${yes} in time, when there would be no time left`,
      actual: summaryOf(kept),
      exchanges: [inTime, kept],
    });
    await tenant.arrange(inboundText, { from: late, text: yes });
    const exchange = await callSend(t, main, { to: late });
    t.verify("CON-32", lacksConsent(exchange), refusalOf(exchange, "the double opt-in has expired"));
    if (!lacksConsent(exchange)) return;
    await askRecipient(t, main, late);
    await tenant.arrange(inboundText, { from: late, text: yes });
    const renewed = admissible(await sendUntil(t, main, { to: late }, isNoLackOfConsent));
    t.verify("CON-30", !lacksConsent(renewed), {
      expected: `a send to who has answered ${yes} when asked a second time`,
      actual: summaryOf(renewed),
      exchanges: [exchange, renewed],
    });
  },
});
