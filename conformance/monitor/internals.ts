/** What the message of a server error must not tell, each with a name for messages. */
const patterns: readonly (readonly [name: string, pattern: RegExp])[] = [
  [
    "a stack frame",
    /\bat [\w$.<>]+ ?\(?[^\s()]+:\d+:\d+\)?|\bTraceback \(most recent call last\)|\.(java|go|py|rb|php|ts|js|cs):\d+/,
  ],
  // In lower case the same words are also plain English.
  ["SQL", /\b(SELECT\s.+\sFROM|INSERT\s+INTO|UPDATE\s+\S+\s+SET|DELETE\s+FROM|SQLSTATE)\b/],
  [
    "SQL",
    /\b(select|from|into|update|set|where)\s+\\?["`]\w|\bselect\s+[\w.*, ]+\sfrom\s+\w+\s+where\b|\bsyntax error at or near\b/,
  ],
  [
    "a file path",
    /(?:^|[\s"'(:])(?:\/(?:usr|home|var|etc|opt|srv|app|root|tmp|src)\/\S+|[A-Za-z]:\\\S+)|\bnode_modules\b/,
  ],
  [
    "a host name or address",
    /\b(?:\d{1,3}\.){3}\d{1,3}\b|\blocalhost\b|\b[\w-]+\.(?:internal|local|svc|corp|lan)\b|\bE(?:CONNREFUSED|NOTFOUND|HOSTUNREACH)\b/,
  ],
];

/** Names of the internals that a text shows; the request id is the caller's business and may look like anything. */
export function internalsIn(text: string): string[] {
  const shown = text.replace(/"request_id"\s*:\s*"[^"]*"/g, "");
  return patterns.filter(([, pattern]) => pattern.test(shown)).map(([name]) => name);
}
