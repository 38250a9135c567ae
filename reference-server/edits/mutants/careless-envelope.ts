import type { OperationId } from "../../../generated/operations.ts";
import { operationSchemas } from "../../../generated/schemas.ts";
import { keyNotFound } from "../../domain/keys/api-keys.ts";
import { apiOperations } from "../api-operations.ts";
import type { Mutant } from "../edit.ts";
import { idIn } from "../seen.ts";
import {
  isRefusal,
  onAnswer,
  parsed,
  refusedWith,
  type Wire,
  type WireAnswer,
  type WireRequest,
  withBody,
} from "../wire.ts";
import { wireMutant } from "./mutant.ts";

/** Puts another message, or further members, into the error of a failure of the server. */
const failing =
  (error: Readonly<Record<string, string>>): Wire =>
  (serve) =>
  async (request) => {
    const answer = await serve(request);
    if (!isRefusal(answer, "InternalError")) return answer;
    const body = Object(parsed(answer.bytes));
    return withBody(answer, { ...body, error: { ...body.error, ...error } });
  };

/** What the failures of servers that tell too much say, by what they are written in. */
const told: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  javascript: { message: "Cannot read properties of undefined (reading 'id')" },
  java: { message: "java.lang.NullPointerException" },
  go: { message: "runtime error: invalid memory address or nil pointer dereference" },
  python: { message: "'NoneType' object has no attribute 'id'" },
  sqlite: { message: "UNIQUE constraint failed: api_keys.secret_hash" },
  busy: { message: "SQLITE_BUSY: database is locked" },
  postgres: { message: 'relation "api_keys" does not exist' },
  socket: { message: "connect ETIMEDOUT redis-master:6379" },
  class: { exception: "SqliteError" },
};

/** What a framework shows where nobody thought of an answer. */
const page = (status: number): WireAnswer => ({
  status,
  headers: { "content-type": "text/html" },
  bytes: Buffer.from("<html><body>Error</body></html>"),
});

const isChunked = ({ headers }: WireRequest): boolean => headers["transfer-encoding"] === "chunked";

/** Operations that take no body and are called with a method that may have one. */
const bodiless: readonly (OperationId | null)[] = apiOperations
  .filter(({ id, method }) => method !== "GET" && operationSchemas[id].body === null)
  .map(({ id }) => id);

/** Answers unknown paths that these are with an empty success. */
const findingAnything =
  (isFound: (segments: number) => boolean, data: unknown): Wire =>
  (serve) =>
  async (request) => {
    const answer = await serve(request);
    const isUnknown = request.operation === null && request.method === "GET" && request.path.includes("/bylaw-");
    return isUnknown && isRefusal(answer, "NotFound") && isFound(request.path.split("/").length)
      ? { ...withBody(answer, { success: true, data }), status: 200 }
      : answer;
  };

/** Servers whose envelope is wrong where few look. */
export const carelessEnvelopeMutants: readonly Mutant[] = [
  ...Object.entries(told).map(([name, error]) =>
    wireMutant("ENV-33", name, `says of a failure: ${Object.values(error).join()}`, failing(error)),
  ),
  wireMutant(
    "ENV-31",
    "bodiless",
    "shows a page where an operation without a body gets broken JSON",
    (serve) => async (request) =>
      bodiless.includes(request.operation) && request.bytes.length > 0 && parsed(request.bytes) === undefined
        ? page(400)
        : serve(request),
  ),
  wireMutant(
    "ENV-36",
    "bodiless",
    "shows a page where an operation without a body gets a list",
    (serve) => async (request) =>
      bodiless.includes(request.operation) && Array.isArray(parsed(request.bytes)) ? page(500) : serve(request),
  ),
  wireMutant(
    "ENV-03",
    "large",
    "shows a page where a body is larger than 100 KiB",
    (serve) => async (request) => (request.bytes.length > 102_400 ? page(413) : serve(request)),
  ),
  wireMutant(
    "ENV-29",
    "nothing",
    "finds nothing, and says so as a success, at unknown paths",
    findingAnything((segments) => segments === 3, null),
  ),
  wireMutant(
    "ENV-29",
    "none",
    "lists nothing at unknown paths below a record",
    findingAnything((segments) => segments > 4, []),
  ),
  ...(["getMessage", "getLookup"] as const).map((operation) =>
    wireMutant(
      "ENV-37",
      `length-${operation}`,
      `minds but the length of an id at ${operation}`,
      onAnswer(operation, (answer, request) =>
        answer.status === 400 && idIn(request).length === 36 ? refusedWith(answer, keyNotFound()) : answer,
      ),
    ),
  ),
  wireMutant(
    "ENV-44",
    "length",
    "reads as many bytes of a body as its length says, and none where that is missing",
    (serve) => async (request) => serve(isChunked(request) ? { ...request, bytes: Buffer.alloc(0) } : request),
  ),
  wireMutant(
    "ENV-03",
    "chunked",
    "fails with a page if a body has no length",
    (serve) => async (request) => (isChunked(request) ? page(500) : serve(request)),
  ),
];
