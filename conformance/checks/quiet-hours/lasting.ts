import { check } from "../../context/check.ts";
import { asTimePasses } from "../../steps/as-time-passes.ts";
import { quietAt, type Window } from "../../steps/local-time.ts";
import { callSend, optIn } from "../../steps/message.ts";
import { organizationTime } from "../../steps/organization-time.ts";

/** All hours but one, so that it is quiet now or two hours later. */
const window: Window = { start: "00:30", end: "23:30" };

/** Where no clock is put. */
const zone = "America/Phoenix";

/** Quiet hours that have been there for a while. */
export const lasting = check({
  id: "quiet-hours.lasting",
  title: "Quiet hours are heeded weeks later as on the first day",
  rules: ["MSG-24"],
  kind: "scenario",
  needs: ["quiet-hours", "manual-clock"],
  effects: ["creates", "spends", "sends"],
  draws: {},
  async run(t) {
    const tenant = await t.otherTenant({ clock: "manual", quiet_hours: { mode: "reject", ...window } });
    const main = await tenant.main();
    const [to] = t.numbers(zone);
    const judge = async (): Promise<void> => {
      // How long an opt-in counts is open.
      await optIn(t, main, to);
      if (quietAt(await organizationTime(tenant), zone, window) !== true)
        await tenant.advance(2 * 3600, "an hour at which it is quiet");
      t.refused("MSG-24", await callSend(t, main, { to }), "QuietHours");
    };
    await judge();
    await asTimePasses(tenant, "an organization's quiet hours", judge);
  },
});
