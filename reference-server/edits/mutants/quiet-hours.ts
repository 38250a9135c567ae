import { refuse } from "../../../generated/error-rows.ts";
import type { Mutant } from "../edit.ts";
import { inPlaceOf, isRefusal, onAnswer, onRequest, parsed, type Wire, withBody } from "../wire.ts";
import { bodyOf, withRequestBody } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const gates = "domain/messages/gates.ts";
const gate = "domain/quiet-hours/quiet-hours-gate.ts";
const until = "domain/quiet-hours/quiet-until.ts";

/** Refusals for quiet hours with other details. */
const withDetails = (change: (details: Record<string, string>) => object): Wire =>
  onAnswer("sendMessage", (answer) => {
    if (!isRefusal(answer, "QuietHours")) return answer;
    const { error } = Object(parsed(answer.bytes));
    return withBody(answer, { success: false, error: { ...error, details: change({ ...error.details }) } });
  });

/** Until when it is quiet. */
const endsOf = "quietUntil(at, zones.length === 0 ? [zoneOfNowhere] : zones, quietHours)";
const ends = `return ${endsOf};`;

const later = (text: string | undefined, milliseconds: number): string =>
  new Date(Date.parse(text ?? "") + milliseconds).toISOString();

const hour = 3_600_000;

/** Servers that disturb recipients, or take them for disturbed wrongly. */
export const quietHoursMutants: readonly Mutant[] = [
  mutant(
    "MSG-24",
    "never",
    "never rejects",
    gates,
    "if (disturbance === null) return null;",
    "if (disturbance === null || now > 0) return null;",
  ),
  mutant(
    "MSG-24",
    "midnight",
    "has no quiet hours that end with the day",
    gates,
    "if (disturbance === null) return null;",
    'if (disturbance === null || quietHours.end === "00:00") return null;',
  ),
  mutant(
    "MSG-24",
    "start",
    "has quiet hours begin an hour late",
    until,
    "Temporal.PlainTime.compare(time, from) >= 0",
    "Temporal.PlainTime.compare(time.subtract({ hours: 1 }), from) >= 0",
  ),
  wireMutant(
    "MSG-24",
    "conflict",
    "calls quiet hours a conflict",
    inPlaceOf("sendMessage", "QuietHours", refuse.Conflict("It is night.")),
  ),
  wireMutant(
    "MSG-25",
    "zone",
    "does not tell the recipient's zone",
    withDetails(({ recipient_timezone: _, ...others }) => others),
  ),
  wireMutant(
    "MSG-25",
    "next",
    "does not tell when to send next",
    withDetails(({ next_send_at: _, ...others }) => others),
  ),
  wireMutant(
    "MSG-26",
    "seconds",
    "tells the window to the second",
    withDetails((details) => ({ ...details, quiet_hours_end: `${details.quiet_hours_end}:00` })),
  ),
  wireMutant(
    "MSG-26",
    "swapped",
    "tells the window the wrong way round",
    withDetails((details) => ({
      ...details,
      quiet_hours_start: details.quiet_hours_end,
      quiet_hours_end: details.quiet_hours_start,
    })),
  ),
  wireMutant(
    "MSG-27",
    "past",
    "tells the beginning of quiet hours for their end",
    withDetails((details) => ({ ...details, next_send_at: later(details.next_send_at, -24 * hour) })),
  ),
  wireMutant(
    "MSG-27",
    "local",
    "tells the time alone",
    withDetails((details) => ({ ...details, next_send_at: details.quiet_hours_end })),
  ),
  wireMutant(
    "ENV-27",
    "recipients-clock",
    "tells when to send next by a clock of another offset than UTC",
    withDetails((details) => ({
      ...details,
      next_send_at: later(details.next_send_at, -5 * hour).replace("Z", "-05:00"),
    })),
  ),
  wireMutant(
    "ENV-27",
    "next-send-without-offset",
    "shows when to send next without an offset",
    withDetails((details) => ({ ...details, next_send_at: details.next_send_at?.replace("Z", "") })),
  ),
  wireMutant(
    "MSG-27",
    "without-offset",
    "shows when to send next without an offset",
    withDetails((details) => ({ ...details, next_send_at: details.next_send_at?.replace("Z", "") })),
  ),
  wireMutant(
    "ENV-46",
    "scheduled",
    "shows no details where a scheduled send falls into quiet hours",
    onAnswer("sendMessage", (answer, request) => {
      const { scheduled_at: scheduled } = Object(bodyOf(request));
      if (scheduled === undefined || !isRefusal(answer, "QuietHours")) return answer;
      const { details: _, ...error } = Object(parsed(answer.bytes)).error;
      return withBody(answer, { success: false, error });
    }),
  ),
  wireMutant(
    "MSG-55",
    "tomorrow",
    "tells the end of the next quiet hours",
    withDetails((details) => ({ ...details, next_send_at: later(details.next_send_at, 24 * hour) })),
  ),
  mutant(
    "MSG-55",
    "clocks",
    "forgets that clocks change",
    until,
    'now.getTimeZoneTransition("next")',
    "null as ReturnType<typeof now.getTimeZoneTransition>",
  ),
  mutant(
    "MSG-55",
    "clocks-ahead",
    "forgets in the evening that clocks change in the night",
    until,
    'now.getTimeZoneTransition("next")',
    'now.hour < 12 ? now.getTimeZoneTransition("next") : null',
  ),
  mutant(
    "MSG-93",
    "month-end",
    "puts off for a day more what is sent in the last evening of a month",
    gate,
    ends,
    `const quiet = ${endsOf};
  if (quiet === null) return null;
  return monthOf(at, quiet.zone) === monthOf(quiet.until, quiet.zone)
    ? quiet
    : { ...quiet, until: quiet.until + 86_400_000 };
}

function monthOf(at: number, zone: string): string {
  return new Intl.DateTimeFormat("en", { timeZone: zone, month: "numeric" }).format(at);`,
  ),
  mutant(
    "MSG-27",
    "month-end",
    "tells a time in the same month where quiet hours end in the next one",
    gate,
    ends,
    `const quiet = ${endsOf};
  if (quiet === null) return null;
  const [month, then] = [at, quiet.until].map((one) =>
    Number(new Intl.DateTimeFormat("en", { timeZone: quiet.zone, month: "numeric" }).format(one)),
  );
  return month === then ? quiet : { ...quiet, until: quiet.until - 30 * 86_400_000 };`,
  ),
  wireMutant(
    "MSG-28",
    "offset",
    "tells the offset for the zone",
    withDetails((details) => ({ ...details, recipient_timezone: "-05:00" })),
  ),
  wireMutant(
    "MSG-28",
    "utc",
    "tells the organization's zone for the recipient's",
    withDetails((details) => ({ ...details, recipient_timezone: "UTC" })),
  ),
  mutant(
    "MSG-29",
    "organization",
    "goes by one clock for all recipients",
    gate,
    "const zones = zonesOfNumber(phoneNumber);",
    "const zones: readonly string[] = phoneNumber === '' ? zonesOfNumber(phoneNumber) : [];",
  ),
  mutant(
    "MSG-29",
    "west",
    "takes the west for the east",
    "domain/quiet-hours/recipient-zones.ts",
    "return zonesOfArea.get(area) ?? [];",
    'return (zonesOfArea.get(area) ?? []).map((zone) => (zone === "America/Los_Angeles" ? "America/New_York" : zone));',
  ),
  ...(
    [
      [
        "half-hours",
        "drops the half hour of an offset",
        "now.subtract({ minutes: (now.offsetNanoseconds / 60e9) % 60 })",
      ],
      [
        "ahead",
        "treats an offset ahead of UTC as one behind it",
        "(now.offsetNanoseconds > 0 ? now.subtract({ nanoseconds: 2 * now.offsetNanoseconds }) : now)",
      ],
      [
        "all-year",
        "puts the clock of Saskatchewan forward",
        '(zone === "America/Regina" ? now.withTimeZone("America/Chicago") : now)',
      ],
    ] as const
  ).map(([name, does, clock]) =>
    mutant(
      "MSG-29",
      name,
      does,
      until,
      "isWithin(now.toPlainTime(), from, to)",
      `isWithin(${clock}.toPlainTime(), from, to)`,
    ),
  ),
  mutant(
    "MSG-31",
    "ahead",
    "names an end of quiet hours that is an hour early where the offset is ahead of UTC",
    until,
    "return now.epochMilliseconds;",
    "return now.epochMilliseconds - (now.offsetNanoseconds > 0 ? 3_600_000 : 0);",
  ),
  mutantOf("MSG-30", "kept", "charges for what it rejects", [
    {
      file: "routes/messages.ts",
      find: "if (send instanceof Refusal) return send;",
      replace:
        'if (send instanceof Refusal) { if (send.row === "QuietHours") await tx.ledger.append({ kind: "charge", amount: 1, reference: id, at: now }); return send; }',
    },
  ]),
  mutant(
    "MSG-31",
    "when-taken",
    "judges a scheduled send by when it is taken",
    gates,
    "send.scheduledAt ?? now",
    "send.scheduledAt === null ? now : now",
  ),
  wireMutant(
    "MSG-31",
    "early",
    "tells a time that is still quiet",
    withDetails((details) => ({ ...details, next_send_at: later(details.next_send_at, -hour / 2) })),
  ),
  wireMutant(
    "MSG-32",
    "created",
    "answers a deferred send as any other",
    onAnswer("sendMessage", (answer) => {
      const { data } = Object(parsed(answer.bytes));
      return answer.status < 300 && typeof Object(data).scheduled_at === "string" ? { ...answer, status: 201 } : answer;
    }),
  ),
  mutant(
    "MSG-33",
    "at-once",
    "defers nothing",
    gates,
    "return { ...send, scheduledAt: disturbance.until };",
    "return { ...send, scheduledAt: disturbance.until - 1_800_000 };",
  ),
  mutant(
    "MSG-93",
    "late",
    "defers by a day too much",
    gates,
    "scheduledAt: disturbance.until",
    "scheduledAt: disturbance.until + 86_400_000",
  ),
  mutant(
    "MSG-93",
    "date",
    "puts the end of quiet hours on the date that it is by UTC",
    until,
    "const ends = now.add(left.sign > 0 ? left : left.add({ hours: 24 }));",
    `const today = now.toInstant().toZonedDateTimeISO("UTC").toPlainDate().toZonedDateTime({ timeZone: zone, plainTime: to });
    const ends = left.sign === 0 || Temporal.ZonedDateTime.compare(today, now) <= 0 ? today.add({ days: 1 }) : today;`,
  ),
  mutant(
    "MSG-56",
    "late",
    "defers by an hour too much",
    gates,
    "scheduledAt: disturbance.until",
    "scheduledAt: disturbance.until + 3_600_000",
  ),
  mutant(
    "MSG-36",
    "ignored",
    "bypasses nothing",
    gates,
    "quietHours === null || send.bypassesQuietHours",
    "quietHours === null",
  ),
  mutant(
    "MSG-38",
    "early",
    "has quiet hours begin an hour early",
    gate,
    "quietUntil(at, zones.length === 0 ? [zoneOfNowhere] : zones, quietHours)",
    "quietUntil(at + 3_600_000, zones.length === 0 ? [zoneOfNowhere] : zones, quietHours)",
  ),
  wireMutant(
    "MSG-38",
    "west",
    "takes nothing for Los Angeles",
    onRequest("sendMessage", (request) => {
      const body = bodyOf(request);
      return String(Object(body).to).startsWith("+1213")
        ? withRequestBody(request, { ...Object(body), to: "+12025550139" })
        : request;
    }),
  ),
  mutant(
    "MSG-33",
    "early",
    "sends a deferred message an hour before the time that it shows",
    "store/messages/messages.ts",
    "const due_at = message.scheduledAt ?? message.createdAt;",
    "const due_at = message.scheduledAt === null ? message.createdAt : message.scheduledAt - 3_600_000;",
  ),
  mutant(
    "MSG-33",
    "soon",
    "sends a deferred message half an hour after it was accepted",
    "store/messages/messages.ts",
    "const due_at = message.scheduledAt ?? message.createdAt;",
    "const due_at = message.createdAt + (message.scheduledAt === null ? 0 : 1_800_000);",
  ),
  mutant(
    "MSG-39",
    "early",
    "sends a scheduled message an hour before its time",
    "store/messages/messages.ts",
    "const due_at = message.scheduledAt ?? message.createdAt;",
    "const due_at = message.scheduledAt === null ? message.createdAt : message.scheduledAt - 3_600_000;",
  ),
];
