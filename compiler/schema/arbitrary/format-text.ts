import fc from "fast-check";
import { hostileText } from "./hostile-text.ts";

/** Texts of a format, most of them valid; null for a format that admits any text or that is not known here. */
export function formatText(format: string): fc.Arbitrary<string> | null {
  return makers.get(format)?.() ?? null;
}

const instant = (): fc.Arbitrary<string> =>
  fc
    .date({ min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true })
    .map((date) => date.toISOString());

/** RFC 3339 in its variety: with and without fractions, in UTC and at an offset. */
function dateTime(): fc.Arbitrary<string> {
  const fraction = fc.constantFrom("", ".5", ".123", ".123456", ".123456789");
  const zone = fc.constantFrom("Z", "Z", "Z", "+00:00", "+05:30", "-08:00");
  return fc.tuple(instant(), fraction, zone).map(([text, part, offset]) => text.slice(0, 19) + part + offset);
}

const uri = (): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.webUrl({ withQueryParameters: true, withFragments: true }) },
    { weight: 1, arbitrary: fc.constantFrom("urn:isbn:0451450523", "mailto:a@example.com", "tel:+12025550123", "x:") },
  );

const makers: ReadonlyMap<string, () => fc.Arbitrary<string>> = new Map([
  [
    "uuid",
    () =>
      fc.oneof({ weight: 4, arbitrary: fc.uuid() }, { weight: 1, arbitrary: fc.uuid().map((id) => id.toUpperCase()) }),
  ],
  ["date-time", dateTime],
  ["iso-date-time", dateTime],
  ["date", () => instant().map((text) => text.slice(0, 10))],
  ["time", () => dateTime().map((text) => text.slice(11))],
  ["iso-time", () => dateTime().map((text) => text.slice(11))],
  ["duration", () => fc.constantFrom("P1D", "PT5M", "P1Y2M3DT4H5M6S", "P4W", "PT0S")],
  ["uri", uri],
  ["url", () => fc.webUrl()],
  ["uri-reference", () => fc.oneof(uri(), fc.webPath(), fc.constantFrom("", "#", "?a=b", "../x"))],
  ["uri-template", () => fc.constantFrom("/a/{b}", "{?x,y}", "http://example.com/{+path}", "")],
  ["email", () => fc.emailAddress()],
  ["hostname", () => fc.domain()],
  ["ipv4", () => fc.ipV4()],
  ["ipv6", () => fc.ipV6()],
  ["byte", () => fc.base64String()],
  ["regex", () => fc.constantFrom("", "^a+$", ".*", "[a-z]{2,3}", "\\d|\\w", "(?:x)")],
  ["json-pointer", () => fc.array(pointerToken(), { maxLength: 4 }).map((tokens) => tokens.join(""))],
  ["json-pointer-uri-fragment", () => fc.constantFrom("#", "#/a/b", "#/a~1b/0", "#/%25")],
  ["relative-json-pointer", () => fc.constantFrom("0", "1/a", "2#", "0/a~0b")],
]);

const pointerToken = (): fc.Arbitrary<string> =>
  hostileText({ min: 0, max: 8 }).map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
