import { constants } from "../../../generated/constants.ts";
import type { ErrorRowName } from "../../../generated/error-rows.ts";
import type { BucketName } from "../../../generated/limits.ts";
import { type OperationId, operations } from "../../../generated/operations.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Mutant } from "../edit.ts";
import { drawingTogether, drawsFrom, storing } from "../port-changes.ts";
import { dataOf, isRefusal, onAnswer, onData, onRequest, type Wire, withHeaders } from "../wire.ts";
import { bodyOf, withKey, withRequestBody } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const rateLimit = "http/rate-limit.ts";

const tokenOf = (header: string | undefined): string => header?.replace(/^bearer +/i, "") ?? "";

/** A mutant that admits whoever asks again after a refusal, for one limit. */
const insistent = (breaks: RuleId, bucket: BucketName): Mutant =>
  mutantOf(breaks, `insistent-${bucket}`, `admits who asks a third time where ${bucket} has no room`, [
    storing((store) => {
      const refusals = new Map<string, number>();
      return {
        async draw(organizationId, draw) {
          const drawn = await store.draw(organizationId, draw);
          if (!drawsFrom(draw, bucket)) return drawn;
          const count = drawn.admitted ? 0 : (refusals.get(organizationId) ?? 0) + 1;
          refusals.set(organizationId, count % 3);
          return count === 3 ? { admitted: true } : drawn;
        },
      };
    }),
  ]);

/** A bucket of calls for each value in place of one for all. */
const perValue = (breaks: RuleId, name: string, does: string, bucket: string, value: string): Mutant =>
  mutant(
    breaks,
    name,
    does,
    rateLimit,
    "bucket: each.bucket,",
    `bucket: (each.bucket.startsWith("${bucket}") ? \`\${each.bucket} \${${value}}\` : each.bucket) as never,`,
  );

/** Asks throttled calls of an operation to wait for a day. */
const aDay = (operation: OperationId): Mutant =>
  wireMutant(
    "LIM-14",
    `day-${operation}`,
    `asks throttled calls of ${operation} to wait for a day`,
    onAnswer(operation, (answer) =>
      isRefusal(answer, "RateLimited") ? withHeaders(answer, { "retry-after": "86400" }) : answer,
    ),
  );

/** Serves calls that it refused twice in this way. */
const relenting = (operation: OperationId, row: ErrorRowName, change: Parameters<typeof onRequest>[1]): Wire => {
  return (serve) => {
    let refusals = 0;
    return async (request) => {
      const answer = await serve(request);
      if (request.operation !== operation || !isRefusal(answer, row)) return answer;
      refusals += 1;
      return refusals % 3 === 0 ? serve(change(request)) : answer;
    };
  };
};

export const repeatedFaultMutants: readonly Mutant[] = [
  insistent("KEYC-30", "apiKeyWrites"),
  insistent("WHP-23", "deliveryReplays"),
  insistent("LIM-19", "contactErasures"),
  insistent("LIM-15", "consentRecords"),
  insistent("LIM-16", "consentRecords"),
  insistent("LIM-01", "messageSendsPerSecond"),
  insistent("LIM-06", "messageSendsPerMinute"),
  perValue(
    "LIM-01",
    "per-recipient",
    "keeps a limit of sends for every recipient",
    "messageSends",
    "(exchange.input.body as { readonly to?: unknown }).to",
  ),
  perValue(
    "LIM-06",
    "per-recipient",
    "keeps a limit of a minute for every recipient",
    "messageSendsPerMinute",
    "(exchange.input.body as { readonly to?: unknown }).to",
  ),
  perValue(
    "LIM-19",
    "per-number",
    "keeps a limit of erasures for every contact",
    "contactErasures",
    "exchange.request.url",
  ),
  ...(["captureConsent", "captureConsentBatch", "eraseContact", "sendMessage", "replayDelivery"] as const).map(aDay),
  mutantOf("TEN-16", "erasures", "keeps one limit of erasures for all organizations", [
    drawingTogether((draw) => drawsFrom(draw, "contactErasures")),
  ]),
  perValue("TEN-17", "erasures", "keeps a limit of erasures for every key", "contactErasures", "caller.id"),
  wireMutant("KEYR-04", "elsewhere", "takes a replaced secret for whatever does not read keys", (serve) => {
    const current = new Map<unknown, string>();
    const next = new Map<string, string>();
    return async (request) => {
      const renewed = next.get(tokenOf(request.headers.authorization));
      const isTaken = renewed !== undefined && request.operation === operations.listDeliveryAttempts.id;
      const answer = await serve(isTaken ? withKey(request, renewed) : request);
      const data = dataOf(answer);
      if (typeof data?.plaintext === "string") {
        const before = current.get(request.parameters.id ?? data.id);
        if (before !== undefined) next.set(before, data.plaintext);
        current.set(data.id, data.plaintext);
      }
      return answer;
    };
  }),
  wireMutant(
    "ENV-02",
    "no-content",
    "says nothing where an endpoint was deleted",
    onAnswer("deleteWebhookEndpoint", (answer) =>
      answer.status < 300
        ? { ...answer, status: 204, headers: { ...answer.headers, "content-type": [] }, bytes: Buffer.alloc(0) }
        : answer,
    ),
  ),
  wireMutant("ENV-30", "put", "shows a page where a known path is put to", (serve) => async (request) => {
    const answer = await serve(request);
    return request.method === "PUT" && request.operation === null
      ? { ...answer, headers: { ...answer.headers, "content-type": "text/html" }, bytes: Buffer.from("<h1>405</h1>") }
      : answer;
  }),
  wireMutant("WHP-20", "same-reason", "gives replays for one reason one audit record", (serve) => {
    const records = new Map<string, unknown>();
    return onData("replayDelivery", (data, request) => {
      const { reason } = Object(bodyOf(request));
      if (typeof reason !== "string") return data;
      const known = records.get(reason) ?? data.audit_log_id;
      records.set(reason, known);
      return { ...data, audit_log_id: known };
    })(serve);
  }),
  wireMutant("WHP-20", "third", "gives the third replay of a delivery the event id of the first", (serve) => {
    const ids = new Map<unknown, unknown[]>();
    return onData("replayDelivery", (data) => {
      const all = ids.get(data.delivery_id) ?? [];
      ids.set(data.delivery_id, [...all, data.new_event_id]);
      return all.length >= 2 ? { ...data, new_event_id: all[0] } : data;
    })(serve);
  }),
  ...(["52", "7"] as const).map((code) =>
    wireMutant(
      "LKP-03",
      `code-${code}`,
      `takes numbers of the calling code ${code} for those of the United States`,
      onRequest("createLookup", (request) => {
        const body = Object(bodyOf(request));
        const [name] = Object.keys(body).filter((key) => String(body[key]).startsWith(`+${code}`));
        return name === undefined ? request : withRequestBody(request, { ...body, [name]: "+12025550123" });
      }),
    ),
  ),
  wireMutant(
    "LKP-03",
    "third",
    "serves who asks a third time for a number of another region",
    relenting("createLookup", "LookupUnsupportedRegion", (request) => {
      const body = Object(bodyOf(request));
      const [name = ""] = Object.keys(body).filter((key) => String(body[key]).startsWith("+"));
      return withRequestBody(request, { ...body, [name]: "+12025550123" });
    }),
  ),
  wireMutant("LKP-18", "third", "reads another line type the third time", (serve) => {
    const reads = new Map<unknown, number>();
    return onData("getLookup", (data) => {
      const count = (reads.get(data.id) ?? 0) + 1;
      reads.set(data.id, count);
      return count === 3
        ? { ...data, line_type: data.line_type === constants.voipLine ? constants.mobileLine : constants.voipLine }
        : data;
    })(serve);
  }),
  wireMutant("MSG-34", "third", "takes the bypass of quiet hours who asks a third time", (serve) => {
    let refusals = 0;
    return async (request) => {
      const answer = await serve(request);
      if (request.operation !== "sendMessage" || !isRefusal(answer, "QuietHoursBypassForbidden")) return answer;
      refusals += 1;
      const { bypass_quiet_hours: _, ...body } = Object(bodyOf(request));
      return refusals % 3 === 0 ? serve(withRequestBody(request, body)) : answer;
    };
  }),
];
