import type { IncomingHttpHeaders } from "node:http";
import { constants } from "../../generated/constants.ts";
import { type ErrorRowName, errorRows } from "../../generated/error-rows.ts";
import { type OperationId, operations } from "../../generated/operations.ts";
import type { Refusal } from "../../generated/runtime/refusal.ts";
import { errorBody, rowOf } from "../http/envelope.ts";
import { newRequestId } from "../http/request-id.ts";

/** A request as it came in. */
export interface WireRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** One of the API or its sandbox; null for what is neither. */
  readonly operation: OperationId | null;
  /** Parameters in the path, as they stand there, by name. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Lower-case. */
  readonly headers: IncomingHttpHeaders;
  /** Name, value, name, value, as they came. This is what the server gets. */
  readonly rawHeaders: readonly string[];
  readonly bytes: Buffer;
}

/** An answer as it goes out. */
export interface WireAnswer {
  readonly status: number;
  /** Lower-case, unless a wire writes them otherwise. Those that tell of the body's length are set anew. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly bytes: Buffer;
}

export type Serve = (request: WireRequest) => Promise<WireAnswer>;

/** Stands between the server and its clients; what it remembers it remembers for one server. */
export type Wire = (serve: Serve) => Serve;

interface Envelope {
  readonly data: Readonly<Record<string, unknown>>;
}

/** The data of a success; null for any other answer, and for data that is no object. */
export function dataOf({ status, bytes }: WireAnswer): Envelope["data"] | null {
  const { data } = Object(status < 300 ? parsed(bytes) : undefined) as Partial<Envelope>;
  return typeof data === "object" && data !== null && !Array.isArray(data) ? data : null;
}

/** The same answer with another body. */
export const withBody = (answer: WireAnswer, body: unknown): WireAnswer => ({
  ...answer,
  bytes: Buffer.from(JSON.stringify(body)),
});

/** The same answer with other data beside what else is in its envelope. */
export const withData = (answer: WireAnswer, data: unknown): WireAnswer =>
  withBody(answer, { ...Object(parsed(answer.bytes)), data });

/** The same answer with these headers; an undefined one is left out. */
export function withHeaders(answer: WireAnswer, headers: Readonly<Record<string, string | undefined>>): WireAnswer {
  const isKept = ([name]: readonly [string, unknown]): boolean => !Object.hasOwn(headers, name.toLowerCase());
  const all = [...Object.entries(answer.headers).filter(isKept), ...Object.entries(headers)];
  return { ...answer, headers: Object.fromEntries(all.flatMap(([name, v]) => (v === undefined ? [] : [[name, v]]))) };
}

/** A refusal of a request that the server is not asked about. */
export function refused(refusal: Refusal): WireAnswer {
  const id = newRequestId();
  const named = Object.entries(refusal.headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    status: rowOf(refusal).referenceStatus,
    headers: {
      ...Object.fromEntries(named),
      "content-type": "application/json",
      [requestIdHeader]: id,
    },
    bytes: Buffer.from(JSON.stringify(errorBody(refusal, id))),
  };
}

/** Whether the answer is a refusal with this row of the catalog. */
export function isRefusal({ status, bytes }: WireAnswer, row: ErrorRowName): boolean {
  const { referenceStatus, code } = errorRows[row];
  return status === referenceStatus && Object(Object(parsed(bytes)).error).code === code;
}

const requestIdHeader = constants.requestIdHeader.toLowerCase();

/** Another refusal in its place. */
export function refusedWith(answer: WireAnswer, refusal: Refusal): WireAnswer {
  // A wire within may write names of headers in another way.
  const header = Object.entries(answer.headers).find(([name]) => name.toLowerCase() === requestIdHeader);
  const body = errorBody(refusal, String(header?.[1]));
  return withBody({ ...answer, status: rowOf(refusal).referenceStatus }, body);
}

/** The same refusal with more to read in its message. */
export function withMessage(answer: WireAnswer, more: string): WireAnswer {
  const { error, ...others } = Object(parsed(answer.bytes));
  return withBody(answer, { ...others, error: { ...error, message: `${error?.message} ${more}` } });
}

/** Bodies that were read: wires stand in rows, each of which reads the same one. */
const read = new WeakMap<Buffer, unknown>();

/** What the bytes say as JSON, for reading alone; undefined when they say nothing. */
export function parsed(bytes: Buffer): unknown {
  if (read.has(bytes)) return read.get(bytes);
  const value = jsonOf(bytes);
  read.set(bytes, value);
  return value;
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Changes the answers to one operation. */
export const onAnswer =
  (to: OperationId, change: (answer: WireAnswer, request: WireRequest) => WireAnswer): Wire =>
  (serve) =>
  async (request) => {
    const answer = await serve(request);
    return request.operation === to ? change(answer, request) : answer;
  };

/** Changes the requests for one operation before the server gets them. */
export const onRequest =
  (to: OperationId, change: (request: WireRequest) => WireRequest): Wire =>
  (serve) =>
  (request) =>
    serve(request.operation === to ? change(request) : request);

/** Header in which refusals say how many seconds to wait, as answers hold it. */
export const retryAfter = errorRows.RateLimited.headers[0].toLowerCase();

/** Changes the seconds that refusals of one operation ask to wait; no header where it gives none. */
export const onRetryAfter = (to: OperationId, change: (seconds: number) => string | undefined): Wire =>
  onAnswer(to, (answer) => {
    const seconds = answer.headers[retryAfter];
    return seconds === undefined ? answer : withHeaders(answer, { [retryAfter]: change(Number(seconds)) });
  });

/** Answers one operation with this refusal wherever the server would with a row of the catalog. */
export const inPlaceOf = (to: OperationId, row: ErrorRowName, refusal: Refusal): Wire =>
  onAnswer(to, (answer) => (isRefusal(answer, row) ? refusedWith(answer, refusal) : answer));

/** Gives details with the refusals of a row that has none. */
export const addingDetails = (to: OperationId, row: ErrorRowName): Wire =>
  onAnswer(to, (answer) => {
    if (!isRefusal(answer, row)) return answer;
    const { error, ...others } = Object(parsed(answer.bytes));
    return withBody(answer, { ...others, error: { ...error, details: { reason: "is why" } } });
  });

/** Changes the data of successes of one operation. */
export const onData = (
  to: OperationId,
  change: (data: Readonly<Record<string, unknown>>, request: WireRequest) => unknown,
): Wire =>
  onAnswer(to, (answer, request) => {
    const data = dataOf(answer);
    return data === null ? answer : withData(answer, change(data, request));
  });

const templates = Object.values(operations).map(({ id, method, path }) => ({
  ...{ id, method },
  pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
}));

/** The operation that a request with this method and path calls, and the parameters in its path. */
export function calledOperation(method: string, path: string): Pick<WireRequest, "operation" | "parameters"> {
  const [pathname = ""] = path.split("?");
  for (const { id, method: its, pattern } of templates) {
    const match = its === method ? pattern.exec(pathname) : null;
    if (match !== null) return { operation: id, parameters: { ...match.groups } };
  }
  return { operation: null, parameters: {} };
}
