import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { rowNamed } from "../../exchange/admits.ts";
import { codeOf, dataOf, type Exchange, isSuccess, objectOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { callHostedForm } from "../../steps/hosted-form.ts";
import { admissible, callSend, optIn, sendDraws } from "../../steps/message.ts";
import { openPage } from "../../steps/open-page.ts";
import { numberCount } from "../../target/phone-numbers.ts";

const { code } = rowNamed("ConsentRequired");

/** Recipients for whom there is a form that nobody has submitted. */
export const unsubmittedForm = check({
  id: "consent.unsubmitted-form",
  title: "Making a hosted form is no consent of its recipient, nor is opening it",
  rules: ["CON-38"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(1 + 2 * numberCount("forms")),
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const [consenting] = t.numbers("recipients");
    await optIn(t, main, consenting);
    t.control(admissible(await callSend(t, main, { to: consenting })), "a send to a recipient who has opted in");
    for (const to of t.numbers("forms")) {
      const made = t.control(await callHostedForm(t, main, to), `making a hosted form for ${to}`);
      const judge = async (unless: string, isVague: boolean): Promise<void> => {
        const sent = await callSend(t, main, { to });
        // A caller who was given everything has neither too few scopes nor too little money.
        const exchange = tenant.fresh ? sent : admissible(sent);
        t.verify("CON-38", codeOf(exchange) === code, {
          expected: `a refusal with ${code} while ${unless}`,
          admits: ["ConsentRequired"],
          actual: summaryOf(exchange),
          exchanges: [made, exchange],
          // Who shares the organization may know the number, or have had the gate opened.
          warnOnly: isVague || !tenant.fresh,
        });
        if (!tenant.fresh && isSuccess(exchange))
          throw new Blocked(`${to} can be sent to without a submission`, "give the kit a new organization");
      };
      await judge("nobody has submitted the form", false);
      const status = await openPage(addressIn(t, made), made);
      // Programs open links too, yet the document does not say what a form asks of its recipient.
      if (status !== null && status < 300) await judge("the form was opened and nobody has submitted it", true);
    }
  },
});

/** Where a form is; null where the answer does not tell. */
function addressIn(t: CheckContext, made: Exchange): string | null {
  const { url } = objectOf(t.shapeResponse("createHostedForm", dataOf(made))) ?? {};
  return typeof url === "string" ? url : null;
}
