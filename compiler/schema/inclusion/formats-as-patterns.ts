/** What a format says about its texts, as a pattern: all that match it are of the format (exact), or none else are. */
export interface FormatPattern {
  readonly pattern: string;
  readonly exact: boolean;
}

const hex = (count: number): string => `[0-9a-fA-F]{${count}}`;
const octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";

export const formatPatterns: ReadonlyMap<string, FormatPattern> = new Map([
  ["uuid", { pattern: `^${[8, 4, 4, 4, 12].map(hex).join("-")}$`, exact: true }],
  ["date", { pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", exact: false }],
  [
    "date-time",
    {
      pattern:
        "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]+)?(?:[Zz]|[+\\-][0-9]{2}:[0-9]{2})$",
      exact: false,
    },
  ],
  ["ipv4", { pattern: `^(?:${octet}\\.){3}${octet}$`, exact: true }],
]);

/** Formats of which every text is one of another format: RFC 3986 and 3987 for addresses, RFC 6531 and 5890 for names. */
const wider: ReadonlyMap<string, readonly string[]> = new Map([
  ["uri", ["uri-reference", "iri", "iri-reference"]],
  ["uri-reference", ["iri-reference"]],
  ["iri", ["iri-reference"]],
  ["email", ["idn-email"]],
  ["hostname", ["idn-hostname"]],
]);

/** Returns true if every text of the one format is one of the other. */
export const isFormatWithin = (one: string, other: string): boolean =>
  one === other || wider.get(one)?.includes(other) === true;
