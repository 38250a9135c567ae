import { inboundText } from "../../arrangements/inbound-text.ts";
import { check } from "../../context/check.ts";
import { rowNamed } from "../../exchange/admits.ts";
import { codeOf, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import { admissible, callSend, optIn, sendDraws, sendUntil } from "../../steps/message.ts";

const { code } = rowNamed("ConsentRequired");

/** Spellings of an E.164 number that some servers read as the same number. */
const spellingsOf = (number: string): readonly string[] => {
  const [country, area, exchange, line] = [number.slice(0, 2), number.slice(2, 5), number.slice(5, 8), number.slice(8)];
  return [
    `${country} ${area} ${exchange} ${line}`,
    `${country}-${area}-${exchange}-${line}`,
    `${country} (${area}) ${exchange}-${line}`,
    `${country}.${area}.${exchange}.${line}`,
    ` ${number} `,
    number.slice(1),
    `00${number.slice(1)}`,
    `tel:${number}`,
  ];
};

/** A recipient who has opted out, and whose number a send spells in another way. */
export const otherSpellings = check({
  id: "consent.other-spellings",
  title:
    "A send to a recipient who has replied STOP is refused in every spelling of the number that was accepted before",
  rules: ["MSG-05"],
  kind: "scenario",
  needs: ["fresh-organization", "inbound-text"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(2 + 2 * spellingsOf("+12025550137").length),
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const [to] = t.numbers("repliers");
    await optIn(t, main, to);
    t.control(admissible(await callSend(t, main, { to })), "a send to a recipient who has opted in");
    const accepted: string[] = [];
    for (const spelling of spellingsOf(to))
      if (isSuccess(await callSend(t, main, { to: spelling }))) accepted.push(spelling);
    if (accepted.length === 0) throw new NotApplicable("the target accepts a number in one spelling only");
    await tenant.arrange(inboundText, { from: to, text: "STOP" });
    const stopped = await sendUntil(t, main, { to }, (exchange) => codeOf(exchange) === code);
    if (codeOf(stopped) !== code)
      throw new Blocked(`a send after STOP was answered ${summaryOf(stopped)}`, "see MSG-05 first", "server");
    for (const spelling of accepted) {
      const exchange = await callSend(t, main, { to: spelling });
      t.verify("MSG-05", !isSuccess(exchange), {
        expected: `a refusal of a send to ${JSON.stringify(spelling)}, as of one to ${to}`,
        admits: ["ConsentRequired"],
        actual: summaryOf(exchange),
        exchanges: [stopped, exchange],
      });
    }
  },
});
