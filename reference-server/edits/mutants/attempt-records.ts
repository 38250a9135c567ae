import type { Mutant } from "../edit.ts";
import { mutant, mutantOf } from "./mutant.ts";

const list = "routes/deliveries.ts";
const wire = "routes/wire-attempt.ts";
const make = "delivery/make-attempt.ts";
const send = "delivery/send-attempt.ts";
const store = "store/webhook-rows.ts";

const shown = "data: attempts.map((attempt) => wireAttempt(attempt, choices)),";
const showing = (attempts: string): string => shown.replace("attempts.map(", `(${attempts}).map(`);
const outcome = "    outcome: attempt.outcome,";
const type = "    event_type: attempt.eventType,";
const event = "    event_id: attempt.eventId,";
const number = "    attempt: attempt.attempt,";
const recordedHeaders = "      requestHeaders: request.headers,";
const error = "      error: answered ? null : answer.error,";
const excerpt = "const answer = { response_time_ms: responseTimeMs, response_body_excerpt: responseBodyExcerpt };";
const bytes = "      requestBodyBytes: request.body.length,";
const milliseconds = "const milliseconds = () => Math.round(performance.now() - start);";

/** Servers whose records of attempts break a rule. */
export const attemptRecordMutants: readonly Mutant[] = [
  mutant(
    "WHL-51",
    "epoch",
    "takes milliseconds of an attempt for seconds",
    wire,
    "timestamp(attempt.occurredAt, choices.timestampPrecision)",
    "timestamp(Math.floor(attempt.occurredAt / 1000), choices.timestampPrecision)",
  ),
  mutant(
    "WHL-51",
    "local",
    "records attempts in the local time of a place in the east",
    wire,
    "timestamp(attempt.occurredAt, choices.timestampPrecision)",
    "timestamp(attempt.occurredAt + 3_600_000, choices.timestampPrecision)",
  ),
  mutant("WHL-02", "no-url", "leaves the address out", wire, "url: attempt.url,", "...({} as { url: string }),"),
  mutant(
    "WHL-02",
    "no-excerpt",
    "never shows what was answered",
    wire,
    excerpt,
    "const answer = { response_time_ms: responseTimeMs };",
  ),
  mutant(
    "WHL-02",
    "texts",
    "writes the number of bytes as a text",
    wire,
    "request_body_bytes: attempt.requestBodyBytes,",
    "request_body_bytes: String(attempt.requestBodyBytes) as never,",
  ),
  mutant(
    "WHL-03",
    "failed",
    "calls an attempt failed that is tried again",
    wire,
    outcome,
    '    outcome: (attempt.outcome === "retry" ? "failed" : attempt.outcome) as never,',
  ),
  mutant(
    "WHL-03",
    "exhausted",
    "calls the last failure exhausted",
    wire,
    outcome,
    '    outcome: (attempt.outcome === "dead" ? "exhausted" : attempt.outcome) as never,',
  ),
  mutant("WHL-04", "screaming", "names types in capitals", wire, type, type.replace(",", ".toUpperCase() as never,")),
  mutant(
    "WHL-04",
    "dots",
    "writes dots for underscores",
    wire,
    type,
    '    event_type: attempt.eventType.replaceAll("_", ".") as never,',
  ),
  mutant("WHL-05", "bare", "leaves the mark of events out", wire, event, "    event_id: attempt.eventId.slice(4),"),
  mutant(
    "WHL-05",
    "undashed",
    "writes the UUID of an event without dashes",
    wire,
    event,
    '    event_id: attempt.eventId.replaceAll("-", ""),',
  ),
  mutant("WHL-06", "zero", "counts attempts from zero", wire, number, "    attempt: attempt.attempt - 1,"),
  mutant(
    "WHL-06",
    "text",
    "writes numbers of attempts as texts",
    wire,
    number,
    "    attempt: `${attempt.attempt}` as never,",
  ),
  mutant(
    "WHL-07",
    "gaps",
    "counts the waits between attempts too",
    wire,
    number,
    "    attempt: attempt.attempt * 2 - 1,",
  ),
  mutant(
    "WHL-07",
    "always-one",
    "calls every attempt the first",
    wire,
    number,
    "    attempt: Math.min(attempt.attempt, 1),",
  ),
  mutant(
    "WHL-08",
    "last",
    "shows the last attempt of a delivery only",
    list,
    shown,
    showing(
      "attempts.filter((one) => !found.some((other) => other.deliveryId === one.deliveryId && other.attempt > one.attempt))",
    ),
  ),
  mutant(
    "WHL-08",
    "twice",
    "records a first attempt when it begins and when it ends",
    list,
    shown,
    showing(
      'attempts.flatMap((one) => (one.attempt === 1 ? [one, { ...one, id: one.id.replace(/.$/, (end) => (end === "0" ? "1" : "0")) }] : [one]))',
    ),
  ),
  mutant(
    "WHL-08",
    "unanswered",
    "records answered attempts only",
    list,
    shown,
    showing("attempts.filter(({ responseStatus }) => responseStatus !== null)"),
  ),
  mutant(
    "WHL-09",
    "class",
    "records the class of a status",
    store,
    "response_status: attempt.responseStatus ?? noStatus,",
    "response_status: Math.floor((attempt.responseStatus ?? noStatus) / 100) * 100,",
  ),
  mutant(
    "WHL-09",
    "any-success",
    "records every success as the usual one",
    wire,
    "return { response_status: responseStatus, ...answer };",
    'return { response_status: attempt.outcome === "success" ? 200 : responseStatus, ...answer };',
  ),
  mutant(
    "WHL-10",
    "seconds",
    "records seconds",
    send,
    milliseconds,
    "const milliseconds = () => Math.round((performance.now() - start) / 1000);",
  ),
  mutant(
    "WHL-10",
    "microseconds",
    "records microseconds",
    send,
    milliseconds,
    "const milliseconds = () => Math.round((performance.now() - start) * 1000);",
  ),
  mutant(
    "WHL-10",
    "negative",
    "takes the end from the beginning",
    send,
    milliseconds,
    "const milliseconds = () => Math.round(start - performance.now());",
  ),
  mutantOf("WHL-10", "connected", "stops the clock when the request is out", [
    {
      file: send,
      find: 'const answer = await client.request({ method: "POST", path: pathname + search, headers, body, reset: true });',
      replace:
        'const sent = milliseconds();\n      const answer = await client.request({ method: "POST", path: pathname + search, headers, body, reset: true });',
    },
    {
      file: send,
      find: '{ kind: "answered", status: answer.statusCode, excerpt, milliseconds: milliseconds() }',
      replace: '{ kind: "answered", status: answer.statusCode, excerpt, milliseconds: sent }',
    },
  ]),
  mutant(
    "WHL-11",
    "data",
    "takes the digest of the data alone",
    make,
    "      requestBodySha256: request.bodySha256,",
    '      requestBodySha256: (await import("node:crypto")).hash("sha256", JSON.stringify(event.data)),',
  ),
  mutant(
    "WHL-11",
    "sha1",
    "takes another digest",
    make,
    "      requestBodySha256: request.bodySha256,",
    '      requestBodySha256: (await import("node:crypto")).hash("sha1", request.body),',
  ),
  mutant("WHL-12", "one-more", "counts a line break behind the body", make, bytes, bytes.replace(",", " + 1,")),
  mutant(
    "WHL-12",
    "characters",
    "counts characters",
    make,
    bytes,
    "      requestBodyBytes: Buffer.from(request.body).toString().length,",
  ),
  mutant(
    "WHL-13",
    "end",
    "keeps the end of a long body",
    send,
    "const excerpt = excerptOf(await firstBytes(answer.body, excerptBytes + 1), excerptBytes);",
    "const excerpt = excerptOf((await firstBytes(answer.body, mostBodyBytes)).slice(-excerptBytes), excerptBytes);",
  ),
  mutant(
    "WHL-13",
    "escaped",
    "writes the body as markup",
    wire,
    excerpt,
    excerpt.replace("responseBodyExcerpt }", 'responseBodyExcerpt.replaceAll("<", "&lt;") }'),
  ),
  mutant(
    "WHL-13",
    "quoted",
    "writes the body as JSON writes texts",
    wire,
    excerpt,
    excerpt.replace("responseBodyExcerpt }", "JSON.stringify(responseBodyExcerpt) }"),
  ),
  mutant(
    "WHL-13",
    "latin",
    "reads bodies as Latin-1",
    "domain/receiver-answer.ts",
    'new TextDecoder("utf-8", { ignoreBOM: true })',
    'new TextDecoder("latin1", { ignoreBOM: true })',
  ),
  mutant(
    "WHL-14",
    "redacted",
    "hides the signature on record",
    make,
    recordedHeaders,
    '      requestHeaders: { ...request.headers, "X-Svc-Signature": "***" },',
  ),
  mutant(
    "WHL-14",
    "lists",
    "records headers as lists",
    wire,
    "request_headers: headers(attempt.requestHeaders, choices),",
    "request_headers: Object.fromEntries(Object.entries(headers(attempt.requestHeaders, choices)).map(([name, value]) => [name, [value]])) as never,",
  ),
  mutantOf("WHL-14", "own-only", "records only headers that are its own", [
    {
      file: make,
      find: recordedHeaders,
      replace:
        '      requestHeaders: Object.fromEntries(Object.entries(request.headers).filter(([name]) => name.startsWith("X-"))),',
    },
  ]),
  mutant(
    "WHL-15",
    "origin",
    "records the origin only",
    make,
    "url: endpoint.url,",
    "url: new URL(endpoint.url).origin,",
  ),
  mutant(
    "WHL-15",
    "query",
    "records an address without its query",
    make,
    "url: endpoint.url,",
    'url: endpoint.url.replace(/[?].*/, ""),',
  ),
  mutant(
    "WHL-15",
    "short",
    "records the beginning of a long address",
    make,
    "url: endpoint.url,",
    "url: endpoint.url.slice(0, 255),",
  ),
  mutant(
    "WHL-15",
    "scheme",
    "records every address as one of https",
    make,
    "url: endpoint.url,",
    'url: endpoint.url.replace(/^http:/, "https:"),',
  ),
  mutant(
    "WHL-16",
    "failures",
    "takes an answer of failure as an error",
    make,
    error,
    '      error: !answered ? answer.error : outcome === "success" ? null : `the receiver answered ${answer.status}`,',
  ),
  mutant(
    "WHL-16",
    "empty",
    "shows an empty error where there was none",
    make,
    error,
    '      error: answered ? "" : answer.error,',
  ),
  mutant("WHL-17", "null", "never tells an error", make, error, "      error: null,"),
  mutant(
    "WHL-17",
    "object",
    "tells errors as objects",
    wire,
    "    error: attempt.error,",
    "    error: attempt.error && ({ message: attempt.error } as never),",
  ),
];
