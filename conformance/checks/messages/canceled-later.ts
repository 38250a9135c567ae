import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import type { Tenant } from "../../provision/tenant.ts";
import { untilAtRest } from "../../steps/effect-of.ts";
import { type LaterCourse, lastsLater } from "../../steps/later-state.ts";
import { balanceOf } from "../../steps/lookup.ts";
import { callCancel, sendDraws, takeLater, takeMessage } from "../../steps/message.ts";

/** Organizations that are watched for each rule. */
const mostOrganizations = 3;

/** A message that was canceled, in a new organization. */
function canceledMessage(
  t: CheckContext,
): Omit<LaterCourse<{ readonly tenant: Tenant; readonly before: number }>, "isKept"> {
  return {
    begin: async () => {
      const tenant = await t.tenant({ clock: "manual" });
      // A wallet that paid for another message can be given back more than this one cost.
      await takeMessage(t, await tenant.main());
      await tenant.advance(3600, "a message to be sent");
      await untilAtRest(t, tenant);
      return { tenant, before: await balanceOf(tenant) };
    },
    act: async ({ tenant }): Promise<readonly Exchange[]> => {
      const main = await tenant.main();
      const { id, exchange } = await takeLater(t, main);
      await untilAtRest(t, tenant);
      const canceled = t.control(await callCancel(t, main, id), "cancelling a message");
      await untilAtRest(t, tenant);
      return [exchange, canceled];
    },
  };
}

/** Money that comes back for a canceled message. */
export const refundedOnce = check({
  id: "messages.refund-later",
  title: "For a canceled message the wallet gets back no more than it paid, hours and days later too",
  rules: ["MSG-52"],
  kind: "scenario",
  needs: ["state", "manual-clock"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(2 * mostOrganizations),
  async run(t) {
    await lastsLater(t, "MSG-52", {
      ...canceledMessage(t),
      isKept: (later, _, { before }) => later.wallet_micros <= before,
    });
  },
});

/** Money that is taken for a message that nobody is to get. */
export const chargedNoMore = check({
  id: "messages.canceled-charge-later",
  title: "A canceled message is not charged hours or days later, as one that was sent",
  rules: ["MSG-46"],
  kind: "scenario",
  needs: ["state", "manual-clock"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(2 * mostOrganizations),
  async run(t) {
    await lastsLater(
      t,
      "MSG-46",
      { ...canceledMessage(t), isKept: (later, earlier) => later.wallet_micros >= earlier.wallet_micros },
      // The document does not say what a cancellation costs, or when that is charged.
      { warnOnly: true, question: "Q97" },
    );
  },
});
