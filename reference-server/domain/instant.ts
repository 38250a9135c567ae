const dateTime = /^(\d{4}-\d\d-\d\d)[t\s](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:z|([+-])(\d\d)(?::?(\d\d))?)$/i;

/** The first whole millisecond since 1970 that is not before the instant of an RFC 3339 text. */
export function millisecondFrom(text: string): number {
  const { milliseconds, isFiner } = parse(text);
  return isFiner ? milliseconds + 1 : milliseconds;
}

/** The last whole millisecond since 1970 that is not after it. */
export const millisecondUpTo = (text: string): number => parse(text).milliseconds;

/** `Date.parse` would refuse leap seconds, which become the second after them, and some forms of the offset. */
function parse(text: string): { readonly milliseconds: number; readonly isFiner: boolean } {
  const found = dateTime.exec(text);
  if (found === null) throw new Error("The contract admitted a text that is no date and time.");
  const [, date, hours, minutes, seconds, fraction = "", sign, offsetHours = "0", offsetMinutes = "0"] = found;
  const ahead = (sign === "-" ? -1 : 1) * (Number(offsetHours) * 60 + Number(offsetMinutes));
  const wholeSeconds = (Number(hours) * 60 + Number(minutes) - ahead) * 60 + Number(seconds);
  return {
    milliseconds: Date.parse(`${date}T00:00:00Z`) + wholeSeconds * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0")),
    isFiner: /[1-9]/.test(fraction.slice(3)),
  };
}
