import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { rowNamed } from "../../exchange/admits.ts";
import { codeOf, type Exchange, summaryOf } from "../../exchange/exchange.ts";
import type { Credential } from "../../provision/tenant.ts";
import { asTimePasses } from "../../steps/as-time-passes.ts";
import { askRecipient, longestAnswer } from "../../steps/double-opt-in.ts";
import { callHostedForm } from "../../steps/hosted-form.ts";
import { callSend, optIn } from "../../steps/message.ts";

const { code } = rowNamed("ConsentRequired");

/** Ways to ask for a consent, each with the rule that to be asked is none. */
const ways = {
  "CON-03": (t: CheckContext, as: Credential, number: string): Promise<Exchange> => askRecipient(t, as, number),
  "CON-38": async (t: CheckContext, as: Credential, number: string): Promise<Exchange> =>
    t.control(await callHostedForm(t, as, number), `making a hosted form for ${number}`),
} as const;

/** Recipients who were asked a while ago, and who have never answered. */
export const unansweredLater = check({
  id: "consent.unanswered-later",
  title: "Who has never answered cannot be sent to later either, when it is too late to answer, nor when asked anew",
  rules: ["CON-03", "CON-38"],
  kind: "scenario",
  needs: ["fresh-organization", "manual-clock"],
  effects: ["creates", "spends", "sends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const [consenting] = t.numbers("recipients");
    await optIn(t, main, consenting);
    t.control(await callSend(t, main, { to: consenting }), "a send to a recipient who has opted in");
    const recipients = { "CON-03": t.numbers("silent")[0], "CON-38": t.numbers("forms")[0] } as const;
    const rules = ["CON-03", "CON-38"] as const;
    // The second time the first one has expired.
    for (const time of ["once", "again"])
      for (const rule of rules) {
        const to = recipients[rule];
        const asked = await ways[rule](t, main, to);
        const judge = async (): Promise<void> => {
          const exchange = await callSend(t, main, { to });
          t.verify(rule, codeOf(exchange) === code, {
            expected: `a refusal with ${code}, as ${to} was asked ${time} and has not answered`,
            admits: ["ConsentRequired"],
            actual: summaryOf(exchange),
            exchanges: [asked, exchange],
          });
        };
        await judge();
        await asTimePasses(tenant, "what a recipient was asked", judge);
        await tenant.advance(longestAnswer, "it to be too late for an answer");
        await judge();
      }
  },
});
