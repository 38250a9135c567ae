import { check } from "../../context/check.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { isFrontRefusal } from "../../exchange/front-refusal.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { refusesBody } from "../../steps/body-refusals.ts";
import { ownDelivery } from "../../steps/own-delivery.ts";
import { callReplay, replay } from "../../steps/replay.ts";

/** Texts of every sort; how long a reason may be is open, and so is whether it may be empty. */
const reasons: readonly string[] = [
  ...["Zoë \u00c4\u00d6\u00dc 日本語 🙂", 'quotes " and \\ and </p> & %00', "two\nlines", "x"],
  ...["", "   ", "a\u0000b", "x".repeat(300), "x".repeat(5_000)],
];

/** Characters of a plain reason at most. */
const plainLength = 100;

/** Returns true if a reason is plain: one line that is neither blank nor long. */
const isPlain = (reason: string): boolean =>
  reason.trim() !== "" && reason.length <= plainLength && !/\p{Cc}/u.test(reason);

/** Reasons with all that a text may hold. */
export const richReasons = check({
  id: "deliveries.rich-reasons",
  title: "A reason of whatever text is taken, or refused as an invalid field",
  rules: ["WHP-10", "WHP-35"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { deliveryReplays: 1 + reasons.length },
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const { id } = await ownDelivery(t, main);
    await replay(t, main, id);
    for (const reason of reasons) {
      const exchange = await callReplay(t, main, id, { reason });
      const what = `the reason ${JSON.stringify(reason.slice(0, 40))} of ${reason.length} characters`;
      const hasNul = reason.includes("\u0000");
      // Some databases and fronts take no NUL, and such a text may count as a malformed body.
      const isNulRefusal = hasNul && (isFrontRefusal(exchange) || refusesBody(exchange));
      t.verify("WHP-35", isSuccess(exchange) || answeredBy(exchange, "ValidationFailed") || isNulRefusal, {
        expected: `a success for ${what}, or a refusal of the field`,
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
      if (!isPlain(reason)) continue;
      t.verify("WHP-10", isSuccess(exchange), {
        expected: `a success for ${what}`,
        actual: summaryOf(exchange),
        exchanges: [exchange],
        question: "Q70",
      });
    }
  },
});
