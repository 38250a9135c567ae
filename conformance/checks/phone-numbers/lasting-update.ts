import { check, sharedStock } from "../../context/check.ts";
import { asTimePasses } from "../../steps/as-time-passes.ts";
import { orderNumber, shownNumber, updateNumber } from "../../steps/phone-number.ts";
import { eventuallyByClock } from "../../steps/settle.ts";

const update = {
  label: "lasting",
  inbound_url: "https://receiver.example.com/lasting/inbound",
  status_url: "https://receiver.example.com/lasting/status",
} as const;

/** What a number was given a while ago. */
export const lastingUpdate = check({
  id: "phone-numbers.lasting-update",
  title: "What an update gave to a number shows weeks later as on the first day",
  rules: ["NUM-38"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["manual-clock"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const { id } = await orderNumber(t, main);
    const exchange = t.control(await updateNumber(t, main, id, update), "updating a number");
    const shown = async () => {
      const { label, inbound_url, status_url } = await shownNumber(t, main, id);
      return { label, inbound_url, status_url };
    };
    await eventuallyByClock(t, tenant, "the update of a number", async () =>
      (await shown()).label === update.label ? true : null,
    );
    t.equal("NUM-38", "the number", await shown(), update, exchange);
    await asTimePasses(tenant, "the label of a number", async () =>
      t.equal("NUM-38", "the number", await shown(), update, exchange),
    );
  },
});
