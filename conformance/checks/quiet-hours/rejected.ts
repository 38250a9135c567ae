import { scopeNamed } from "../../../generated/scopes.ts";
import { signedInUser } from "../../arrangements/signed-in-user.ts";
import { userOf } from "../../context/caller-of.ts";
import { check } from "../../context/check.ts";
import type { RecipientZone } from "../../context/recipient-zones.ts";
import { summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy, hasCodeOf } from "../../steps/answered-by.ts";
import { leftAsItWas, watchingEffects } from "../../steps/effect-of.ts";
import { judgeEach } from "../../steps/judge-each.ts";
import { callSend, optIn, type SendWish, sendDraws } from "../../steps/message.ts";
import { organizationTime } from "../../steps/organization-time.ts";
import { longBody, refusesCaller, sendWays } from "../../steps/send-forms.ts";
import { withoutEffect } from "../../steps/without-effect.ts";
import { judgeRefusal } from "./judge-refusal.ts";

const window = { start: "21:30", end: "07:15" };

/** In the evening of New York: 23:00 there. */
const evening = "2026-01-15T04:00:00.000Z";
const quietZones: readonly [RecipientZone, ...RecipientZone[]] = [
  "America/Halifax",
  "America/New_York",
  "America/Chicago",
];
const wakingZones: readonly RecipientZone[] = ["America/Denver", "America/Los_Angeles", "Pacific/Honolulu"];

const hour = 3_600_000;

/** An instant by a clock that is three hours and a half behind UTC. */
const inNewfoundland = (at: number): string => new Date(at - 3.5 * hour).toISOString().replace("Z", "-03:30");

/** Sends at one instant to recipients of several zones, by an organization that rejects. */
export const rejected = check({
  id: "quiet-hours.rejected",
  title: "In quiet hours by a recipient's clock a send is refused and says when to send next, elsewhere it is taken",
  rules: ["MSG-24", "MSG-25", "MSG-26", "MSG-27", "MSG-28", "MSG-29", "MSG-31", "MSG-36", "MSG-38", "MSG-55"],
  kind: "scenario",
  needs: ["quiet-hours", "manual-clock", "chosen-time"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(8 * quietZones.length + wakingZones.length),
  async run(t) {
    const tenant = await t.tenant({
      clock: "manual",
      starts_at: evening,
      quiet_hours: { mode: "reject", ...window },
    });
    const main = await tenant.main();
    const user = tenant.can(signedInUser) ? await userOf(tenant) : null;
    for (const zone of wakingZones) {
      await optIn(t, main, t.numbers(zone)[0]);
      const exchange = await callSend(t, main, { to: t.numbers(zone)[0] });
      t.verify("MSG-29", !answeredBy(exchange, "QuietHours"), {
        expected: `a send to ${zone}, where it is not quiet, not to be refused for quiet hours`,
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
      t.accepted("MSG-38", exchange);
    }
    await judgeEach(quietZones, async (zone) => {
      const [to] = t.numbers(zone);
      await optIn(t, main, to);
      const at = await organizationTime(tenant);
      const exchange = await callSend(t, main, { to });
      t.verify("MSG-29", answeredBy(exchange, "QuietHours"), {
        expected: `a send to ${zone}, where it is quiet, refused for quiet hours`,
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
      const next = judgeRefusal(t, exchange, { at, zone, window });
      t.refused("MSG-24", await callSend(t, main, { to }), "QuietHours");
      const users = user === null ? null : await callSend(t, user, { to });
      if (users !== null && !refusesCaller(users)) t.refused("MSG-24", users, "QuietHours");
      const bypassing = await callSend(t, main, { to, bypass_quiet_hours: true });
      const isForbidden = answeredBy(bypassing, "QuietHoursBypassForbidden");
      // A hook may have made a key that may less, and need not say so.
      if (isForbidden && main.scopes?.includes(scopeNamed.messagesBypassQuietHours) !== true)
        throw new Blocked(
          "the key of the organization may not bypass quiet hours",
          `have it made with ${scopeNamed.messagesBypassQuietHours}`,
        );
      const isHeld = answeredBy(bypassing, "QuietHours") || isForbidden;
      t.verify("MSG-36", !isHeld, {
        expected: "a bypass taken, of a caller who holds its scope",
        actual: summaryOf(bypassing),
        exchanges: [exchange, bypassing],
      });
      if (!isHeld) t.control(bypassing, "a send with a bypass");
      // Quiet both now and then.
      const later = await callSend(t, main, {
        to,
        bypass_quiet_hours: true,
        scheduled_at: new Date(at + hour).toISOString(),
      });
      t.verify("MSG-36", !answeredBy(later, "QuietHours") && !answeredBy(later, "QuietHoursBypassForbidden"), {
        expected: "a bypass taken for a send that is scheduled within quiet hours, of a caller who holds its scope",
        actual: summaryOf(later),
        exchanges: [exchange, later],
      });
      if (next === null) return;
      for (const scheduled_at of [next.told, new Date(next.at + hour).toISOString()])
        t.accepted("MSG-31", await callSend(t, main, { to, scheduled_at }));
      // Times are in UTC: one that is not may be refused, but it is no earlier one.
      const westerly = await callSend(t, main, { to, scheduled_at: inNewfoundland(next.at) });
      t.verify("MSG-31", !answeredBy(westerly, "QuietHours"), {
        expected: "a send at next_send_at, told by a clock of another offset, not to be refused for quiet hours",
        actual: summaryOf(westerly),
        exchanges: [exchange, westerly],
        warnOnly: true,
      });
    });
  },
});

/** What such a refusal leaves behind. */
export const rejectionEffect = check({
  id: "quiet-hours.rejection-effect",
  title: "A send that is refused for quiet hours creates and charges nothing",
  rules: ["MSG-30"],
  kind: "scenario",
  needs: ["quiet-hours", "manual-clock", "chosen-time", "state"],
  effects: ["creates", "spends", "sends"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const tenant = await t.tenant({
      clock: "manual",
      starts_at: evening,
      quiet_hours: { mode: "reject", ...window },
    });
    const main = await tenant.main();
    // In an hour it is as quiet; whether a send for then is refused for it is open.
    const ways = await sendWays(tenant, hour / 1000);
    await judgeEach(quietZones, async (zone) => {
      await optIn(t, main, t.numbers(zone)[0]);
      const way = ways[quietZones.indexOf(zone)];
      const sent = (wish: SendWish = {}) =>
        effectOf(tenant, () => callSend(t, main, { to: t.numbers(zone)[0], ...wish }));
      const asked = await sent(way);
      const isTaken = way?.scheduled_at !== undefined && !answeredBy(asked.exchange, "QuietHours");
      const { exchange, before, after } = isTaken ? await sent() : asked;
      if (!hasCodeOf(exchange, "QuietHours"))
        throw new Blocked(`a send in quiet hours was answered ${summaryOf(exchange)}`, "see MSG-24 first", "server");
      leftAsItWas(t, "MSG-30", { before, after }, exchange);
    });
    const [to] = t.numbers(quietZones[0]);
    const long = await effectOf(tenant, () => callSend(t, main, { to, body: longBody }));
    if (answeredBy(long.exchange, "QuietHours")) leftAsItWas(t, "MSG-30", long, long.exchange);
  }),
});

/** A send that is refused at night, and the days after. */
export const rejectedForGood = withoutEffect({
  operation: "sendMessage",
  row: "QuietHours",
  needs: ["quiet-hours", "manual-clock", "chosen-time"],
  effects: ["creates", "spends", "sends"],
  draws: {},
  async begin(t) {
    const tenant = await t.tenant({
      clock: "manual",
      starts_at: evening,
      quiet_hours: { mode: "reject", ...window },
    });
    const main = await tenant.main();
    const [to] = t.numbers(quietZones[0]);
    await optIn(t, main, to);
    return { tenant, send: () => callSend(t, main, { to }) };
  },
});
