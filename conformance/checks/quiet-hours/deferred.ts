import { check } from "../../context/check.ts";
import { callSend, optIn, sendDraws } from "../../steps/message.ts";
import { organizationTime } from "../../steps/organization-time.ts";
import { judgeDeferral, judgeUndeferred } from "./judge-deferral.ts";
import type { RecipientZone } from "./recipients.ts";

const window = { start: "22:00", end: "06:45" };

/** In the evening of New York: 23:30 there. */
const evening = "2026-06-15T03:30:00.000Z";
const quietZones: readonly RecipientZone[] = ["America/Halifax", "America/New_York", "America/Chicago"];
const wakingZones: readonly RecipientZone[] = ["America/Los_Angeles", "Pacific/Honolulu"];

/** Sends at one instant to recipients of several zones, by an organization that defers. */
export const deferred = check({
  id: "quiet-hours.deferred",
  title: "In quiet hours a send that is deferred is scheduled for when they are over, elsewhere it is taken",
  rules: ["MSG-32", "MSG-33", "MSG-38", "MSG-56"],
  kind: "scenario",
  needs: ["quiet-hours", "manual-clock", "chosen-time"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(quietZones.length + wakingZones.length),
  async run(t) {
    const tenant = await t.tenant({
      clock: "manual",
      starts_at: evening,
      quiet_hours: { mode: "defer", ...window },
    });
    const main = await tenant.main();
    for (const zone of [...wakingZones, ...quietZones]) await optIn(t, main, t.numbers(zone)[0]);
    for (const zone of wakingZones) {
      const at = await organizationTime(tenant);
      await judgeUndeferred(t, main, await callSend(t, main, { to: t.numbers(zone)[0] }), at);
    }
    for (const zone of quietZones) {
      const at = await organizationTime(tenant);
      const exchange = await callSend(t, main, { to: t.numbers(zone)[0] });
      await judgeDeferral(t, main, exchange, { at, zone, window });
    }
  },
});
