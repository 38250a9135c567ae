import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { errorOf, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { callCancel, sendDraws, statusOfMessage, statusOnce, takeLater, takeMessage } from "../../steps/message.ts";

/** Seconds by which a clock of the kit's is moved after each send: what is due at once, and what is long over. */
const waits = [0, 3600] as const;

/**
 * Decides what a cancellation gives whose message is claimed, at its end, or neither yet; which of the first two it is
 * cannot be told from outside. False where the message could still be canceled, as a slow platform allows.
 */
async function judgeOverdue(
  t: CheckContext<"MSG-41" | "MSG-42" | "MSG-44">,
  as: Credential,
  id: string,
): Promise<boolean> {
  const exchange = await callCancel(t, as, id);
  if (isSuccess(exchange)) return false;
  const isRefused = answeredBy(exchange, "MessageNotCancelable");
  for (const rule of ["MSG-41", "MSG-42"] as const)
    t.verify(rule, isRefused, {
      expected: "a message whose time has come to be canceled, or to be refused as not cancelable",
      actual: summaryOf(exchange),
      exchanges: [exchange],
    });
  if (isRefused) t.equal("MSG-44", "error.details", errorOf(exchange)?.details, undefined, exchange);
  return true;
}

/** Messages whose time has come, which takes no arrangement: claimed and at their end are decided together. */
export const overdueCancellation = check({
  id: "messages.overdue-cancellation",
  title: "A message that was sent some time ago cannot be canceled, claimed for sending or at its end",
  rules: ["MSG-41", "MSG-42", "MSG-44"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(1 + waits.length),
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    t.control(await callCancel(t, main, (await takeLater(t, main)).id), "cancelling a message");
    const kept: string[] = [];
    for (const seconds of waits) {
      const { id } = await takeMessage(t, main);
      if (tenant.manualClock) await tenant.advance(seconds, "the time of a message");
      else {
        const taken = await statusOfMessage(t, main, id);
        await statusOnce(t, main, id, (status) => status !== taken.status);
      }
      if (await judgeOverdue(t, main, id)) kept.push(id);
    }
    // What was claimed then may be at its end by now.
    for (const id of kept) await judgeOverdue(t, main, id);
    if (kept.length > 0) return;
    throw new Blocked(
      "messages that were sent at once could still be canceled when their time had come",
      "see whether the target sends them, or give the kit a move_message hook",
      "environment",
    );
  },
});
