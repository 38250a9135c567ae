import { check } from "../../context/check.ts";
import { untilAtRest } from "../../steps/effect-of.ts";
import { balanceOf } from "../../steps/lookup.ts";
import { aheadSeconds, sendDraws, takeLater, takeMessage } from "../../steps/message.ts";

/** Seconds in which a due message is sent, and a daily job runs after that. */
const sentWithin = [3600, 2 * 86_400] as const;

/** Messages whose charges are seen from when they are taken until they have been sent. */
export const chargedOnce = check({
  id: "messages.charged-once",
  title: "A message that waits for its time is not charged again when that comes",
  rules: ["MSG-91"],
  kind: "scenario",
  needs: ["state", "manual-clock"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(2),
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const costOf = async (take: typeof takeMessage, wait: number) => {
      await untilAtRest(t, tenant);
      const before = await balanceOf(tenant);
      const { exchange } = await take(t, main);
      for (const seconds of [wait, ...sentWithin]) await tenant.advance(seconds, "the time of a message");
      await untilAtRest(t, tenant);
      return { exchange, cost: before - (await balanceOf(tenant)) };
    };
    const atOnce = await costOf(takeMessage, 0);
    const later = await costOf(takeLater, aheadSeconds + 1);
    t.equal("MSG-91", "millionths of a US dollar", later.cost, atOnce.cost, atOnce.exchange, later.exchange);
  },
});
