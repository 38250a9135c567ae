import { bounds } from "../../../generated/limits.ts";
import { outcomes } from "../../steps/outcomes.ts";

/** One filter with a sound value and values that are not. */
export interface FilterValues {
  readonly name: string;
  readonly rule: "WHL-22" | "WHL-33" | "WHL-36" | "WHL-40";
  readonly sound: string;
  /** No reader, however lenient, takes these for a value of the filter. */
  readonly bad: readonly string[];
  /** Not written as documented, but plain enough that a lenient reader may take them: accepting them only warns. */
  readonly loose: readonly string[];
}

const { deliveryPageMin, deliveryPageMax, httpStatusMin, httpStatusMax } = bounds;

/** Beside a range by one, by a digit, and far from it. */
const outside = (from: number, to: number): readonly string[] => [
  ...[from - 1, to + 1, to * 10, -1, -from, -to].map(String),
  `${to}${to}${to}${to}${to}${to}${to}`,
];

/** Numbers that are not whole, and texts that begin or end with a sound number or are none at all. */
const notWhole = (from: number, sound: number): readonly string[] => [
  ...[`${from}.5`, `${sound}.5`, `${sound},5`, `${sound}x`, `x${sound}`, `${sound};`, `${sound}-${sound + 1}`],
  ...[`${sound},${sound}`, "many", "NaN", "Infinity", "null", "true", "[]"],
];

/** The same whole number written in other ways, which a server may refuse or read as that number. */
export const otherForms = (number: number): readonly string[] => [
  ...[`+${number}`, `0${number}`, ` ${number}`, `${number} `, `${number}.0`],
  ...[number.toExponential().replace("e+", "e"), `0x${number.toString(16)}`],
];

const statuses = ["http_status_min", "http_status_max"].map(
  (name): FilterValues => ({
    name,
    rule: "WHL-40",
    sound: "404",
    // The bounds themselves are another rule's matter.
    bad: [...outside(httpStatusMin, httpStatusMax), "0", "1", "4", "40", ...notWhole(httpStatusMin, 404)],
    loose: [],
  }),
);

const instants = ["since", "until"].map(
  (name): FilterValues => ({
    name,
    rule: "WHL-36",
    sound: "2026-01-01T00:00:00Z",
    bad: [
      ...["yesterday", "now", "null", "T00:00:00Z", "2026-01-01T00:00:00Zulu", "x2026-01-01T00:00:00Z"],
      ...["2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z"],
      ...["2026-01-01T25:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00+25:00"],
    ],
    // A day that its month does not have, and instants as they are written elsewhere.
    loose: [
      ...["2026-02-30T00:00:00Z", "2026-01-01", "2026-01-01T00:00:00", "1767225600", "2026-1-1T00:00:00Z"],
      ...["Thu, 01 Jan 2026 00:00:00 GMT", " 2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z "],
    ],
  }),
);

const oneChanged = (text: string): string => `${text.slice(0, 2)}${text[2] === "x" ? "y" : "x"}${text.slice(3)}`;

/** The filters whose values can be wrong by themselves, but for `event_type` and `endpoint_id`. */
export const filterValues: readonly FilterValues[] = [
  {
    name: "limit",
    rule: "WHL-22",
    sound: String(deliveryPageMax),
    bad: [...outside(deliveryPageMin, deliveryPageMax), ...notWhole(deliveryPageMin, deliveryPageMax)],
    loose: [],
  },
  {
    name: "outcome",
    rule: "WHL-33",
    sound: outcomes[0] ?? "",
    bad: [
      ...["failure", "failed", "pending", "retries", "retried", "delivered", "error", "*", "null", outcomes.join(",")],
      ...outcomes.flatMap((outcome) => [
        ...[outcome.slice(0, -1), outcome.slice(1), `${outcome}s`, oneChanged(outcome)],
        ...[outcome.toUpperCase(), `${outcome.slice(0, 1).toUpperCase()}${outcome.slice(1)}`],
      ]),
    ],
    loose: outcomes.flatMap((outcome) => [` ${outcome}`, `${outcome} `]),
  },
  ...statuses,
  ...instants,
];
