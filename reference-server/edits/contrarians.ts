import type { Contrarian } from "./edit.ts";

const envelope = "http/envelope.ts";

/** Servers that obey the document and differ from the reference in what no option flips. */
export const contrarians: readonly Contrarian[] = [
  {
    id: "Q14-additive",
    does: "adds members that the contract does not name to keys, errors and the envelope",
    answers: "Q14",
    changes: [
      {
        file: "routes/api-keys.ts",
        find: "    label: key.label,",
        replace: '    label: key.label, environment: "live", tags: [],\n',
      },
      { file: envelope, find: "({ success: true, data });", replace: "({ success: true, data, links: {} });" },
      {
        file: envelope,
        find: "request_id: requestId, ...details },",
        replace: 'request_id: requestId, type: "about:blank", ...details },',
      },
    ],
  },
  {
    id: "Q15-opaque",
    does: "gives request ids another form",
    answers: "Q15",
    changes: [
      {
        file: "http/request-id.ts",
        find: "`req_${randomUUIDv7()}`",
        replace: 'Buffer.from(randomUUIDv7()).toString("base64url")',
      },
    ],
  },
  {
    id: "Q30-headers",
    does: "words messages in another language and sends more headers",
    answers: "Q30",
    changes: [
      {
        file: envelope,
        find: '    "cache-control": "no-store",',
        replace: '    "cache-control": "private, no-store",\n    "x-served-by": "edge-7",\n    vary: "Origin",',
      },
      {
        file: "domain/api-keys.ts",
        find: 'refuse.NotFound("There is no such API key.")',
        replace: 'refuse.NotFound("Schlüssel nicht gefunden.")',
      },
    ],
  },
  {
    id: "Q33-charset",
    does: "names the charset of its answers",
    answers: "Q33",
    changes: [
      {
        file: envelope,
        find: '"content-type": "application/json",',
        replace: '"content-type": "application/json; charset=utf-8",',
      },
    ],
  },
  {
    id: "Q41-form",
    does: "gives key secrets another form behind the mark",
    answers: "Q41",
    changes: [
      { file: "domain/api-key-secret.ts", find: "const randomLength = 30;", replace: "const randomLength = 44;" },
    ],
  },
  {
    id: "Q17-zero-offset",
    does: "writes UTC as an offset of zero",
    answers: "Q17",
    changes: [
      { file: "domain/clock.ts", find: "      return text;", replace: '      return text.replace("Z", "+00:00");' },
    ],
  },
];
