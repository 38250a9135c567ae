import { constants } from "../../../generated/constants.ts";
import { errorRows, refuse } from "../../../generated/error-rows.ts";
import { operationList, operations } from "../../../generated/operations.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Mutant } from "../edit.ts";
import {
  inPlaceOf,
  isRefusal,
  parsed,
  refusedWith,
  type WireAnswer,
  type WireRequest,
  withBody,
  withHeaders,
  withMessage,
} from "../wire.ts";
import { wireMutant } from "./mutant.ts";

type Json = Readonly<Record<string, unknown>>;

/** A mutant that answers all requests of the API, and none of its sandbox, in another way. */
const answering = (
  breaks: RuleId,
  name: string,
  does: string,
  change: (answer: WireAnswer, request: WireRequest) => WireAnswer,
): Mutant =>
  wireMutant(breaks, name, does, (serve) => async (request) => {
    const answer = await serve(request);
    const isSandbox = request.operation !== null && operations[request.operation].service === "sandbox";
    return isSandbox ? answer : change(answer, request);
  });

/** A mutant whose successes have another body. */
const succeeding = (breaks: RuleId, name: string, does: string, change: (body: Json) => Json): Mutant =>
  answering(breaks, name, does, (answer) =>
    answer.status < 400 ? withBody(answer, change(Object(parsed(answer.bytes)))) : answer,
  );

/** A mutant whose refusals have another body. */
const failing = (breaks: RuleId, name: string, does: string, change: (body: Json) => Json): Mutant =>
  answering(breaks, name, does, (answer) =>
    answer.status >= 400 ? withBody(answer, change(Object(parsed(answer.bytes)))) : answer,
  );

/** The same for the error in them, given what it says. */
const withError = (breaks: RuleId, name: string, does: string, change: (error: Json) => Json): Mutant =>
  failing(breaks, name, does, ({ error, ...body }) => ({
    ...body,
    error: { ...Object(error), ...change(Object(error)) },
  }));

const declared = (answer: WireAnswer, mediaType: string): WireAnswer =>
  withHeaders(answer, { "content-type": mediaType });

/** The page that a framework returns for an uncaught exception. */
const stackPage = (answer: WireAnswer): WireAnswer => ({
  ...declared(answer, "text/html"),
  status: 500,
  bytes: Buffer.from("<pre>URIError: URI malformed<br>at decodeParam (/srv/app/router/layer.js:172:12)</pre>"),
});

const withCode = (answer: WireAnswer, code: string): WireAnswer => {
  const { error, ...body } = Object(parsed(answer.bytes));
  return withBody(answer, { ...body, error: { ...Object(error), code } });
};

const idHeader = constants.requestIdHeader.toLowerCase();
const { id: getKey } = operations.getApiKey;
const nothingThere = refuse.NotFound("There is nothing at this path.");
const isSingle = (body: Json): boolean => !Array.isArray(body.data);
const isBroken = (bytes: Buffer): boolean => bytes.length > 0 && parsed(bytes) === undefined;

/** The same body where the resource in it has another value for a member. */
const withMember = (body: Json, name: string, change: (value: unknown) => unknown): Json => {
  const data = Object(body.data);
  return name in data ? { ...body, data: { ...data, [name]: change(data[name]) } } : body;
};

/** Statuses of refusals that some operation documents. */
const documented = new Set(operationList.flatMap(({ service, errors }) => (service === "api" ? errors : [])));
const refusalStatuses: readonly number[] = [
  ...new Set(
    Object.entries(errorRows).flatMap(([name, { referenceStatus }]) => (documented.has(name) ? referenceStatus : [])),
  ),
];

const hasDetails = ({ details }: Json): boolean => details !== undefined;

/** Servers that break a rule of the envelope. */
export const envelopeMutants: readonly Mutant[] = [
  answering("ENV-01", "elsewhere", "serves its operations elsewhere", (answer, { operation }) =>
    operation === null ? answer : refusedWith(answer, nothingThere),
  ),
  answering("ENV-01", "failing", "fails whenever it is asked what can be bought", (answer, { operation }) =>
    operation === "listTopUpProducts" && answer.status < 400
      ? refusedWith(answer, refuse.InternalError("It failed."))
      : answer,
  ),
  answering(
    "ENV-01",
    "failing-for-keys",
    "fails at the profile of whoever made a key",
    (answer, { operation, headers }) =>
      operation === "getProfile" && headers.authorization?.includes(constants.liveKeyPrefix) && answer.status < 400
        ? refusedWith(answer, refuse.InternalError("It failed."))
        : answer,
  ),
  answering("ENV-02", "text", "calls success answers plain text", (answer) =>
    answer.status < 400 ? declared(answer, "text/plain") : answer,
  ),
  answering("ENV-02", "characters", "sends as many bytes of an answer as it has characters", (answer) => ({
    ...answer,
    bytes: answer.bytes.subarray(0, answer.bytes.toString().length),
  })),
  answering("ENV-03", "problem", "calls error answers application/problem+json", (answer) =>
    answer.status < 400 ? answer : declared(answer, "application/problem+json"),
  ),
  succeeding("ENV-04", "number", "says success: 1", (body) => ({ ...body, success: 1 })),
  succeeding("ENV-05", "result", "calls the payload result", ({ data, ...body }) => ({ ...body, result: data })),
  succeeding("ENV-06", "null-error", "adds a null error to successes", (body) => ({ ...body, error: null })),
  failing("ENV-07", "string", 'says success: "false"', (body) => ({ ...body, success: "false" })),
  answering("ENV-08", "empty", "leaves the code of an unknown id empty", (answer) => {
    const { error, ...body } = Object(parsed(answer.bytes));
    return isRefusal(answer, "NotFound") ? withBody(answer, { ...body, error: { ...error, code: "" } }) : answer;
  }),
  withError("ENV-09", "object", "makes the message an object", ({ message: text }) => ({ message: { text } })),
  withError("ENV-10", "number", "makes the request id in the body a number", () => ({ request_id: 7 })),
  withError("ENV-11", "other", "repeats another request id in the body", ({ request_id: id }) => ({
    request_id: `${id}-b`,
  })),
  answering("ENV-12", "missing", "sends no request id on success", (answer) =>
    answer.status < 400 ? withHeaders(answer, { [idHeader]: undefined }) : answer,
  ),
  ...refusalStatuses.map((status) =>
    answering("ENV-13", `missing-${status}`, `sends no request id with the status ${status}`, (answer) =>
      answer.status === status ? withHeaders(answer, { [idHeader]: undefined }) : answer,
    ),
  ),
  answering("ENV-14", "constant", "gives every request the same id", (answer) => {
    const { error, ...body } = Object(parsed(answer.bytes));
    const same = error === undefined ? body : { ...body, error: { ...error, request_id: "req_1" } };
    return withHeaders(withBody(answer, same), { [idHeader]: "req_1" });
  }),
  failing("ENV-15", "null-data", "adds null data to errors", (body) => ({ ...body, data: null })),
  withError("ENV-16", "lists", "makes the values of details lists", ({ details }) =>
    details === undefined
      ? {}
      : { details: Object.fromEntries(Object.entries(Object(details)).map(([name, value]) => [name, [value]])) },
  ),
  withError("ENV-17", "empty-details", "sends empty details where there are none", (error) =>
    hasDetails(error) ? {} : { details: {} },
  ),
  withError("ENV-18", "no-details", "leaves details out", () => ({ details: undefined })),
  answering("ENV-19", "shape", "puts the details of the 400 form elsewhere", (answer) => {
    const { error, ...body } = Object(parsed(answer.bytes));
    return isRefusal(answer, "ValidationFailed400")
      ? withBody(answer, { ...body, error: { ...error, fields: error.details } })
      : answer;
  }),
  succeeding("ENV-25", "meta", "adds meta to a single resource", (body) =>
    isSingle(body) ? { ...body, meta: {} } : body,
  ),
  succeeding("ENV-26", "prefixed", "prefixes organization ids", (body) =>
    withMember(body, "org_id", (id) => `org_${id}`),
  ),
  succeeding("ENV-26", "number", "numbers organizations", (body) => withMember(body, "org_id", () => 7)),
  succeeding("ENV-27", "epoch", "tells times as milliseconds since 1970", (body) =>
    withMember(body, "created_at", (time) => Date.parse(String(time))),
  ),
  succeeding("ENV-27", "offset", "tells times with another offset than UTC", (body) =>
    withMember(body, "created_at", (time) => String(time).replace("Z", "+02:00")),
  ),
  answering("ENV-03", "escape", "fails with a stack page on a broken escape in a path", (answer, { path }) =>
    /%(?![0-9a-f]{2})/i.test(path.split("?", 1)[0] ?? "") ? stackPage(answer) : answer,
  ),
  answering("ENV-33", "header", "fails with a stack page on a header that comes twice", (answer, { rawHeaders }) =>
    rawHeaders.filter((name) => name.toLowerCase() === "authorization").length > 1 ? stackPage(answer) : answer,
  ),
  answering("ENV-28", "misspelled", "misspells the code of an unknown record", (answer) =>
    isRefusal(answer, "NotFound") ? withCode(answer, "NOTFOUND") : answer,
  ),
  answering("ENV-28", "status", "answers an unknown id with 410", (answer) =>
    isRefusal(answer, "NotFound") ? { ...answer, status: 410 } : answer,
  ),
  answering("ENV-29", "plain", "answers an unknown path with plain text", (answer, { operation }) =>
    operation === null && isRefusal(answer, "NotFound")
      ? { ...declared(answer, "text/plain"), bytes: Buffer.from("not found") }
      : answer,
  ),
  answering("ENV-30", "bare", "answers a wrong method without a body", (answer) =>
    isRefusal(answer, "MethodNotAllowed") ? { ...answer, bytes: Buffer.alloc(0) } : answer,
  ),
  answering("ENV-31", "not-found", "answers broken JSON as if nothing were there", (answer, { bytes }) =>
    isBroken(bytes) && answer.status === 400 ? refusedWith(answer, nothingThere) : answer,
  ),
  answering("ENV-31", "crash", "fails on broken JSON", (answer, { bytes }) =>
    isBroken(bytes) && answer.status === 400 ? refusedWith(answer, refuse.InternalError("It failed.")) : answer,
  ),
  answering("ENV-32", "other-code", "answers an unhandled failure with another code", (answer) =>
    isRefusal(answer, "InternalError") ? refusedWith(answer, refuse.BillingPortalUnavailable("It failed.")) : answer,
  ),
  answering("ENV-33", "leak", "tells the cause of a failure", (answer) =>
    isRefusal(answer, "InternalError")
      ? withMessage(answer, "Error: a lost connection\n    at Store.key (/srv/store.ts:12:5)")
      : answer,
  ),
  wireMutant(
    "ENV-34",
    "reserved",
    "answers an unknown id with a reserved code",
    inPlaceOf(getKey, "NotFound", refuse.MethodNotAllowed("There is no such API key.", { Allow: "GET" })),
  ),
];
