import { operations } from "../../../generated/operations.ts";
import { inboundText } from "../../arrangements/inbound-text.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { rowNamed } from "../../exchange/admits.ts";
import { codeOf, type Exchange, errorOf, isSuccess, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { captureBatch, captureConsent } from "../../steps/consent.ts";
import { leftAsItWas, watchingEffects } from "../../steps/effect-of.ts";
import { judgeEach } from "../../steps/judge-each.ts";
import { lastsLater } from "../../steps/later-state.ts";
import { admissible, callSend, isNoLackOfConsent, optIn, sendDraws, sendUntil } from "../../steps/message.ts";
import { overYear } from "../../steps/over-year.ts";
import { attemptForms, formCount, longBody, sendWays } from "../../steps/send-forms.ts";
import { numberCount } from "../../target/phone-numbers.ts";

const { code } = rowNamed("ConsentRequired");
const taken = [rowNamed("Forbidden"), rowNamed("ValidationFailed")].map(({ status }) => status);

/** Numbers whose consent nobody captures. */
const strangersOf = (t: CheckContext): readonly [string, ...string[]] => {
  const [first, second, third] = t.numbers("strangers");
  return [first, second, third];
};

/** Decides how a refusal for lack of consent looks. */
function judgeRefusal(t: CheckContext<"MSG-06" | "MSG-07" | "MSG-09">, exchange: Exchange): void {
  if (codeOf(exchange) !== code) return;
  const status = statusOf(exchange) ?? 0;
  const evidence = { actual: summaryOf(exchange), exchanges: [exchange] };
  t.verify("MSG-06", !taken.includes(status), { expected: `another status than ${taken.join(" and ")}`, ...evidence });
  t.refused("MSG-07", exchange, "ConsentRequired");
  t.equal("MSG-09", "error.details", errorOf(exchange)?.details, undefined, exchange);
}

/** Sends to recipients of whom no consent is on file. */
export const withoutConsent = check({
  id: "consent.without-consent",
  title: "A send to who has not opted in is refused with a status of its own, and one to who has is not",
  rules: ["MSG-04", "MSG-06", "MSG-07", "MSG-09", "CON-01"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(numberCount("recipients") + numberCount("strangers") + formCount + 1),
  sharedKeys: [[operations.sendMessage.scope]],
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    await judgeEach(t.numbers("recipients"), async (to) => {
      await optIn(t, main, to);
      const exchange = admissible(await sendUntil(t, main, { to }, isNoLackOfConsent));
      t.verify("CON-01", codeOf(exchange) !== code, {
        expected: `a send to ${to}, whose consent was captured, not to be refused for lack of it`,
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
      t.control(exchange, "a send to a recipient who has opted in");
    });
    // Another key of the organization than captured it.
    const [consenting] = t.numbers("recipients");
    const another = await tenant.keyWith([operations.sendMessage.scope]);
    const theirs = admissible(await callSend(t, another, { to: consenting }));
    t.verify("CON-01", codeOf(theirs) !== code, {
      expected: `a send to ${consenting}, whose consent another key captured, not to be refused for lack of it`,
      actual: summaryOf(theirs),
      exchanges: [theirs],
    });
    for (const [index, to] of strangersOf(t).entries()) {
      const forms =
        index === 0 ? await attemptForms(t, main, to) : [{ what: "a send", exchange: await callSend(t, main, { to }) }];
      for (const { what, exchange: sent } of forms) {
        // A caller who was given everything has neither too few scopes nor too little money.
        const exchange = tenant.fresh ? sent : admissible(sent);
        t.verify("MSG-04", codeOf(exchange) === code, {
          expected: `${what} to be refused with ${code}`,
          admits: ["ConsentRequired"],
          actual: summaryOf(exchange),
          exchanges: [exchange],
          // Who shares the organization may know the number, or have had the gate opened: it is closed by default.
          warnOnly: !tenant.fresh,
        });
        if (!tenant.fresh && isSuccess(exchange))
          throw new Blocked(`${to} can be sent to without a consent of this run`, "give the kit a new organization");
        judgeRefusal(t, exchange);
      }
    }
  },
});

/** What a refusal for lack of consent leaves behind. */
export const consentRefusalEffect = check({
  id: "consent.refusal-effect",
  title: "A send that is refused for lack of consent creates and charges nothing, in a new organization too",
  rules: ["MSG-10", "MSG-11", "MSG-12"],
  kind: "scenario",
  needs: ["state", "fresh-organization"],
  effects: ["creates", "spends", "sends"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const ways = await sendWays(tenant);
    for (const [index, to] of strangersOf(t).entries()) {
      const wish = { to, ...ways[index] };
      const { exchange, before, after } = await effectOf(tenant, () => callSend(t, main, wish));
      admissible(exchange);
      t.verify("MSG-12", codeOf(exchange) === code, {
        expected: `a refusal with ${code}`,
        admits: ["ConsentRequired"],
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
      if (isSuccess(exchange)) continue;
      t.equal("MSG-10", "the wallet", after.wallet_micros, before.wallet_micros, exchange);
      leftAsItWas(t, "MSG-11", { before, after }, exchange);
    }
    const [stranger] = strangersOf(t);
    const long = await effectOf(tenant, () => callSend(t, main, { to: stranger, body: longBody }));
    if (codeOf(long.exchange) === code) {
      t.equal("MSG-10", "the wallet", long.after.wallet_micros, long.before.wallet_micros, long.exchange);
      leftAsItWas(t, "MSG-11", long, long.exchange);
    }
    if (!tenant.can(inboundText)) return;
    // Who has opted out is refused as silently as who never opted in.
    const [to] = t.numbers("repliers");
    await optIn(t, main, to);
    await tenant.arrange(inboundText, { from: to, text: "STOP" });
    await sendUntil(t, main, { to }, (exchange) => codeOf(exchange) === code);
    const { exchange, before, after } = await effectOf(tenant, () => callSend(t, main, { to }));
    if (codeOf(exchange) !== code)
      throw new Blocked(`a send after STOP was answered ${summaryOf(exchange)}`, "see MSG-05 first", "server");
    t.equal("MSG-10", "the wallet", after.wallet_micros, before.wallet_micros, exchange);
    leftAsItWas(t, "MSG-11", { before, after }, exchange);
  }),
});

/** Consent that another organization has. */
export const foreignConsent = check({
  id: "consent.foreign-consent",
  title: "A consent that another organization captured lets nobody else send",
  rules: ["CON-08"],
  kind: "scenario",
  needs: ["other-organization"],
  effects: ["creates", "spends", "sends"],
  draws: { ...sendDraws(3), consentRecords: 4 },
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const stranger = await (await t.otherTenant()).main();
    // Whose consent one organization has, and no other: no other check captures it.
    const known = t.numbers("strangers")[3];
    await optIn(t, stranger, known);
    const theirs = admissible(await sendUntil(t, stranger, { to: known }, isNoLackOfConsent));
    t.control(theirs, "a send to a recipient who has opted in");
    for (const way of ["alone", "in a batch"]) {
      // Captured once more, where that is admitted.
      if (way !== "alone") await captureBatch(t, stranger, [known]);
      const exchange = admissible(await callSend(t, main, { to: known }));
      t.verify("CON-08", codeOf(exchange) === code, {
        expected: `a refusal with ${code}, as the consent of ${known} was captured ${way} by another organization only`,
        admits: ["ConsentRequired"],
        actual: summaryOf(exchange),
        exchanges: [theirs, exchange],
        // Who shares the organization may have captured the consent, or have had the gate opened.
        warnOnly: !tenant.fresh,
      });
    }
  },
});

/** A recipient of two organizations who leaves one of them. */
export const foreignReply = check({
  id: "consent.foreign-reply",
  title: "Who replies STOP to one organization is sent to by another that has a consent",
  rules: ["CON-41"],
  kind: "scenario",
  needs: ["inbound-text", "other-organization"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(3),
  async run(t) {
    const main = await (await t.tenant()).main();
    const stranger = await (await t.otherTenant()).main();
    const [to] = t.numbers("of_two");
    for (const as of [main, stranger]) {
      await optIn(t, as, to);
      t.control(admissible(await callSend(t, as, { to })), "a send to a recipient who has opted in");
    }
    await main.tenant.arrange(inboundText, { from: to, text: "STOP" });
    const isRefused = (exchange: Exchange): boolean => codeOf(exchange) === code;
    const stopped = await sendUntil(t, main, { to }, isRefused);
    if (!isRefused(stopped))
      throw new Blocked(`a send after STOP was answered ${summaryOf(stopped)}`, "see MSG-05 first", "server");
    const theirs = admissible(await callSend(t, stranger, { to }));
    t.verify("CON-41", !isRefused(theirs), {
      expected: "a send by an organization to which the recipient did not reply",
      actual: summaryOf(theirs),
      exchanges: [stopped, theirs],
    });
  },
});

/** Seconds after which consents and opt-outs are asked for once more. */
const day = 86_400;

/** What recipients said, a day later. */
export const consentKept = check({
  id: "consent.kept",
  title: "Who has opted in can be sent to a day later, and who has replied STOP cannot, nor a year later",
  rules: ["CON-01", "CON-02", "MSG-05"],
  kind: "scenario",
  needs: ["manual-clock", "inbound-text"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(8),
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const [leaving, staying] = t.numbers("repliers");
    const [together, another] = t.numbers("batched");
    const captured = await captureBatch(t, main, [together, another]);
    for (const to of [leaving, staying, ...(isSuccess(captured) ? [together] : [])]) {
      if (to !== together) await optIn(t, main, to);
      t.control(admissible(await sendUntil(t, main, { to }, isNoLackOfConsent)), "a send to who has opted in");
    }
    await tenant.arrange(inboundText, { from: leaving, text: "STOP" });
    const stopped = await sendUntil(t, main, { to: leaving }, (exchange) => codeOf(exchange) === code);
    if (codeOf(stopped) !== code)
      throw new Blocked(`a send after STOP was answered ${summaryOf(stopped)}`, "see MSG-05 first", "server");
    await tenant.advance(day, "what is known of recipients to be a day old");
    for (const [rule, to, isRefused] of [
      ["CON-01", staying, false],
      ...(isSuccess(captured) ? ([["CON-02", together, false]] as const) : []),
      ["MSG-05", leaving, true],
    ] as const) {
      const exchange = admissible(await callSend(t, main, { to }));
      t.verify(rule, (codeOf(exchange) === code) === isRefused, {
        expected: isRefused
          ? `a refusal with ${code}, a day after STOP`
          : "a send a day after the consent was captured",
        actual: summaryOf(exchange),
        exchanges: [stopped, exchange],
      });
      if (!isRefused) t.control(exchange, "a send a day after the consent was captured");
    }
    // How long an opt-in counts is open; that an opt-out ends it is not.
    await tenant.advance(overYear, "an opt-out to be more than a year old");
    const later = admissible(await callSend(t, main, { to: leaving }));
    t.verify("MSG-05", codeOf(later) === code, {
      expected: `a refusal with ${code}, more than a year after STOP`,
      actual: summaryOf(later),
      exchanges: [stopped, later],
    });
    t.control(captured, "a batch of consents");
  },
});

/** Recipients who opt out by a reply, and in again. */
export const replies = check({
  id: "consent.replies",
  title: "Who replies STOP is sent nothing more, as who never opted in, and START takes it back",
  rules: ["MSG-05", "MSG-06", "MSG-07", "MSG-08", "MSG-09", "CON-04", "CON-07"],
  kind: "scenario",
  needs: ["inbound-text"],
  effects: ["creates", "spends", "sends"],
  draws: { ...sendDraws(34), consentRecords: 35 },
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const [leaving, staying] = t.numbers("repliers");
    for (const to of [leaving, staying]) {
      await optIn(t, main, to);
      t.control(admissible(await callSend(t, main, { to })), "a send to a recipient who has opted in");
    }
    const isRefused = (exchange: Exchange): boolean => codeOf(exchange) === code;
    const [unknown] = strangersOf(t);
    const stranger = admissible(await callSend(t, main, { to: unknown }));
    // Who shares the organization may have had the gate opened: it is closed by default.
    if (!tenant.fresh && !isRefused(stranger))
      throw new Blocked(`${unknown} can be sent to without a consent of this run`, "give the kit a new organization");
    // Captured again, alone and in a batch, where that is admitted, it is one consent still.
    await captureConsent(t, main, leaving);
    await captureBatch(t, main, [staying, leaving]);
    await tenant.arrange(inboundText, { from: leaving, text: "STOP" });
    const refusal = await sendUntil(t, main, { to: leaving }, isRefused);
    const evidence = { actual: summaryOf(refusal), exchanges: [refusal], admits: ["ConsentRequired"] } as const;
    t.verify("MSG-05", isRefused(refusal), { expected: `a refusal with ${code} after STOP`, ...evidence });
    t.verify("CON-04", isRefused(refusal), { expected: "the consent withdrawn by STOP", ...evidence });
    judgeRefusal(t, refusal);
    for (const { what, exchange } of isRefused(refusal) ? await attemptForms(t, main, leaving) : []) {
      t.verify("MSG-05", isRefused(exchange), {
        expected: `${what} to be refused with ${code} after STOP`,
        admits: ["ConsentRequired"],
        actual: summaryOf(exchange),
        exchanges: [refusal, exchange],
      });
      judgeRefusal(t, exchange);
    }
    const other = admissible(await callSend(t, main, { to: staying }));
    t.verify("CON-04", !isRefused(other), {
      expected: "a send to another recipient, who did not reply",
      actual: summaryOf(other),
      exchanges: [refusal, other],
    });
    t.control(other, "a send to another recipient, who did not reply");
    if (!isRefused(stranger) || !isRefused(refusal))
      throw new Blocked(
        "there are no two refusals for lack of consent to compare",
        "see MSG-04 and MSG-05 first",
        "server",
      );
    t.equal("MSG-08", "the status", statusOf(refusal), statusOf(stranger), stranger, refusal);
    await tenant.arrange(inboundText, { from: leaving, text: "START" });
    const again = await sendUntil(t, main, { to: leaving }, isNoLackOfConsent);
    t.verify("CON-07", !isRefused(again), {
      expected: "a send to who has replied START",
      actual: summaryOf(again),
      exchanges: [refusal, again],
    });
    if (isRefused(again)) return;
    await tenant.arrange(inboundText, { from: leaving, text: "STOP" });
    const last = await sendUntil(t, main, { to: leaving }, isRefused);
    t.verify("CON-04", isRefused(last), {
      expected: `a refusal with ${code} after a second STOP`,
      admits: ["ConsentRequired"],
      actual: summaryOf(last),
      exchanges: [again, last],
    });
  },
});

/** Organizations in which the check observes a refused send. */
const mostOrganizations = 3;

/** A send that is refused for lack of consent, and the days after the recipient has opted in. */
export const refusedForGood = check({
  id: "consent.refused-for-good",
  title: "A send that is refused for lack of consent creates no message after the recipient opts in",
  rules: ["MSG-11"],
  kind: "scenario",
  needs: ["state", "fresh-organization", "manual-clock"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(mostOrganizations),
  async run(t) {
    const [to] = strangersOf(t);
    await lastsLater(t, "MSG-11", {
      begin: async () => {
        const tenant = await t.tenant({ clock: "manual" });
        return { tenant, main: await tenant.main() };
      },
      act: async ({ main }) => {
        const exchange = await callSend(t, main, { to });
        if (codeOf(exchange) === code) return [exchange];
        throw new Blocked(`a send without consent was answered ${summaryOf(exchange)}`, "see MSG-04 first", "server");
      },
      proceed: ({ main }) => optIn(t, main, to),
    });
  },
});
