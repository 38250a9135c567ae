/** Hours of every day, as `HH:MM`; over midnight where the end is earlier. */
export interface Window {
  readonly start: string;
  readonly end: string;
}

const minute = 60_000;

/** How far ahead a time is looked for: each time of day comes within it, also where a night has an hour more. */
const lookedAhead = 49 * 3_600_000;

/**
 * Quiet hours where an organization's are not known. Calls may be made outside of them by the law of the United States
 * (47 CFR 64.1200 (c) (1)), so that most organizations have such.
 */
export const usualQuietHours: Window = { start: "21:00", end: "08:00" };

/** Minutes at either end of a window in which nothing is decided: whether the ends belong to it is open. */
const vague = 2;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** What a zone's clock shows at an instant: `HH:MM`. */
export function localTime(instant: number, zone: string): string {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat("en-GB", { timeZone: zone, hourCycle: "h23", hour: "2-digit", minute: "2-digit" });
  clocks.set(zone, clock);
  return clock.format(instant);
}

/** Whether a time of day lies in a window. */
export const isWithin = (time: string, { start, end }: Window): boolean =>
  start < end ? time >= start && time < end : time >= start || time < end;

/** Whether it is quiet in a zone at an instant, or was or will be within two minutes, so that nobody can tell. */
export function quietAt(instant: number, zone: string, window: Window): boolean | "vague" {
  const isQuiet = (at: number): boolean => isWithin(localTime(at, zone), window);
  const all = [-vague, 0, vague].map((minutes) => isQuiet(instant + minutes * minute));
  return all.every((one) => one === all[0]) ? all[0] === true : "vague";
}

/** The first minute from an instant on that is not quiet in a zone: by looking at the clock, minute by minute. */
export function quietEnd(instant: number, zone: string, window: Window): number {
  let at = Math.floor(instant / minute) * minute;
  while (isWithin(localTime(at, zone), window)) at += minute;
  return at;
}

/** The first minute from one that is not quiet on at which it is quiet again in a zone: by looking at the clock, minute by minute. */
export function quietAgain(instant: number, zone: string, window: Window): number {
  let at = instant;
  while (!isWithin(localTime(at, zone), window)) at += minute;
  return at;
}

/**
 * When to come again: the first minute from an instant on at which something is so in one of the zones, in the words of
 * `dueText`; null where that is never within two days.
 */
export function nextTimeText(
  from: number,
  zones: readonly string[],
  isSo: (at: number, zone: string) => boolean,
): string | null {
  for (let at = Math.ceil(from / minute) * minute; at <= from + lookedAhead; at += minute) {
    const zone = zones.find((each) => isSo(at, each));
    if (zone !== undefined) return dueText(at, zone);
  }
  return null;
}

/** When quiet hours end, in words such as "2025-03-09T12:00:00.000Z, when it is 08:00 in America/New_York". */
export const dueText = (due: number, zone: string): string =>
  `${new Date(due).toISOString()}, when it is ${localTime(due, zone)} in ${zone}`;

/** Why it is quiet in a zone at an instant, in words. */
export const quietText = ({
  at,
  zone,
  window,
}: {
  readonly at: number;
  readonly zone: string;
  readonly window: Window;
}): string =>
  `it is ${localTime(at, zone)} in ${zone} at ${new Date(at).toISOString()}, and quiet from ${window.start} to ${window.end}`;

/** Whether a text names a zone of the IANA database: `Intl` takes offsets too, which are none. */
export function isZone(text: unknown): text is string {
  if (typeof text !== "string" || !/^[A-Za-z]/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}
