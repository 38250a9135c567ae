import type { Guess, Probe } from "./probe.ts";

/** The zone by whose clock words say what time it is, such as "when it is 08:00 in America/New_York"; null for none. */
export const zoneNamed = (words: string): string | null =>
  /\bit is \d\d:\d\d in ([A-Z]\w*(?:\/[\w-]+)+)/.exec(words)?.[1] ?? null;

/** A zone's clock that is read by another offset from UTC than is in force: by that of the other season, or by none. */
export const otherClock: Probe = {
  id: "other-clock",
  says({ finding: { expected, actual } }) {
    const words = expected ?? "";
    const zone = zoneNamed(words);
    const [wanted] = instantsIn(words);
    if (zone === null || wanted === undefined) return null;
    const [came, ...others] = instantsIn(actual ?? "");
    if (came !== undefined && others.length === 0) return whyOff(zone, wanted, came);
    const [, start, end] = /\bquiet from (\d\d:\d\d) to (\d\d:\d\d)/.exec(words) ?? [];
    return start === undefined || end === undefined ? null : whyAwake(zone, wanted, { start, end });
  },
};

/** Why an instant that a zone's clock tells is told as another one. */
function whyOff(zone: string, wanted: number, came: number): string | null {
  const { inForce, ofOtherSeason } = offsetsOf(zone, wanted);
  const off = came - wanted;
  if (off !== 0 && off === inForce - ofOtherSeason)
    return `daylight saving time is forgotten: ${zone} is read by UTC${offsetText(ofOtherSeason)}, and UTC${offsetText(inForce)} is in force then`;
  return off !== 0 && off === inForce
    ? `a local time is told as UTC: that of ${zone} is UTC${offsetText(inForce)}`
    : null;
}

/** Why quiet hours are taken to be over: by which other clocks they are. */
function whyAwake(
  zone: string,
  at: number,
  { start, end }: { readonly start: string; readonly end: string },
): Guess | null {
  const { inForce, ofOtherSeason } = offsetsOf(zone, at);
  const isQuiet = (time: string): boolean => (start < end ? time >= start && time < end : time >= start || time < end);
  const awake = [
    { offset: ofOtherSeason, how: "without regard to daylight saving time" },
    { offset: 0, how: "as UTC" },
  ]
    .filter(({ offset }) => offset !== inForce && !isQuiet(timeBy(offset, at)))
    .map(({ offset, how }) => `${how}, by which it is ${timeBy(offset, at)}`);
  return awake.length === 0
    ? null
    : { says: `the clock of ${zone} may be read ${awake.join(", or ")} and not quiet`, readings: awake.length };
}

const timeBy = (offset: number, at: number): string => new Date(at + offset).toISOString().slice(11, 16);

const quarter = 91 * 86_400_000;

/** Milliseconds east of UTC: in force at an instant, and at another time of that year; the same where none differs. */
function offsetsOf(zone: string, at: number): { readonly inForce: number; readonly ofOtherSeason: number } {
  const inForce = offsetAt(zone, at);
  const others = [1, 2, 3].map((count) => offsetAt(zone, at + count * quarter));
  return { inForce, ofOtherSeason: others.find((offset) => offset !== inForce) ?? inForce };
}

function offsetAt(zone: string, at: number): number {
  const text = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" }).format(at);
  const [, sign, hours = "0", minutes = "0"] = /GMT([+-])(\d\d):(\d\d)/.exec(text) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function offsetText(milliseconds: number): string {
  const minutes = Math.abs(milliseconds) / 60_000;
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${milliseconds < 0 ? "−" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

const instantsIn = (words: string): readonly number[] =>
  (words.match(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g) ?? []).map((text) => Date.parse(text));
