import { Temporal } from "temporal-polyfill";
import type { QuietWindow } from "./quiet-hours.ts";

/** Why a recipient is not to be disturbed, and until when. */
export interface Quiet {
  /** IANA zone whose clock shows quiet hours: the first of several. */
  readonly zone: string;
  /** First instant at which the recipient may be disturbed: milliseconds since 1970. */
  readonly until: number;
}

/** How often several zones are asked in turn: in windows that leave all of them no common hour, they never agree. */
const mostRounds = 14;

/** Whether it is quiet at an instant for somebody who may be in any of these zones; null when it is in none of them. */
export function quietUntil(at: number, zones: readonly string[], window: QuietWindow): Quiet | null {
  let first: string | null = null;
  let quiet: Quiet | null = null;
  for (let round = 1; round <= mostRounds; round++) {
    const before: number = quiet?.until ?? at;
    for (const zone of zones) {
      const from: number = quiet?.until ?? at;
      const until = quietEnd(from, zone, window);
      if (until <= from) continue;
      first ??= zone;
      quiet = { zone: first, until };
    }
    if ((quiet?.until ?? at) === before) break;
  }
  return quiet;
}

/** The first instant from `at` on that is not in the window by the zone's clock. */
function quietEnd(at: number, zone: string, { start, end }: QuietWindow): number {
  const [from, to] = [Temporal.PlainTime.from(start), Temporal.PlainTime.from(end)];
  let now = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  while (isWithin(now.toPlainTime(), from, to)) {
    const left = to.since(now.toPlainTime());
    const ends = now.add(left.sign > 0 ? left : left.add({ hours: 24 }));
    // A clock that is put forward may skip the end, one that is put back shows the window once more.
    const change = now.getTimeZoneTransition("next");
    now = change !== null && Temporal.ZonedDateTime.compare(change, ends) < 0 ? change : ends;
  }
  return now.epochMilliseconds;
}

function isWithin(time: Temporal.PlainTime, from: Temporal.PlainTime, to: Temporal.PlainTime): boolean {
  const isAfterStart = Temporal.PlainTime.compare(time, from) >= 0;
  const isBeforeEnd = Temporal.PlainTime.compare(time, to) < 0;
  return Temporal.PlainTime.compare(from, to) < 0 ? isAfterStart && isBeforeEnd : isAfterStart || isBeforeEnd;
}
