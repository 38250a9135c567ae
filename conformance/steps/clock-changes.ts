const minute = 60_000;
const day = 86_400_000;

/** How long a change of a zone's clock is looked for: each that has any has one within a year. */
const mostDays = 400;

/** By how many minutes a zone's clock is off UTC at an instant, by what `Intl` shows. */
function offsetOf(instant: number, clock: Intl.DateTimeFormat): number {
  const parts = Object.fromEntries(clock.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute: minutes = 0 } = parts;
  return Math.round((Date.UTC(year, month - 1, day, hour, minutes) - instant) / minute);
}

function clockOf(zone: string): Intl.DateTimeFormat {
  const fields = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" } as const;
  return new Intl.DateTimeFormat("en", { timeZone: zone, hourCycle: "h23", ...fields });
}

/** The minutes by which a zone's clock is off UTC from the day before an instant until the day after it. */
export function offsetsAround(zone: string, instant: number): readonly number[] {
  const clock = clockOf(zone);
  return [...new Set([-day, 0, day].map((apart) => offsetOf(instant + apart, clock)))];
}

/** The first minute after an instant by which a zone's clock was put, in milliseconds since 1970; null where it never is. */
export function clockChange(zone: string, after: number): number | null {
  const clock = clockOf(zone);
  const first = Math.floor(after / minute) * minute;
  const before = offsetOf(first, clock);
  for (let days = 1; days <= mostDays; days += 1) {
    if (offsetOf(first + days * day, clock) === before) continue;
    let [low, high] = [first + (days - 1) * day, first + days * day];
    while (high - low > minute) {
      const middle = Math.floor((low + high) / 2 / minute) * minute;
      if (offsetOf(middle, clock) === before) low = middle;
      else high = middle;
    }
    return high;
  }
  return null;
}
