import { check } from "../../context/check.ts";
import { dataOf, isSuccess, objectOf, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { callSend, messageIn, optIn, readMessage, sendDraws } from "../../steps/message.ts";
import { organizationTime } from "../../steps/organization-time.ts";
import { shownStatus } from "../../steps/shown-status.ts";
import { localTime, quietAt, quietEnd } from "./local-time.ts";
import { type RecipientZone, recipientIn } from "./recipients.ts";

const window = { start: "22:00", end: "06:45" };

/** In the evening of New York: 23:30 there. */
const evening = "2026-06-15T03:30:00.000Z";
const quietZones: readonly RecipientZone[] = ["America/Halifax", "America/New_York", "America/Chicago"];
const wakingZones: readonly RecipientZone[] = ["America/Los_Angeles", "Pacific/Honolulu"];

/** What the contract shows a deferred send to be answered with. */
const deferredStatus = shownStatus("send request", "none", "scheduled");

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
    for (const zone of [...wakingZones, ...quietZones]) await optIn(t, main, recipientIn[zone]);
    for (const zone of wakingZones) t.accepted("MSG-38", await callSend(t, main, { to: recipientIn[zone] }));
    for (const zone of quietZones) {
      const at = await organizationTime(tenant);
      const exchange = await callSend(t, main, { to: recipientIn[zone] });
      t.verify("MSG-32", isSuccess(exchange) && statusOf(exchange) === deferredStatus, {
        expected: `a send to ${zone} taken with ${deferredStatus}`,
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
      if (!isSuccess(exchange)) continue;
      const read = t.control(await readMessage(t, main, messageIn(t, exchange).id), "reading the message");
      const { scheduled_at: told } = objectOf(t.shapeResponse("getMessage", dataOf(read))) ?? {};
      const scheduled = typeof told === "string" ? Date.parse(told) : Number.NaN;
      if (Number.isNaN(scheduled))
        throw new Blocked(
          "a deferred message does not show when it is scheduled for",
          "say where it stands: shapes in the target file",
          "server",
        );
      const shown = { actual: `${told}, when it is ${localTime(scheduled, zone)} there`, exchanges: [exchange, read] };
      t.verify("MSG-33", scheduled > at && quietAt(scheduled, zone, window) !== true, {
        expected: `a time to come that is not in the quiet hours of ${zone}, ${window.start} to ${window.end}`,
        ...shown,
      });
      const due = quietEnd(at, zone, window);
      t.verify("MSG-56", Math.abs(scheduled - due) <= 60_000, {
        expected: `${new Date(due).toISOString()}, when it is ${window.end} in ${zone}`,
        ...shown,
      });
    }
  },
});
