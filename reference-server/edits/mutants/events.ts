import type { RuleId } from "../../../generated/rules.ts";
import type { Mutant } from "../edit.ts";
import { noteOriginals, originalOf, remembering } from "../port-changes.ts";
import { mutant, mutantOf } from "./mutant.ts";

const request = "domain/delivery-request.ts";
const attempt = "delivery/make-attempt.ts";
const schedule = "domain/retry-schedule.ts";
const signing = "domain/delivery-signature.ts";
const queue = "store/sql-delivery-queue.ts";
const body = "const body = Buffer.from(JSON.stringify(bodyOf(delivery, manner)));";
const mediaType = '"Content-Type": "application/json",';
const ownImport = 'import { timestamp } from "./clock.ts";';
const sender = '"User-Agent": manner.userAgent,';
const ownId = '"X-Svc-Event-ID": event.id,';
const ownType = '"X-Svc-Event-Type": event.type,';
const signature = "signatureHeader(signed, [endpoint.secret], manner.dialect),";
const seconds = "seconds: Math.floor(now / 1000),";
const joined =
  'return [`t=${signed.seconds}`, ...secrets.map((secret) => `v1=${signature(signed, secret, dialect)}`)].join(",");';
const hmac = 'return createHmac("sha256", key).update(prefix).update(body).digest(dialect.encoding);';
const taken = 'if (status !== null && status >= 200 && status <= 299) return { outcome: "success", dueIn: null };';
const givenUp = 'if (wait === undefined || (status === gone && goneIsDead)) return { outcome: "dead", dueIn: null };';
const hour = "3_600_000";

/** A mutant that sends something else. */
const sending = (rule: RuleId, name: string, does: string, find: string, replace: string): Mutant =>
  mutant(rule, name, does, request, find, replace);

/** A mutant that writes the signature's header in another way. */
const written = (name: string, does: string, header: string): Mutant =>
  mutant(
    "EVT-06",
    name,
    does,
    signing,
    joined,
    `const [own] = secrets.map((secret) => signature(signed, secret, dialect));\n  return ${header};`,
  );

/** A mutant that signs something else. */
const signing09 = (name: string, does: string, digest: string): Mutant =>
  mutant("EVT-09", name, does, signing, hmac, `return ${digest};`);

/** A mutant that takes an answer for another. */
const judging = (rule: RuleId, name: string, does: string, find: string, replace: string): Mutant =>
  mutant(rule, name, does, schedule, find, replace);

const isRetry = "delivery.attempts > 0";
const freshId = "`evt_${crypto.randomUUID()}`";

/** Servers that send and record deliveries otherwise than the contract says. */
export const eventMutants: readonly Mutant[] = [
  sending("EVT-02", "text", "declares its body as text", mediaType, '"Content-Type": "text/plain",'),
  sending(
    "EVT-02",
    "vendor",
    "declares a media type of its own",
    mediaType,
    '"Content-Type": "application/vnd.svc.event+json",',
  ),
  sending(
    "EVT-02",
    "form",
    "sends a form",
    body,
    "const body = Buffer.from(`payload=${encodeURIComponent(JSON.stringify(bodyOf(delivery, manner)))}`);",
  ),
  sending(
    "EVT-02",
    "cut",
    "cuts its body off",
    body,
    "const body = Buffer.from(JSON.stringify(bodyOf(delivery, manner)).slice(0, -1));",
  ),
  sending(
    "EVT-02",
    "one-type",
    "declares the body of one type of event as text",
    mediaType,
    '"Content-Type": event.type === "wallet.balance_low" ? "text/plain" : "application/json",',
  ),
  mutantOf("EVT-03", "nameless", "does not name itself", [
    { file: request, find: sender, replace: `...({} as { "User-Agent": string }),` },
  ]),
  sending("EVT-03", "empty", "sends an empty name", sender, '"User-Agent": "",'),
  sending(
    "EVT-03",
    "retry",
    "does not name itself when it tries again",
    sender,
    `...((${isRetry} ? {} : { "User-Agent": manner.userAgent }) as { "User-Agent": string }),`,
  ),
  sending("EVT-04", "bare", "sends the UUID of an event alone", ownId, '"X-Svc-Event-ID": event.id.slice(4),'),
  sending("EVT-04", "upper", "writes ids of events in upper case", ownId, '"X-Svc-Event-ID": event.id.toUpperCase(),'),
  sending(
    "EVT-04",
    "retry",
    "adds the number of the attempt to the event's id",
    ownId,
    `"X-Svc-Event-ID": ${isRetry} ? \`\${event.id}-\${delivery.attempts}\` : event.id,`,
  ),
  sending(
    "EVT-05",
    "constant",
    "writes types in upper case",
    ownType,
    '"X-Svc-Event-Type": event.type.toUpperCase().replaceAll(".", "_"),',
  ),
  sending(
    "EVT-05",
    "british",
    "spells a type in another way",
    ownType,
    '"X-Svc-Event-Type": event.type.replace("canceled", "cancelled"),',
  ),
  sending("EVT-05", "versioned", "adds a version to a type", ownType, '"X-Svc-Event-Type": `${event.type}.v1`,'),
  written("milliseconds", "writes the time of a signature in milliseconds", "`t=${signed.seconds}000,v1=${own}`"),
  written("order", "writes the signature before its time", "`v1=${own},t=${signed.seconds}`"),
  written("spaced", "writes a blank behind the comma", "`t=${signed.seconds}, v1=${own}`"),
  written("bare", "writes the signature alone", "String(own)"),
  written(
    "iso",
    "writes the time of a signature as a date",
    "`t=${new Date(signed.seconds * 1000).toISOString()},v1=${own}`",
  ),
  sending(
    "EVT-07",
    "local",
    "signs with the local time of a place in the east",
    seconds,
    `seconds: Math.floor((now + ${hour}) / 1000),`,
  ),
  sending(
    "EVT-07",
    "hourly",
    "rounds the time of a signature down to the hour before",
    seconds,
    "seconds: Math.floor(now / 3_600_000 - 0.1) * 3600,",
  ),
  mutantOf("EVT-07", "frozen", "signs with the time of its first delivery", [
    remembering(request, ownImport, "let frozen: number | undefined;"),
    { file: request, find: seconds, replace: "seconds: (frozen ??= Math.floor(now / 1000))," },
  ]),
  mutantOf("EVT-07", "replay", "signs a replay with the original's time", [
    noteOriginals,
    { file: request, find: seconds, replace: `seconds: Math.floor((${originalOf}?.createdAt ?? now) / 1000),` },
  ]),
  mutant(
    "EVT-08",
    "latin",
    "signs each byte as a character",
    signing,
    hmac,
    hmac.replace("update(body)", 'update(Buffer.from(body).toString("latin1"))'),
  ),
  mutant(
    "EVT-08",
    "long",
    "signs the beginning of a long body",
    signing,
    hmac,
    hmac.replace("update(body)", "update(body.subarray(0, 16_384))"),
  ),
  mutant(
    "EVT-08",
    "escaped",
    "signs a body with other escapes than it sends",
    signing,
    hmac,
    hmac.replace(
      "update(body)",
      'update(Buffer.from(body).toString().replace(/[^ -~]/g, (c) => `\\\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`))',
    ),
  ),
  sending(
    "EVT-08",
    "retry",
    "sends the signature of the first attempt with a new time",
    signature,
    `${isRetry} ? signatureHeader({ ...signed, seconds: Math.floor(event.createdAt / 1000) }, [endpoint.secret], manner.dialect).replace(/^t=\\d+/, \`t=\${signed.seconds}\`) : ${signature}`,
  ),
  mutantOf("EVT-08", "replay", "signs a replay with another key", [
    noteOriginals,
    {
      file: request,
      find: signature,
      replace: `signatureHeader(signed, [${originalOf} ? Buffer.from(event.organizationId).toString("base64") : endpoint.secret], manner.dialect),`,
    },
  ]),
  mutantOf("EVT-08", "replay-dialect", "signs a replay in another way", [
    noteOriginals,
    {
      file: request,
      find: signature,
      replace: `signatureHeader(signed, [endpoint.secret], ${originalOf} ? { ...manner.dialect, key: "raw" } : manner.dialect),`,
    },
  ]),
  mutantOf("EVT-08", "dialects", "signs every other delivery in another way", [
    remembering(request, ownImport, "let deliveries = 0;"),
    {
      file: request,
      find: signature,
      replace:
        'signatureHeader(signed, [endpoint.secret], ++deliveries % 2 === 0 ? { ...manner.dialect, content: "id-time-body" } : manner.dialect),',
    },
  ]),
  signing09("time", "signs the time alone", 'createHmac("sha256", key).update(prefix).digest(dialect.encoding)'),
  signing09(
    "length",
    "signs the time and the length of the body",
    'createHmac("sha256", key).update(prefix).update(String(body.length)).digest(dialect.encoding)',
  ),
  signing09(
    "key",
    "sends a digest of the secret as the signature",
    'createHmac("sha256", key).digest(dialect.encoding)',
  ),
  mutant(
    "EVT-10",
    "type",
    "records the first type that the endpoint subscribes to",
    attempt,
    "eventType: event.type,",
    "eventType: endpoint.events[0] ?? event.type,",
  ),
  mutant(
    "EVT-10",
    "id",
    "records the id of the delivery as that of its event",
    attempt,
    "eventId: event.id,",
    "eventId: `evt_${delivery.id}`,",
  ),
  sending("EVT-10", "header", "sends an id that is not the event's", ownId, '"X-Svc-Event-ID": `evt_${delivery.id}`,'),
  judging("EVT-11", "queued", "takes 200 for a promise alone", taken, taken.replace("status >= 200", "status > 200")),
  judging(
    "EVT-11",
    "dead",
    "gives up what was answered with 200",
    taken,
    `if (status === 200) return { outcome: "dead", dueIn: null };\n  ${taken}`,
  ),
  judging(
    "EVT-11",
    "empty",
    "wants a text with 200",
    taken,
    `const isEmpty = answer.kind === "answered" && status === 200 && answer.excerpt === "";\n  ${taken.replace("status !== null", "status !== null && !isEmpty")}`,
  ),
  judging("EVT-11", "few", "knows three statuses of success", taken, taken.replace("status <= 299", "status <= 202")),
  judging(
    "EVT-17",
    "silence",
    "takes silence for a success",
    taken,
    taken.replace(
      "status !== null && status >= 200 && status <= 299",
      "status === null || (status >= 200 && status <= 299)",
    ),
  ),
  judging(
    "EVT-12",
    "gone",
    "takes it for a success that a receiver is gone",
    taken,
    taken.replace("status >= 200 && status <= 299", "((status >= 200 && status <= 299) || status === 410)"),
  ),
  judging("EVT-12", "all", "takes every answer for a success", taken, taken.replace("status <= 299", "status <= 599")),
  judging(
    "EVT-12",
    "gateway",
    "takes what a gateway answers for a success",
    taken,
    taken.replace("status >= 200 && status <= 299", "((status >= 200 && status <= 299) || status === 504)"),
  ),
  judging(
    "EVT-12",
    "known",
    "takes a status that it does not know for a success",
    taken,
    taken.replace("status >= 200 && status <= 299", "((status >= 200 && status <= 299) || status > 511)"),
  ),
  sending(
    "EVT-13",
    "header",
    "sends every retry under a new id",
    ownId,
    `"X-Svc-Event-ID": ${isRetry} ? ${freshId} : event.id,`,
  ),
  mutant(
    "EVT-13",
    "record",
    "records every retry under a new id",
    attempt,
    "eventId: event.id,",
    `eventId: ${isRetry} ? ${freshId} : event.id,`,
  ),
  judging(
    "EVT-14",
    "success",
    "sends an event again an hour after it was taken",
    taken,
    taken.replace("dueIn: null", `dueIn: attempt < 4 ? ${hour} : null`),
  ),
  judging(
    "EVT-14",
    "late-success",
    "sends an event again a week after a retry was taken",
    taken,
    taken.replace("dueIn: null", `dueIn: attempt === 2 ? 168 * ${hour} : null`),
  ),
  judging(
    "EVT-14",
    "dead",
    "tries once more after it gave up",
    givenUp,
    givenUp.replace("dueIn: null", `dueIn: attempt < 9 ? 24 * ${hour} : null`),
  ),
  mutant(
    "EVT-15",
    "twice",
    "records twice that it gave up",
    queue,
    'await db.insertInto("delivery_attempts").values(rowOfAttempt(attempt)).execute()',
    'if (attempt.outcome === "dead") await db.insertInto("delivery_attempts").values({ ...rowOfAttempt(attempt), id: crypto.randomUUID() }).execute();\n      await db.insertInto("delivery_attempts").values(rowOfAttempt(attempt)).execute()',
  ),
  judging(
    "EVT-15",
    "never",
    "never gives up",
    "const wait = waits[attempt];",
    "const wait = waits[attempt] ?? 10 * hour;",
  ),
  judging("EVT-15", "silently", "gives up without a word", givenUp, givenUp.replace('"dead"', '"retry"')),
  judging(
    "EVT-15",
    "early",
    "calls the attempt before the last one dead too",
    'return { outcome: "retry", dueIn: wait };',
    'return { outcome: waits[attempt + 1] === undefined ? "dead" : "retry", dueIn: wait };',
  ),
  judging(
    "EVT-15",
    "every",
    "calls every failed attempt dead",
    'return { outcome: "retry", dueIn: wait };',
    'return { outcome: "dead", dueIn: wait };',
  ),
  mutantOf("EVT-16", "header", "sends a replay under the original's event id", [
    noteOriginals,
    { file: request, find: ownId, replace: `"X-Svc-Event-ID": ${originalOf}?.id ?? event.id,` },
  ]),
  mutantOf("EVT-16", "record", "records a replay under the original's event id", [
    noteOriginals,
    { file: attempt, find: "eventId: event.id,", replace: `eventId: ${originalOf}?.id ?? event.id,` },
  ]),
  sending(
    "EVT-16",
    "retry",
    "sends every retry under a new id",
    ownId,
    `"X-Svc-Event-ID": ${isRetry} ? ${freshId} : event.id,`,
  ),
];
