import { inboundText } from "../../arrangements/inbound-text.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { rowNamed } from "../../exchange/admits.ts";
import { codeOf, type Exchange, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { captureBatch, captureConsent } from "../../steps/consent.ts";
import { callDoubleOptIn, confirmation } from "../../steps/double-opt-in.ts";
import { admissible, isNoLackOfConsent, sendDraws, sendUntil } from "../../steps/message.ts";

const { code } = rowNamed("ConsentRequired");
const lacksConsent = (exchange: Exchange): boolean => codeOf(exchange) === code;

/** What is done of a recipient's consent, or said by the recipient. */
type Step = "captured" | "captured in a batch" | "asked by double opt-in" | "YES" | "START" | "STOP";

/**
 * What went before a last STOP, each way with the rule that says it for that way alone. Whether a step is taken, and what
 * it leads to, is open: a recipient who could not be sent to before the last STOP shows nothing.
 */
const courses: readonly { readonly rule: "CON-04" | "CON-34" | "MSG-05"; readonly steps: readonly Step[] }[] = [
  { rule: "MSG-05", steps: ["captured", "STOP", "START"] },
  { rule: "MSG-05", steps: ["captured in a batch", "STOP", "START", "captured"] },
  { rule: "CON-04", steps: ["asked by double opt-in", "captured"] },
  { rule: "CON-04", steps: ["captured", "asked by double opt-in"] },
  { rule: "CON-34", steps: ["asked by double opt-in", "YES", "captured"] },
  { rule: "CON-34", steps: ["captured", "asked by double opt-in", "YES", "captured in a batch"] },
];

/** Does a step, whatever it is answered. */
async function take(t: CheckContext, as: Credential, to: string, step: Step): Promise<unknown> {
  switch (step) {
    case "captured":
      return captureConsent(t, as, to);
    case "captured in a batch":
      return captureBatch(t, as, [to]);
    case "asked by double opt-in":
      return callDoubleOptIn(t, as, to);
    case "YES":
      return as.tenant.arrange(inboundText, { from: to, text: confirmation });
    case "START":
    case "STOP":
      return as.tenant.arrange(inboundText, { from: to, text: step });
  }
}

/** Recipients whose consent has come in several ways, or come back, and who leave in the end. */
export const leftAtLast = check({
  id: "consent.left-at-last",
  title: "Who replies STOP at last can be sent to no more, in however many ways they had opted in before",
  rules: ["CON-04", "CON-34", "MSG-05"],
  kind: "scenario",
  needs: ["inbound-text", "fresh-organization"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(6 * courses.length),
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const shown = new Set<string>();
    for (const [index, { rule, steps }] of courses.entries()) {
      const to = [...t.numbers("repliers"), ...t.numbers("answering"), ...t.numbers("batched")][index] ?? "";
      for (const step of steps) await take(t, main, to, step);
      const before = admissible(await sendUntil(t, main, { to }, isNoLackOfConsent));
      if (lacksConsent(before)) continue;
      t.control(before, `a send to a recipient who was ${steps.join(", ")}`);
      await take(t, main, to, "STOP");
      const after = await sendUntil(t, main, { to }, lacksConsent);
      t.verify(rule, lacksConsent(after), {
        expected: `a refusal with ${code} after ${[...steps, "STOP"].join(", ")}`,
        admits: ["ConsentRequired"],
        actual: summaryOf(after),
        exchanges: [before, after],
      });
      shown.add(rule);
    }
    if (shown.size < 3)
      throw new Blocked(
        `of ${courses.length} recipients too few could be sent to before they replied STOP`,
        "see CON-01, CON-07 and CON-30 first",
        "server",
      );
  },
});
