import { isUtf8 } from "node:buffer";
import { basePaths, constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { bounds } from "../../../generated/limits.ts";
import { operations } from "../../../generated/operations.ts";
import type { Mutant } from "../edit.ts";
import {
  onAnswer,
  onRequest,
  parsed,
  refusedWith,
  type Wire,
  type WireAnswer,
  type WireRequest,
  withBody,
  withHeaders,
} from "../wire.ts";
import { mutantOf } from "./mutant.ts";

const feed = operations.listDeliveryAttempts.id;
const create = operations.createApiKey.id;
const requestId = constants.requestIdHeader.toLowerCase();

/** Changes the answers to requests for which something holds. */
const where =
  (
    holds: (request: WireRequest, answer: WireAnswer) => boolean,
    change: (answer: WireAnswer, request: WireRequest) => WireAnswer,
  ): Wire =>
  (serve) =>
  async (request) => {
    const answer = await serve(request);
    return holds(request, answer) ? change(answer, request) : answer;
  };

const asPage = (answer: WireAnswer): WireAnswer => ({
  ...withHeaders(answer, { "content-type": "text/html" }),
  bytes: Buffer.from("<h1>Sorry</h1>"),
});
const bare = (answer: WireAnswer): WireAnswer => ({ ...answer, bytes: Buffer.from("") });
const failing = (answer: WireAnswer): WireAnswer => refusedWith(answer, refuse.InternalError("Something went wrong."));

const isUnknownPath = ({ operation, path }: WireRequest, { status }: WireAnswer): boolean =>
  operation === null && status === 404 && path.startsWith(basePaths.api);
const isWrongMethod = ({ operation, method, path }: WireRequest, { status }: WireAnswer): boolean =>
  operation === null && status >= 400 && status !== 404 && method !== "GET" && path.startsWith(basePaths.api);
const accepts = ({ headers }: WireRequest, type: string): boolean => headers.accept?.startsWith(type) === true;
const isBehindCursor = ({ operation, path }: WireRequest, { status }: WireAnswer): boolean =>
  operation === feed && status === 200 && path.includes("cursor=");

/** Changes the `meta` of a page. */
const withMeta =
  (change: (meta: Readonly<Record<string, unknown>>) => object) =>
  (answer: WireAnswer): WireAnswer => {
    const { meta, ...others } = Object(parsed(answer.bytes));
    return withBody(answer, { ...others, meta: change(meta) });
  };

const failingWhere = (holds: (request: WireRequest) => boolean): Wire => where(holds, failing);

/** The query of an address, with a character for each byte. */
const unescapedQuery = (path: string): string =>
  (path.split("?")[1] ?? "").replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/** How often a header came. */
const timesOf = ({ rawHeaders }: WireRequest, header: string): number =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === header).length;

/** Fails at a creation whose body has something in it. */
const failingAt = (text: RegExp): Wire =>
  where(({ operation, bytes }) => operation === create && text.test(bytes.toString()), failing);

/** Servers that break a rule of the envelope, or of a list's, where it is easily forgotten. */
export const envelopeEverywhereMutants: readonly Mutant[] = [
  mutantOf("ENV-29", "post", "answers a creation at an unknown path with a page", [
    { wire: where((request, answer) => isUnknownPath(request, answer) && request.method === "POST", asPage) },
  ]),
  mutantOf("ENV-29", "body", "answers whatever carries a body to an unknown path without one", [
    { wire: where((request, answer) => isUnknownPath(request, answer) && request.bytes.length > 0, bare) },
  ]),
  mutantOf("ENV-29", "slash", "answers a path with a slash at its end with a page", [
    { wire: where((request, answer) => isUnknownPath(request, answer) && request.path.endsWith("/"), asPage) },
  ]),
  mutantOf("ENV-30", "anonymous", "answers a wrong method by nobody without a body", [
    { wire: where((r, answer) => isWrongMethod(r, answer) && r.headers.authorization === undefined, bare) },
  ]),
  mutantOf("ENV-30", "body", "answers a wrong method that carries a body with a page", [
    { wire: where((request, answer) => isWrongMethod(request, answer) && request.bytes.length > 0, asPage) },
  ]),
  mutantOf("ENV-02", "accept", "calls an answer plain text where the client would like that", [
    {
      wire: where(
        (request, { status }) => accepts(request, "text/plain") && status < 300,
        (answer) => withHeaders(answer, { "content-type": "text/plain" }),
      ),
    },
  ]),
  mutantOf("ENV-02", "twice", "sends a second media type, that of plain text", [
    {
      wire: where(
        (_, { status }) => status < 300,
        (answer) => withHeaders(answer, { "content-type": "application/json; charset=utf-8, text/plain" }),
      ),
    },
  ]),
  mutantOf("ENV-03", "accept", "shows a page where a browser asks for what is not there", [
    { wire: where((request, { status }) => accepts(request, "text/html") && status >= 400, asPage) },
  ]),
  mutantOf("ENV-03", "query", "fails with a page at a query that is no text", [
    {
      wire: (serve) => async (request) => {
        const answer = await serve(request);
        return isUtf8(Buffer.from(unescapedQuery(request.path), "latin1"))
          ? answer
          : asPage({ ...answer, status: 500 });
      },
    },
  ]),
  mutantOf("ENV-03", "address", "answers a long address with a page", [
    {
      wire: (serve) => async (request) => {
        const answer = await serve(request);
        return request.path.length > 2000 ? asPage({ ...answer, status: 414 }) : answer;
      },
    },
  ]),
  mutantOf("ENV-11", "echo", "repeats the client's request id in the header alone", [
    {
      wire: where(
        ({ headers }) => headers[requestId] !== undefined,
        (answer, { headers }) => withHeaders(answer, { [requestId]: String(headers[requestId]) }),
      ),
    },
  ]),
  mutantOf("ENV-12", "own", "leaves it to a client that has a request id of its own", [
    {
      wire: where(
        ({ headers }, { status }) => headers[requestId] !== undefined && status < 300,
        (answer) => withHeaders(answer, { [requestId]: undefined }),
      ),
    },
  ]),
  mutantOf("ENV-20", "cursor", "leaves meta out behind a cursor", [
    {
      wire: where(isBehindCursor, (answer) => {
        const { meta: _, ...others } = Object(parsed(answer.bytes));
        return withBody(answer, others);
      }),
    },
  ]),
  mutantOf("ENV-21", "cursor", "counts on the first page only", [
    {
      wire: where(
        isBehindCursor,
        withMeta((meta) => ({ ...meta, total: null })),
      ),
    },
  ]),
  mutantOf("ENV-23", "cursor", "leaves the offset out behind a cursor", [
    {
      wire: where(
        isBehindCursor,
        withMeta(({ offset: _, ...meta }) => meta),
      ),
    },
  ]),
  mutantOf("ENV-22", "filtered", "tells the default as page size where an outcome is asked for", [
    {
      wire: where(
        ({ operation, path }, { status }) => operation === feed && status === 200 && path.includes("outcome="),
        withMeta((meta) => ({ ...meta, limit: bounds.deliveryPageDefault })),
      ),
    },
  ]),
  mutantOf("ENV-22", "hundred", "tells 100 as page size next to it", [
    {
      wire: where(
        ({ operation, path }, { status }) => operation === feed && status === 200 && /limit=(99|101)/.test(path),
        withMeta((meta) => ({ ...meta, limit: 100 })),
      ),
    },
  ]),
  mutantOf("ENV-31", "line-break", "fails on a line break within a text", [{ wire: failingAt(/:"\n/) }]),
  mutantOf("ENV-31", "comment", "finds nothing there where JSON has a comment", [
    {
      wire: onAnswer(create, (answer, { bytes }) =>
        bytes.includes("/*") ? refusedWith(answer, refuse.NotFound("There is nothing here.")) : answer,
      ),
    },
  ]),
  mutantOf("ENV-35", "charset", "reads no body whose charset is named", [
    {
      wire: where(
        ({ headers }) => headers["content-type"]?.includes(";") === true,
        (answer) => refusedWith(answer, refuse.InvalidInput("Send JSON.")),
      ),
    },
  ]),
  mutantOf("ENV-35", "case", "reads no body whose media type is not in lower case", [
    {
      wire: where(
        ({ headers }) => /[A-Z]/.test(headers["content-type"]?.split(";")[0] ?? ""),
        (answer) => refusedWith(answer, refuse.InvalidInput("Send JSON.")),
      ),
    },
  ]),
  mutantOf("ENV-31", "bytes", "fails on bytes between tokens that are no text", [
    { wire: failingWhere(({ bytes }) => !isUtf8(bytes) && !isUtf8(bytes.subarray(0, 4))) },
  ]),
  mutantOf("ENV-36", "bytes", "fails on bytes in a text that are none", [
    { wire: failingWhere(({ bytes }) => !isUtf8(bytes) && isUtf8(bytes.subarray(0, 4))) },
  ]),
  mutantOf("ENV-36", "utf-16", "fails on UTF-16", [{ wire: failingWhere(({ bytes }) => bytes[1] === 0xfe) }]),
  mutantOf("ENV-40", "two-keys", "fails where there are two credentials", [
    { wire: failingWhere((request) => timesOf(request, "authorization") > 1) },
  ]),
  mutantOf("ENV-40", "two-types", "fails where there are two media types", [
    { wire: failingWhere((request) => timesOf(request, "content-type") > 1) },
  ]),
  mutantOf("ENV-40", "two-retries", "fails where there are two idempotency keys", [
    {
      wire: failingWhere((request) => timesOf(request, operations.createLookup.idempotencyHeader.toLowerCase()) > 1),
    },
  ]),
  mutantOf("ENV-41", "replaced", "takes another character for bytes that are no text", [
    { wire: onRequest(create, (request) => ({ ...request, bytes: Buffer.from(request.bytes.toString()) })) },
  ]),
  mutantOf("ENV-41", "message", "takes another character for bytes that are no text in a message", [
    { wire: onRequest("sendMessage", (request) => ({ ...request, bytes: Buffer.from(request.bytes.toString()) })) },
  ]),
  mutantOf("ENV-41", "latin", "reads what is no UTF-8 as Latin-1", [
    {
      wire: onRequest(create, (request) =>
        isUtf8(request.bytes) ? request : { ...request, bytes: Buffer.from(request.bytes.toString("latin1")) },
      ),
    },
  ]),
  mutantOf("ENV-02", "latin", "writes Latin-1", [
    { wire: onAnswer(create, (answer) => ({ ...answer, bytes: Buffer.from(answer.bytes.toString(), "latin1") })) },
  ]),
  mutantOf("ENV-36", "null", "fails on a body that is null", [{ wire: failingAt(/^null$/) }]),
  mutantOf("ENV-36", "surrogate-name", "fails on a member whose name is no Unicode", [
    { wire: failingAt(/"\\ud800":/) },
  ]),
  mutantOf(
    "ENV-36",
    "surrogate-texts",
    "fails on a text that ends as no Unicode does, but for those it does not know",
    [{ wire: failingAt(/[^"]\\ud800"[,}\]]/) }],
  ),
  mutantOf("ENV-36", "surrogate", "fails on text that is no Unicode", [{ wire: failingAt(/\\ud800/) }]),
  mutantOf("ENV-36", "prototype", "fails on a member that JavaScript knows", [{ wire: failingAt(/__proto__/) }]),
  mutantOf("ENV-36", "nested", "fails on deep nesting", [{ wire: failingAt(/\[{200}/) }]),
  mutantOf("ENV-36", "form", "fails on a form", [
    {
      wire: where(
        ({ operation, headers }) => operation === create && headers["content-type"]?.includes("form") === true,
        failing,
      ),
    },
  ]),
];
