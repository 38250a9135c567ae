import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import type { Tenant } from "../../provision/tenant.ts";
import { untilAtRest } from "../../steps/effect-of.ts";
import { type LaterCourse, lastsLater } from "../../steps/later-state.ts";
import { balanceOf } from "../../steps/lookup.ts";
import { callCancel, sendDraws, takeLater, takeMessage } from "../../steps/message.ts";

/** Organizations that the check observes for each rule. */
const mostOrganizations = 3;

/** A message that was canceled, in a new organization. */
function canceledMessage(
  t: CheckContext,
): Omit<LaterCourse<{ readonly tenant: Tenant; readonly before: number }>, "isKept"> {
  return {
    begin: async () => {
      const tenant = await t.tenant({ clock: "manual" });
      // Only a wallet that paid for another message can show a refund above the price of this one.
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

/** Refunds of a canceled message. */
export const refundedOnce = check({
  id: "messages.refund-later",
  title: "The server refunds no more than the price of a canceled message, also hours and days later",
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

/** Charges for a canceled message. */
export const chargedNoMore = check({
  id: "messages.canceled-charge-later",
  title: "A canceled message is not charged hours or days later",
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
      // The API document does not state the price of a cancellation, or the time of its charge.
      { warnOnly: true, question: "Q97" },
    );
  },
});
