const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** Milliseconds of "500ms", "10s", "2m" or "1h"; a bare number counts seconds. Null when the text is none of these. */
export function millisecondsOf(text: string | number): number | null {
  const match = /^(\d{1,9}(?:\.\d{1,3})?)\s*(ms|s|m|h)?$/.exec(String(text).trim());
  if (match === null) return null;
  const [, number, unit = "s"] = match;
  const size = unit === "ms" || unit === "m" || unit === "h" ? units[unit] : units.s;
  return Number(number) * size;
}

/** "250 ms", "2.4 s", "3 min 5 s", "1 h 2 min": short enough for a line of text. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${Number((milliseconds / 1000).toFixed(1))} s`;
  const seconds = Math.round(milliseconds / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (hours > 0) return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}

/** At least that time, as a flag takes it: "45s", and from two minutes on whole ones, such as "3m". */
export const durationFlag = (milliseconds: number): string =>
  milliseconds >= 2 * units.m || milliseconds % units.m === 0
    ? `${Math.ceil(milliseconds / units.m)}m`
    : `${Math.ceil(milliseconds / 1000)}s`;
