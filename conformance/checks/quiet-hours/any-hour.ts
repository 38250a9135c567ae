import * as fc from "fast-check";
import { check } from "../../context/check.ts";
import { type RecipientZone, recipientZones } from "../../context/recipient-zones.ts";
import { quietAt, type Window } from "../../steps/local-time.ts";
import { callSend, optIn } from "../../steps/message.ts";
import { organizationTime } from "../../steps/organization-time.ts";
import { judgeDeferral, judgeUndeferred } from "./judge-deferral.ts";
import { judgeRefusal } from "./judge-refusal.ts";

/** Days from whose beginning on sends are tried: those whose night has an hour less or more, and others. */
const days = ["2025-03-09", "2025-11-02", "2025-01-20", "2025-07-04"] as const;

/** Evenings whose night leads into another month or year, or over a leap day, or past one that the year does not have. */
const lastEvenings = ["2024-02-28", "2024-02-29", "2025-02-28", "2025-04-30", "2025-12-31"] as const;

/** Minutes after which such a day, which begins by UTC, is in its late evening in New York. */
const evening = 3 * 60;

/** Minutes of a day. */
const day = 24 * 60;

/** A pause, and a send to a recipient of a zone after it. */
interface Step {
  readonly afterMinutes: number;
  readonly zone: RecipientZone;
}

const modes = ["reject", "defer"] as const;

interface Hours {
  readonly mode: (typeof modes)[number];
  readonly day: (typeof days)[number] | (typeof lastEvenings)[number];
  /** Minutes of the day at which quiet hours begin, and how many there are. */
  readonly start: number;
  readonly length: number;
  readonly steps: readonly Step[];
}

const timeOfDay = (minutes: number): string => {
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`;
};

const windowOf = ({ start, length }: Pick<Hours, "start" | "length">): Window => ({
  start: timeOfDay(start),
  end: timeOfDay(start + length),
});

/** Sends at any hour, for any quiet hours, to recipients of any zone. */
export const anyHour = check({
  id: "quiet-hours.any-hour",
  title:
    "Whatever the quiet hours, the zone and the hour are, a send is refused or put off when it is quiet there and taken when not",
  rules: [
    "MSG-24",
    "MSG-25",
    "MSG-26",
    "MSG-27",
    "MSG-28",
    "MSG-31",
    "MSG-32",
    "MSG-33",
    "MSG-38",
    "MSG-55",
    "MSG-56",
    "MSG-93",
  ],
  kind: "property",
  needs: ["quiet-hours", "manual-clock", "chosen-time"],
  effects: ["creates", "spends", "sends"],
  draws: {},
  mostRuns: 12,
  async run(t) {
    const step: fc.Arbitrary<Step> = fc.record({
      afterMinutes: fc.integer({ min: 0, max: 10 * 60 }),
      zone: fc.constantFrom(...recipientZones),
    });
    const hours: fc.Arbitrary<Hours> = fc.record({
      mode: fc.constantFrom(...modes),
      day: fc.constantFrom(...days),
      start: fc.integer({ min: 0, max: day - 1 }),
      length: fc.integer({ min: 30, max: day - 30 }),
      steps: fc.array(step, { minLength: 1, maxLength: 4 }),
    });
    await t.property(hours, judge);
    // Whatever the values are, every rule must have been put to the test, in the nights of a change too.
    for (const [date, first] of [
      ["2025-03-09", 6 * 60],
      ["2025-11-02", 5 * 60],
    ] as const)
      for (const mode of modes) {
        const steps: readonly Step[] = [
          // In the evening before the change, and in the hour before it.
          { afterMinutes: evening, zone: "America/New_York" },
          { afterMinutes: first - evening, zone: "America/New_York" },
          { afterMinutes: 6 * 60, zone: "America/Phoenix" },
          { afterMinutes: 2 * 60, zone: "America/New_York" },
        ];
        await judge({ mode, day: date, start: 21 * 60, length: 11 * 60, steps });
      }
    // Evenings that are still on such a day by the recipient's clock, and on the next one by UTC.
    for (const date of lastEvenings)
      for (const mode of modes)
        await judge({
          mode,
          day: date,
          start: 21 * 60,
          length: 10 * 60 + 30,
          steps: [
            { afterMinutes: day + 2 * 60, zone: "America/Halifax" },
            { afterMinutes: 60, zone: "America/New_York" },
          ],
        });
    // Quiet hours that lie within a day, too.
    for (const mode of modes)
      await judge({
        mode,
        day: "2025-07-04",
        start: 12 * 60,
        length: 3 * 60,
        steps: [
          { afterMinutes: 17 * 60, zone: "America/New_York" },
          { afterMinutes: 0, zone: "America/Los_Angeles" },
        ],
      });

    // Such as end late in the evening, when another day has begun by UTC.
    for (const mode of modes)
      await judge({
        mode,
        day: "2025-07-04",
        start: 12 * 60,
        length: 10 * 60,
        steps: [{ afterMinutes: 25 * 60, zone: "America/New_York" }],
      });
    // And such as end with the day.
    await judge({
      mode: "reject",
      day: "2025-07-04",
      start: 18 * 60,
      length: 6 * 60,
      steps: [
        { afterMinutes: 23 * 60, zone: "America/New_York" },
        { afterMinutes: 0, zone: "America/Los_Angeles" },
      ],
    });

    async function judge({ mode, day: date, start, length, steps }: Hours): Promise<void> {
      const window = windowOf({ start, length });
      const tenant = await t.otherTenant({
        clock: "manual",
        starts_at: `${date}T00:00:00.000Z`,
        quiet_hours: { mode, ...window },
      });
      const main = await tenant.main();
      for (const { afterMinutes, zone } of steps) {
        const [to] = t.numbers(zone);
        await optIn(t, main, to);
        await tenant.advance(afterMinutes * 60, "another hour of the day");
        const at = await organizationTime(tenant);
        const isQuiet = quietAt(at, zone, window);
        if (isQuiet === "vague") continue;
        const exchange = await callSend(t, main, { to });
        if (!isQuiet) await judgeUndeferred(t, main, exchange, at);
        else if (mode === "reject") {
          const next = judgeRefusal(t, exchange, { at, zone, window });
          // It may be on the other side of a change of the clocks.
          if (next !== null) t.accepted("MSG-31", await callSend(t, main, { to, scheduled_at: next.told }));
        } else await judgeDeferral(t, main, exchange, { at, zone, window });
      }
    }
  },
});
