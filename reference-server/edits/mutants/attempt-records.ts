import { hash } from "node:crypto";
import type { DeliveryAttempt } from "../../../generated/models/deliveries.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Answered } from "../../domain/deliveries/receiver-answer.ts";
import type { Change, Mutant } from "../edit.ts";
import { onRecords } from "../feed-records.ts";
import { receiving, settling } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

/** A mutant that shows other members in place of a record's own; an undefined one is left out. */
const showing = (
  breaks: RuleId,
  name: string,
  does: string,
  change: (record: DeliveryAttempt) => Readonly<Record<string, unknown>>,
): Mutant =>
  wireMutant(
    breaks,
    name,
    does,
    onRecords((record) => ({ ...record, ...change(record) })),
  );

/** A mutant that shows the excerpt of an answer in another way. */
const excerpted = (name: string, does: string, change: (excerpt: string) => string): Mutant =>
  showing("WHL-13", name, does, ({ response_body_excerpt: excerpt }) => ({
    response_body_excerpt: typeof excerpt === "string" ? change(excerpt) : excerpt,
  }));

const timed = (name: string, does: string, change: (milliseconds: number) => number): Mutant =>
  mutantOf("WHL-10", name, does, [
    receiving((answer) => ({ ...answer, milliseconds: Math.round(change(answer.milliseconds)) })),
  ]);

const addressed = (name: string, does: string, change: (url: string) => string): Mutant =>
  showing("WHL-15", name, does, ({ url }) => ({ url: change(url) }));

const hour = 3_600_000;

/** Counts the characters of what is sent for its bytes. */
const countingCharacters: Change = {
  ports(ports) {
    const characters = new Map<string, number>();
    const noting = withMembers(ports.sender, {
      send(request) {
        characters.set(hash("sha256", request.body), Buffer.from(request.body).toString().length);
        return ports.sender.send(request);
      },
    });
    const counting = settling(({ attempt, nextDueAt }) => ({
      nextDueAt,
      attempt: {
        ...attempt,
        requestBodyBytes: characters.get(attempt.requestBodySha256) ?? attempt.requestBodyBytes,
      },
    }));
    return counting.ports({ ...ports, sender: noting });
  },
};

/** Servers whose records of attempts break a rule. */
export const attemptRecordMutants: readonly Mutant[] = [
  showing("WHL-51", "epoch", "takes milliseconds of an attempt for seconds", ({ occurred_at: at }) => ({
    occurred_at: new Date(Math.floor(Date.parse(at) / 1000)).toISOString(),
  })),
  showing("WHL-51", "local", "records attempts in the local time of a place in the east", ({ occurred_at: at }) => ({
    occurred_at: new Date(Date.parse(at) + hour).toISOString(),
  })),
  showing("WHL-02", "no-url", "leaves the address out", () => ({ url: undefined })),
  showing("WHL-02", "no-excerpt", "never shows what was answered", () => ({ response_body_excerpt: undefined })),
  showing("WHL-02", "texts", "writes the number of bytes as a text", ({ request_body_bytes: bytes }) => ({
    request_body_bytes: String(bytes),
  })),
  showing("WHL-03", "failed", "calls an attempt failed that is tried again", ({ outcome }) => ({
    outcome: outcome === "retry" ? "failed" : outcome,
  })),
  showing("WHL-03", "exhausted", "calls the last failure exhausted", ({ outcome }) => ({
    outcome: outcome === "dead" ? "exhausted" : outcome,
  })),
  showing("WHL-04", "screaming", "names types in capitals", ({ event_type: type }) => ({
    event_type: type.toUpperCase(),
  })),
  showing("WHL-04", "dots", "writes dots for underscores", ({ event_type: type }) => ({
    event_type: type.replaceAll("_", "."),
  })),
  showing("WHL-05", "bare", "leaves the mark of events out", ({ event_id: id }) => ({ event_id: id.slice(4) })),
  showing("WHL-05", "undashed", "writes the UUID of an event without dashes", ({ event_id: id }) => ({
    event_id: id.replaceAll("-", ""),
  })),
  showing("WHL-06", "zero", "counts attempts from zero", ({ attempt }) => ({ attempt: attempt - 1 })),
  showing("WHL-06", "text", "writes numbers of attempts as texts", ({ attempt }) => ({ attempt: `${attempt}` })),
  showing("WHL-07", "gaps", "counts the waits between attempts too", ({ attempt }) => ({ attempt: attempt * 2 - 1 })),
  showing("WHL-07", "always-one", "calls every attempt the first", () => ({ attempt: 1 })),
  wireMutant("WHL-08", "last", "shows the last attempt of a delivery only", (serve) => {
    const numbers = new Map<string, number>();
    const of = ({ endpoint_id: endpoint, event_id: event }: DeliveryAttempt): string => `${endpoint} ${event}`;
    const noting = onRecords((record) => {
      numbers.set(of(record), Math.max(record.attempt, numbers.get(of(record)) ?? 0));
      return record;
    })(serve);
    return onRecords((record) => (record.attempt === numbers.get(of(record)) ? record : []))(noting);
  }),
  wireMutant(
    "WHL-08",
    "twice",
    "records a first attempt when it begins and when it ends",
    onRecords((record) =>
      record.attempt === 1
        ? [record, { ...record, id: record.id.replace(/.$/, (end) => (end === "0" ? "1" : "0")) }]
        : record,
    ),
  ),
  wireMutant(
    "WHL-08",
    "unanswered",
    "records answered attempts only",
    onRecords((record) => (typeof record.response_status === "number" ? record : [])),
  ),
  showing("WHL-09", "class", "records the class of a status", ({ response_status: status }) => ({
    response_status: typeof status === "number" ? Math.floor(status / 100) * 100 : status,
  })),
  showing(
    "WHL-09",
    "any-success",
    "records every success as the usual one",
    ({ outcome, response_status: status }) => ({
      response_status: outcome === "success" ? 200 : status,
    }),
  ),
  timed("seconds", "records seconds", (milliseconds) => milliseconds / 1000),
  timed("microseconds", "records microseconds", (milliseconds) => milliseconds * 1000),
  timed("negative", "takes the end from the beginning", (milliseconds) => -milliseconds),
  timed("connected", "stops the clock when the request is out", () => 0),
  mutantOf("WHL-11", "data", "takes the digest of the data alone", [
    settling(({ attempt, nextDueAt }, { event }) => ({
      nextDueAt,
      attempt: { ...attempt, requestBodySha256: hash("sha256", JSON.stringify(event.data)) },
    })),
  ]),
  showing("WHL-11", "sha1", "takes another digest", ({ request_body_sha256: digest }) => ({
    request_body_sha256: hash("sha1", digest),
  })),
  showing("WHL-12", "one-more", "counts a line break behind the body", ({ request_body_bytes: bytes }) => ({
    request_body_bytes: bytes + 1,
  })),
  mutantOf("WHL-12", "characters", "counts characters", [countingCharacters]),
  mutantOf("WHL-13", "end", "keeps the end of what it reads of a body", [
    receiving((answer) => (answer.kind === "answered" ? endOf(answer) : answer)),
  ]),
  excerpted("escaped", "writes the body as markup", (excerpt) => excerpt.replaceAll("<", "&lt;")),
  excerpted("quoted", "writes the body as JSON writes texts", (excerpt) => JSON.stringify(excerpt)),
  excerpted("latin", "reads bodies as Latin-1", (excerpt) => Buffer.from(excerpt).toString("latin1")),
  ...(
    [
      ["line", "ends an excerpt at the first line break within it", /(?<=\S)\r?\n.*$/s],
      ["quote", "ends an excerpt at the first quotation mark", /(?<=.)".*$/s],
      ["tag", "ends an excerpt where markup begins", /(?<=.)<.*$/s],
      [
        "plane",
        "ends an excerpt at the first character beyond the first plane of Unicode",
        /(?<=.)[\u{10000}-\u{10FFFF}].*$/su,
      ],
    ] as const
  ).map(([name, does, rest]) => excerpted(name, does, (excerpt) => excerpt.replace(rest, ""))),
  showing("WHL-14", "redacted", "hides the signature on record", ({ request_headers: headers }) => ({
    request_headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, name.endsWith("Signature") ? "***" : value]),
    ),
  })),
  showing("WHL-14", "lists", "records headers as lists", ({ request_headers: headers }) => ({
    request_headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
  })),
  showing("WHL-14", "own-only", "records only headers that are its own", ({ request_headers: headers }) => ({
    request_headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("X-"))),
  })),
  addressed("origin", "records the origin only", (url) => new URL(url).origin),
  addressed("query", "records an address without its query", (url) => url.replace(/[?].*/, "")),
  addressed("short", "records the beginning of a long address", (url) => url.slice(0, 255)),
  addressed("scheme", "records every address as one of https", (url) => url.replace(/^http:/, "https:")),
  showing("WHL-16", "failures", "takes an answer of failure as an error", (record) => ({
    error:
      typeof record.response_status === "number" && record.outcome !== "success"
        ? `the receiver answered ${record.response_status}`
        : record.error,
  })),
  showing("WHL-16", "empty", "shows an empty error where there was none", ({ error }) => ({ error: error ?? "" })),
  showing("WHL-17", "null", "never tells an error", () => ({ error: null })),
  showing("WHL-17", "object", "tells errors as objects", ({ error }) => ({ error: error && { message: error } })),
];

/** Half of the excerpt at least is lost where the body was long. */
const endOf = (answer: Answered): Answered => ({ ...answer, excerpt: answer.excerpt.slice(-512) });
