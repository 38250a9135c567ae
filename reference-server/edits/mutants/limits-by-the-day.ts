import type { BucketName } from "../../../generated/limits.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Mutant } from "../edit.ts";
import { drawsFrom, storing } from "../port-changes.ts";
import { mutant, mutantOf } from "./mutant.ts";

/** Milliseconds. */
const minute = 60_000;
const day = 86_400_000;

/** Keeps one limit by the time of the day alone, so that what was drawn before midnight lies ahead after it. */
const byTimeOfDay = (breaks: RuleId, name: BucketName, noun: string): Mutant =>
  mutant(
    breaks,
    "time-of-day",
    `keeps the limit on ${noun} by the time of the day, whatever the day is`,
    "http/rate-limit.ts",
    "now: callerTime(caller, world.now()),",
    `now: draws.some(({ bucket }) => bucket === "${name}")
        ? callerTime(caller, world.now()) % ${day}
        : callerTime(caller, world.now()),`,
  );

/** Refuses what comes in the same minute as on a day before on which the limit was used up. */
const byMinuteOfDay = (breaks: RuleId, name: BucketName, noun: string): Mutant =>
  mutantOf(breaks, "minute-of-day", `takes a minute of one day for that of the next in the limit on ${noun}`, [
    storing((store) => {
      const usedUp = new Map<string, number>();
      return {
        async draw(organizationId, draw) {
          const drawn = await store.draw(organizationId, draw);
          if (!drawsFrom(draw, name)) return drawn;
          const place = `${organizationId} ${Math.floor((draw.now % day) / minute)}`;
          if (!drawn.admitted) usedUp.set(place, draw.now);
          const isLater = draw.now - (usedUp.get(place) ?? draw.now) >= minute;
          return isLater ? { admitted: false, levels: new Map() } : drawn;
        },
      };
    }),
  ]);

/** Servers whose limits know no days. */
export const limitsByTheDayMutants: readonly Mutant[] = [
  byTimeOfDay("KEYC-33", "apiKeyWrites", "creations of keys"),
  byTimeOfDay("LIM-22", "contactErasures", "erasures"),
  byTimeOfDay("LIM-21", "consentRecords", "consents"),
  byMinuteOfDay("WHP-26", "deliveryReplays", "replays"),
  byMinuteOfDay("LIM-08", "messageSendsPerMinute", "sends"),
];
