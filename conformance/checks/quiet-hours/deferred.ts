import { operations } from "../../../generated/operations.ts";
import { check } from "../../context/check.ts";
import type { RecipientZone } from "../../context/recipient-zones.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { deferringNight } from "../../steps/deferring-night.ts";
import { quietEnd } from "../../steps/local-time.ts";
import {
  callCancel,
  callSend,
  messageIn,
  optIn,
  sendDraws,
  settledStatus,
  statusOfMessage,
} from "../../steps/message.ts";
import { organizationTime } from "../../steps/organization-time.ts";
import { judgeDeferral, judgeUndeferred } from "./judge-deferral.ts";

const { quiet_hours: window } = deferringNight;
const quietZones: readonly RecipientZone[] = ["America/Halifax", "America/New_York", "America/Chicago"];
const wakingZones: readonly RecipientZone[] = ["America/Los_Angeles", "Pacific/Honolulu"];

/** What it takes to send, and no more. */
const { scope: sendScope } = operations.sendMessage;

/** Seconds that a deferred message waits before it is canceled: in each zone it is still quiet after all of them. */
const whileQuiet = 600;

/** Seconds after which quiet hours are over in each zone, and what waited for that has been sent. */
const untilSent = 12 * 3600;

/** Sends at one instant to recipients of several zones, by an organization that defers. */
export const deferred = check({
  id: "quiet-hours.deferred",
  title: "In quiet hours a send that is deferred waits until they are over, and can be canceled; elsewhere it is taken",
  rules: ["MSG-04", "MSG-32", "MSG-33", "MSG-34", "MSG-38", "MSG-39", "MSG-46", "MSG-56", "MSG-93"],
  kind: "scenario",
  needs: ["quiet-hours", "manual-clock", "chosen-time"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(2 * quietZones.length + wakingZones.length),
  sharedKeys: [[sendScope]],
  async run(t) {
    const tenant = await t.tenant(deferringNight);
    const main = await tenant.main();
    // A send that waits is refused for what it lacks when it is asked for, not when its time comes.
    for (const zone of quietZones)
      t.refused("MSG-04", await callSend(t, main, { to: t.numbers(zone)[0] }), "ConsentRequired");
    for (const zone of [...wakingZones, ...quietZones]) await optIn(t, main, t.numbers(zone)[0]);
    for (const zone of wakingZones) {
      const at = await organizationTime(tenant);
      await judgeUndeferred(t, main, await callSend(t, main, { to: t.numbers(zone)[0] }), at);
    }
    const sender = await tenant.keyWith([sendScope]);
    for (const zone of quietZones) {
      const bypassing = await callSend(t, sender, { to: t.numbers(zone)[0], bypass_quiet_hours: true });
      t.refused("MSG-34", bypassing, "QuietHoursBypassForbidden");
    }
    const canceled: { readonly id: string; readonly status: string; readonly exchange: Exchange }[] = [];
    for (const zone of quietZones) {
      const at = await organizationTime(tenant);
      const exchange = await callSend(t, main, { to: t.numbers(zone)[0] });
      await judgeDeferral(t, main, exchange, { at, zone, window });
      if (!isSuccess(exchange)) continue;
      // What waits for the end of quiet hours is not claimed before.
      await tenant.advance(whileQuiet, "some minutes of quiet hours");
      const { id } = messageIn(t, exchange);
      const before = await statusOfMessage(t, main, id);
      const cancellation = await callCancel(t, main, id);
      if (!t.accepted("MSG-39", cancellation)) continue;
      const after = await settledStatus(t, main, id, before.status);
      const isCanceled = t.verify("MSG-39", after.status !== before.status, {
        expected: `another status than ${before.status} of a deferred message that was canceled`,
        actual: after.status,
        exchanges: [exchange, cancellation, after.exchange],
      });
      if (isCanceled) canceled.push({ id, status: after.status, exchange: cancellation });
    }
    await tenant.advance(untilSent, "the time of deferred messages");
    for (const { id, status, exchange } of canceled) {
      const later = await statusOfMessage(t, main, id);
      t.equal("MSG-46", "the status of a canceled message", later.status, status, exchange, later.exchange);
    }
  },
});

/** Seconds before the end of quiet hours at which a message still waits. The moment of the send is an open question. */
const beforeEndSeconds = 1800;

/** Deferred messages shortly before the end of quiet hours. */
export const waitsUntilEnd = check({
  id: "quiet-hours.waits-until-end",
  title: "A deferred message still waits, and can be canceled, minutes before quiet hours end",
  rules: ["MSG-33"],
  kind: "scenario",
  needs: ["quiet-hours", "manual-clock", "chosen-time"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(2 * quietZones.length),
  async run(t) {
    const tenant = await t.tenant(deferringNight);
    const main = await tenant.main();
    const waiting: {
      readonly id: string;
      readonly zone: RecipientZone;
      readonly end: number;
      readonly sent: Exchange;
    }[] = [];
    for (const zone of quietZones) {
      const to = t.numbers(zone)[0];
      await optIn(t, main, to);
      // The control request: a deferred message that is canceled at once.
      const canceled = t.control(await callSend(t, main, { to }), `a send to ${zone}`);
      t.control(await callCancel(t, main, messageIn(t, canceled).id), "cancelling a deferred message");
      const end = quietEnd(await organizationTime(tenant), zone, window);
      const sent = t.control(await callSend(t, main, { to }), `a send to ${zone}`);
      waiting.push({ ...messageIn(t, sent), zone, end, sent });
    }
    for (const { id, zone, end, sent } of waiting.toSorted((one, other) => one.end - other.end)) {
      const seconds = (end - (await organizationTime(tenant))) / 1000 - beforeEndSeconds;
      if (seconds > 0) await tenant.advance(seconds, "the last minutes of quiet hours");
      const cancellation = await callCancel(t, main, id);
      t.verify("MSG-33", !answeredBy(cancellation, "MessageNotCancelable"), {
        expected: `a message that waits, as quiet hours in ${zone} end in ${beforeEndSeconds / 60} minutes`,
        actual: summaryOf(cancellation),
        exchanges: [sent, cancellation],
      });
    }
  },
});
