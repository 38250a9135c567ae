import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { summaryOf } from "../../exchange/exchange.ts";
import { NotApplicable } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { untilAtRest } from "../../steps/effect-of.ts";
import { balanceOf } from "../../steps/lookup.ts";
import { callSend, takeLater, timeAhead } from "../../steps/message.ts";

/** What a message costs and what is left then, in millionths of a US dollar. */
async function chargedMessage(t: CheckContext, as: Credential) {
  const before = await balanceOf(as.tenant);
  await takeLater(t, as);
  // The charge may come later than the answer.
  await untilAtRest(t, as.tenant);
  const left = await balanceOf(as.tenant);
  return { cost: before - left, left };
}

/** What a message costs, and no more. */
export const lastCredit = check({
  id: "messages.last-credit",
  title: "A wallet that holds exactly what a message costs covers it",
  rules: ["MSG-01"],
  kind: "scenario",
  needs: ["state", "wallet"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const { cost: price } = await chargedMessage(t, await (await t.tenant({ clock: "manual" })).main());
    if (price <= 0) throw new NotApplicable("a message that waits for its time is charged nothing yet");
    // Organizations may differ in what they pay: it counts what this one has paid for the same.
    const main = await (await t.otherTenant({ clock: "manual", wallet_micros: 2 * price })).main();
    const { cost, left } = await chargedMessage(t, main);
    if (left < cost)
      throw new NotApplicable(`a message cost ${price} millionths of a US dollar, and ${cost} elsewhere`);
    const last = await callSend(t, main, { scheduled_at: await timeAhead(main.tenant) });
    t.verify("MSG-01", !answeredBy(last, "InsufficientCredit"), {
      expected: `a message for ${cost} millionths of a US dollar, of which there are ${left}`,
      actual: summaryOf(last),
      exchanges: [last],
      // What a wallet must hold for a send the document does not say: more may be reserved than is charged in the end.
      question: "Q89",
    });
  },
});
