import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, errorOf, isSuccess, objectOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { isZone, localTime, quietAt, quietText } from "../../steps/local-time.ts";
import { callSend, optIn, sendDraws } from "../../steps/message.ts";
import { organizationTime } from "../../steps/organization-time.ts";

const window = { start: "21:00", end: "08:00" };

/** The day before clocks are put forward in most of North America. */
const startsAt = "2025-03-08T00:00:00.000Z";

/** Times of day shortly before and after both ends of the window. */
const timesOfDay: readonly string[] = ["20:45", "21:15", "07:45", "08:15"];

/** Zones of the recipients, each in the order of its number, whose times of day are tried. */
const zones = [
  "America/St_Johns",
  "America/Regina",
  "America/Puerto_Rico",
  "Pacific/Pago_Pago",
  "Pacific/Guam",
  "Pacific/Saipan",
] as const;

const quarterHourMs = 15 * 60_000;
const triedMs = 48 * 3_600_000;

/** Instants at which such a time of day is shown in one of the zones. */
function instantsFrom(start: number): readonly number[] {
  const steps = Array.from({ length: triedMs / quarterHourMs }, (_, index) => start + index * quarterHourMs);
  return steps.filter((at) => zones.some((zone) => timesOfDay.includes(localTime(at, zone))));
}

/** An accepted send, and its time. */
interface Taken {
  readonly at: number;
  readonly exchange: Exchange;
}

/** Responses for one recipient so far. */
interface Recipient {
  readonly number: string;
  readonly zone: (typeof zones)[number];
  readonly named: Set<string>;
  readonly taken: Taken[];
}

/**
 * Sends to recipients whose area code may lie in several zones. A refusal is judged by the zone that it names. An
 * accepted send is judged by the zones that refusals for the same recipient name.
 */
export const furtherZones = check({
  id: "quiet-hours.further-zones",
  title: "A refusal for quiet hours is consistent with the zone that it names, for every offset",
  rules: ["MSG-26", "MSG-27", "MSG-28", "MSG-29", "MSG-31"],
  kind: "scenario",
  needs: ["quiet-hours", "manual-clock", "chosen-time"],
  effects: ["creates", "spends", "sends"],
  draws: sendDraws(2 * instantsFrom(Date.parse(startsAt)).length),
  async run(t) {
    const tenant = await t.otherTenant({
      clock: "manual",
      starts_at: startsAt,
      quiet_hours: { mode: "reject", ...window },
    });
    const main = await tenant.main();
    const recipients = await recipientsOf(t, main);
    for (const instant of instantsFrom(await organizationTime(tenant))) {
      const seconds = Math.ceil((instant - (await organizationTime(tenant))) / 1000);
      if (seconds > 0) await tenant.advance(seconds, "a time of day near an end of quiet hours");
      for (const recipient of recipients) {
        const at = await organizationTime(tenant);
        if (!timesOfDay.includes(localTime(at, recipient.zone))) continue;
        const exchange = await callSend(t, main, { to: recipient.number });
        if (isSuccess(exchange)) recipient.taken.push({ at, exchange });
        else if (answeredBy(exchange, "QuietHours")) await judgeRefused(t, main, recipient, at, exchange);
      }
    }
    const judged = recipients.filter(({ named }) => named.size > 0);
    if (judged.length === 0) throw new NotApplicable("no send to one of these recipients was refused for quiet hours");
    for (const { named, taken } of judged)
      for (const { at, exchange } of taken)
        for (const zone of named)
          t.verify("MSG-29", quietAt(at, zone, window) !== true, {
            expected: `a send refused for quiet hours, as other refusals name ${zone}, where ${quietText({ at, zone, window })}`,
            actual: summaryOf(exchange),
            exchanges: [exchange],
          });
  },
});

/** The recipients for whom the target accepts consents. */
async function recipientsOf(t: CheckContext, main: Credential): Promise<readonly Recipient[]> {
  const recipients: Recipient[] = [];
  const blocked: Blocked[] = [];
  for (const [index, number] of t.numbers("further_zones").entries()) {
    const zone = zones[index];
    if (zone === undefined) continue;
    try {
      await optIn(t, main, number);
      recipients.push({ number, zone, named: new Set(), taken: [] });
    } catch (error) {
      if (!(error instanceof Blocked)) throw error;
      blocked.push(error);
    }
  }
  const [first] = blocked;
  if (recipients.length === 0 && first !== undefined) throw first;
  return recipients;
}

/** Verifies that the details of a refusal are consistent. */
async function judgeRefused(
  t: CheckContext<"MSG-26" | "MSG-27" | "MSG-28" | "MSG-29" | "MSG-31">,
  main: Credential,
  { number, named }: Recipient,
  at: number,
  exchange: Exchange,
): Promise<void> {
  const details = objectOf(errorOf(exchange)?.details) ?? {};
  const { quiet_hours_start: start, quiet_hours_end: end, next_send_at: next, recipient_timezone: zone } = details;
  const isWindow = start === window.start && end === window.end;
  const shown = (value: unknown) => ({ actual: JSON.stringify(value) ?? "none", exchanges: [exchange] });
  t.verify("MSG-26", isWindow, { expected: `${window.start} and ${window.end}`, ...shown([start, end]) });
  if (!t.verify("MSG-28", isZone(zone), { expected: "an IANA zone", ...shown(zone) }) || !isZone(zone)) return;
  named.add(zone);
  t.verify("MSG-29", quietAt(at, zone, window) !== false, {
    expected: `a refusal only while it is quiet in the zone that it names`,
    actual: `a refusal at ${new Date(at).toISOString()}, when it is ${localTime(at, zone)} in ${zone}`,
    exchanges: [exchange],
  });
  const then = typeof next === "string" ? Date.parse(next) : Number.NaN;
  t.verify("MSG-27", then > at, { expected: `a time after ${new Date(at).toISOString()}`, ...shown(next) });
  if (typeof next !== "string" || !(then > at)) return;
  const later = await callSend(t, main, { to: number, scheduled_at: next });
  t.verify("MSG-31", quietAt(then, zone, window) !== true && !answeredBy(later, "QuietHours"), {
    expected: `next_send_at, a time that is not quiet in ${zone}`,
    actual: `${next}, when it is ${localTime(then, zone)} there, answered ${summaryOf(later)}`,
    exchanges: [exchange, later],
  });
}
