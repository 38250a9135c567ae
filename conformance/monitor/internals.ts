/** What the message of a server error must not tell, each with a name for messages. */
const patterns: readonly (readonly [name: string, pattern: RegExp])[] = [
  [
    "a stack frame",
    /\bat [\w$.<>]+ ?\(?[^\s()]+:\d+:\d+\)?|\bTraceback \(most recent call last\)|\.(java|go|py|rb|php|ts|js|cs):\d+/,
  ],
  [
    "an exception",
    /\b(?:Type|Reference|Range|Syntax|Key|Value|Attribute|Integrity|Operational|Argument|NoMethod|Sqlite|Postgres)Error\b|\b\w+Exception\b|\bPrismaClient\w+/,
  ],
  [
    "an exception",
    /\bCannot read propert|\bis not a function\b|\bundefined is not\b|\bnil pointer dereference\b|'NoneType' object|\bpanic: |\bgoroutine \d|\bjava\.lang\.|\bSegmentation fault\b/,
  ],
  [
    "an error of a database",
    /\bSQLITE_[A-Z]+|\bER_[A-Z]{3}[A-Z_]+|\bORA-\d{5}\b|\bconstraint failed\b|\bviolates [\w-]+(?: [\w-]+)? constraint\b|\bduplicate key value\b|\b(?:relation|column|table) \\?["`']?\w+\\?["`']? does not exist\b|\bno such (?:table|column)\b|\bdatabase is locked\b|\bdeadlock detected\b/i,
  ],
  // In lower case the same words are also plain English.
  ["SQL", /\b(SELECT\s.+\sFROM|INSERT\s+INTO|UPDATE\s+\S+\s+SET|DELETE\s+FROM|SQLSTATE)\b/],
  [
    "SQL",
    /\bupdate\s+\\?["`]\w+\\?["`]\s+set\b|\bfrom\s+\\?["`]\w+\\?["`]\s+where\b|\bwhere\s+\\?["`]\w+\\?["`](?:\.\\?["`]\w+\\?["`])?\s*(?:[=<>]|in\b|is\b)|\b(select\s.{1,200}\sfrom|insert\s+into|delete\s+from)\s+\\?["`]\w|\bselect\s+[\w.*, ]+\sfrom\s+\w+\s+where\b|\bsyntax error at or near\b/,
  ],
  [
    "a file path",
    /(?:^|[\s"'(:])(?:\/(?:usr|home|var|etc|opt|srv|app|root|tmp|src)\/\S+|[A-Za-z]:\\\S+)|\bnode_modules\b/,
  ],
  [
    "a host name or address",
    /\b(?:\d{1,3}\.){3}\d{1,3}\b|\blocalhost\b|\b[\w-]+\.(?:internal|local|svc|corp|lan)\b|\bE(?:CONNREFUSED|CONNRESET|NOTFOUND|HOSTUNREACH|TIMEDOUT|AI_AGAIN)\b/,
  ],
];

/** The request id is the caller's business and may look like anything; a kind of error may be named in parts. */
const harmless = /"request_id"\s*:\s*"[^"]*"|"type"\s*:\s*"[a-z_]+(?:\.[a-z_]+)+"/g;

/** Names of the internals that a text shows. */
export function internalsIn(text: string): string[] {
  const shown = text.replace(harmless, "");
  return patterns.filter(([, pattern]) => pattern.test(shown)).map(([name]) => name);
}
