import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type RecipientZone, recipientZones } from "../../context/recipient-zones.ts";
import { type Exchange, errorOf, objectOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { localTime, quietAt, type Window } from "../../steps/local-time.ts";
import { admissible, callSend, optIn, sendDraws } from "../../steps/message.ts";
import { organizationTime } from "../../steps/organization-time.ts";
import { allQuiet, noneQuiet } from "./come-again.ts";
import { judgeRefusal } from "./judge-refusal.ts";

const hour = 3_600_000;

/** A send to a zone, and when that was. */
interface Sent {
  readonly zone: RecipientZone;
  readonly at: number;
  readonly exchange: Exchange;
}

const rules = ["MSG-24", "MSG-25", "MSG-26", "MSG-27", "MSG-28", "MSG-29", "MSG-38", "MSG-55"] as const;

type Rule = (typeof rules)[number];

/** Sends to recipients of all zones at the time that it is, in quiet hours that are set to be now in some of them. */
export const rightNow = check({
  id: "quiet-hours.right-now",
  title: "Now, a send is refused where the recipient's clock shows quiet hours that were set, and taken elsewhere",
  rules,
  kind: "scenario",
  needs: ["quiet-hours"],
  effects: ["creates", "spends", "sends"],
  draws: {},
  async run(t) {
    const window = around(Date.now());
    const tenant = await t.tenant({ quiet_hours: { mode: "reject", ...window } });
    const main = await tenant.main();
    const sent = await sendEverywhere(t, main);
    judge(t, sent, window);
  },
});

/** The same in the quiet hours that the key's organization has. Who cannot choose a time comes when it is night somewhere. */
export const asTheyAre = check({
  id: "quiet-hours.as-they-are",
  title: "Now, a send is refused where the recipient's clock shows the organization's quiet hours, and taken elsewhere",
  rules,
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(recipientZones.length),
  async run(t) {
    const tenant = await t.tenant();
    if (tenant.own)
      throw new NotApplicable("an organization that the kit has made has the quiet hours that it was given");
    const sent = await sendEverywhere(t, await tenant.main());
    const now = await organizationTime(tenant);
    const refusals = sent.filter(({ exchange }) => answeredBy(exchange, "QuietHours"));
    if (refusals.length === 0) throw noneQuiet(now);
    const window = refusals.map(({ exchange }) => windowIn(exchange)).find((told) => told !== null);
    if (window === undefined) {
      for (const { exchange } of refusals) {
        const { quiet_hours_start: start, quiet_hours_end: end } = detailsOf(exchange);
        const isTold = typeof start === "string" && typeof end === "string";
        t.verify(isTold ? "MSG-26" : "MSG-25", false, {
          expected: `details with quiet_hours_start and quiet_hours_end${isTold ? ", as HH:MM" : ""}`,
          actual: JSON.stringify(detailsOf(exchange)),
          exchanges: [exchange],
        });
      }
      throw new Blocked("no refusal tells when quiet hours are", "see MSG-25 and MSG-26 first", "server");
    }
    const awake = judge(t, sent, window);
    if (awake === 0) throw allQuiet(now, window);
  },
});

/** Sends to a recipient of each zone. What is refused for anything but quiet hours blocks. */
async function sendEverywhere(t: CheckContext<Rule>, main: Credential): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  for (const zone of recipientZones) {
    const [to] = t.numbers(zone);
    await optIn(t, main, to);
    const at = await organizationTime(main.tenant);
    const exchange = await callSend(t, main, { to });
    sent.push({ zone, at, exchange: answeredBy(exchange, "QuietHours") ? exchange : admissible(exchange) });
  }
  return sent;
}

/** Decides what was answered where it is quiet, and where not. Gives how many are not. */
function judge(t: CheckContext<Rule>, sent: readonly Sent[], window: Window): number {
  const at = (isQuiet: boolean) => sent.filter((each) => quietAt(each.at, each.zone, window) === isQuiet);
  for (const each of at(true)) judgeRefusal(t, each.exchange, { ...each, window });
  const awake = at(false);
  for (const { zone, at, exchange } of awake) {
    t.verify("MSG-29", !answeredBy(exchange, "QuietHours"), {
      expected: `a send to ${zone}, where it is ${localTime(at, zone)}, not to be refused for quiet hours from ${window.start} to ${window.end}`,
      actual: summaryOf(exchange),
      exchanges: [exchange],
    });
    t.accepted("MSG-38", exchange);
  }
  return awake.length;
}

/** Quiet hours in which it is in New York now, and in none of the zones west of the mountains. */
function around(now: number): Window {
  const zone: RecipientZone = "America/New_York";
  return { start: localTime(now - 1.5 * hour, zone), end: localTime(now + 1.5 * hour, zone) };
}

/** The quiet hours that a refusal tells; null where it tells none. */
function windowIn(exchange: Exchange): Window | null {
  const { quiet_hours_start: start, quiet_hours_end: end } = detailsOf(exchange);
  return isTimeOfDay(start) && isTimeOfDay(end) ? { start, end } : null;
}

const detailsOf = (exchange: Exchange) => objectOf(errorOf(exchange)?.details) ?? {};

const isTimeOfDay = (text: unknown): text is string =>
  typeof text === "string" && /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
