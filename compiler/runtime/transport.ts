import { type Dispatcher, getGlobalDispatcher } from "undici";
import type { ErrorRow } from "./refusal.ts";

/** Where and as whom a client calls. */
export interface Transport {
  /** Address without a trailing slash, such as `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  /** Bearer token. */
  readonly token: string;
  readonly dispatcher?: Dispatcher;
  /** Milliseconds to wait for a whole answer; 30 seconds when left out. */
  readonly timeout?: number;
  /** Ends calls early; they throw its reason. */
  readonly signal?: AbortSignal;
  /** Is told of each call that was answered, for logs and traces. */
  readonly observed?: (call: ObservedCall) => void;
}

/** A call as it went over the wire, credentials included. */
export interface ObservedCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  readonly status: number;
  /** The body of the answer. */
  readonly answer: Uint8Array;
  /** Milliseconds since the epoch at which it was sent. */
  readonly sentAt: number;
}

/** What a call gave: a payload, or an error. Connection failures throw. */
export type Answer<Data, Refused extends AnswerError = AnswerError> = AnswerHead &
  (
    | { readonly ok: true; readonly data: Data }
    | {
        readonly ok: false;
        readonly error: Refused;
        /** Whole seconds after which to try again; null where the server does not say. */
        readonly retryAfter: number | null;
      }
  );

interface AnswerHead {
  readonly status: number;
  /** Empty where the service identifies no requests. */
  readonly requestId: string;
  /** By names in lower case; what came several times is joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What is common to all errors. */
export interface AnswerError {
  /** Name of the error row; null for what the contract does not list for the operation: go by the status then. */
  readonly row: string | null;
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, string>>;
}

/** An error that the contract does not list for the operation: later versions may add codes. */
export interface UnknownError extends AnswerError {
  readonly row: null;
}

/** An error of one of the named rows. */
export type KnownError<Rows extends Readonly<Record<string, ErrorRow>>, Name extends keyof Rows> = Name extends string
  ? {
      readonly row: Name;
      readonly code: Rows[Name]["code"];
      readonly message: string;
    } & DetailsOf<Rows[Name]["details"]>
  : never;

type DetailsOf<Kind extends ErrorRow["details"]> = Kind extends "none"
  ? { readonly details?: never }
  : Kind extends readonly string[]
    ? { readonly details: { readonly [Key in Kind[number]]: string } }
    : { readonly details: Readonly<Record<string, string>> };

/** Where the parts of error answers stand: JSON Pointers into the body. */
export interface Envelope {
  readonly code: string;
  readonly message: string | null;
  readonly details: string | null;
  /** Name of the header that identifies the request, in lower case. */
  readonly requestId: string | null;
}

/** An answer that is not of the form that the contract gives it. */
export class NotAnEnvelope extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The server answered ${status} without the API's envelope. Check the base URL.`);
    this.name = "NotAnEnvelope";
    this.status = status;
  }
}

type Parameter = string | number | boolean;

interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, Parameter | readonly Parameter[] | undefined>>;
  /** Query parameters whose lists are sent as several parameters, not with commas. */
  readonly repeated?: readonly string[];
  readonly headers?: Readonly<Record<string, Parameter | readonly Parameter[] | undefined>>;
  readonly body?: unknown;
  /** Media type of the body; JSON when left out. */
  readonly media?: string;
  /** What a success answer holds; JSON when left out. */
  readonly expects?: "text" | "bytes" | "nothing";
  /** Members of the answer's body that hold the payload. */
  readonly payload?: readonly string[];
  readonly envelope: Envelope;
  /** Names of the error rows that may answer, and the catalog that they are in. */
  readonly errors: readonly string[];
  readonly rows: Readonly<Record<string, ErrorRow>>;
}

/** A segment that names no record: wherever an address is read, it leads to another path, however it is written. */
const isDots = (segment: string): boolean => segment === "." || segment === "..";

/** Sends one call and reads its answer. Throws a `RangeError` for an id of nothing but one or two dots, which nothing has. */
export async function send<Data, Refused extends AnswerError>(
  transport: Transport,
  call: Call,
): Promise<Answer<Data, Refused>> {
  const { envelope, media = "application/json" } = call;
  if (call.path.split("/").some(isDots))
    throw new RangeError(`${call.path} would lead to another path: no id is "." or "..".`);
  const url = new URL(transport.baseUrl + call.path);
  for (const [name, value] of given(call.query)) {
    const values = Array.isArray(value) && call.repeated?.includes(name) ? value : [value];
    for (const one of values) url.searchParams.append(name, String(one));
  }
  const headers = {
    authorization: `Bearer ${transport.token}`,
    ...(call.body === undefined ? {} : { "content-type": media }),
    ...Object.fromEntries(given(call.headers).map(([name, value]) => [name, String(value)])),
  };
  const body = written(call.body, media);
  const { method } = call;
  const sentAt = Date.now();
  const { status, headers: came, bytes } = await exchanged(transport, url, { method, headers, body });
  transport.observed?.({ method, url: url.href, headers, body, status, answer: bytes, sentAt });
  const told = Object.fromEntries(given(came).map(([name, value]) => [name, String(value)]));
  const head = { status, requestId: told[envelope.requestId ?? ""] ?? "", headers: told };
  if (status >= 200 && status < 300) {
    return { ...head, ok: true, data: payloadIn(bytes, call, status) as Data };
  }
  const error = errorIn(parsed(bytes), status, call);
  return { ...head, ok: false, error: error as Refused, retryAfter: secondsToWait(told["retry-after"]) };
}

/** The error of an answer; throws where it has no code. */
function errorIn(body: unknown, status: number, { envelope, errors, rows }: Call): AnswerError {
  const [code, message] = [at(body, envelope.code), at(body, envelope.message)];
  if (typeof code !== "string") throw new NotAnEnvelope(status);
  const details = at(body, envelope.details) as AnswerError["details"];
  const row = errors.find((name) => {
    const one = rows[name];
    return one?.code === code && admits(one.status, status) && hasForm(one.details, details);
  });
  return {
    row: row ?? null,
    code,
    message: typeof message === "string" ? message : "",
    ...(details === undefined ? {} : { details }),
  };
}

const admits = (allowed: ErrorRow["status"], status: number): boolean =>
  typeof allowed === "number"
    ? allowed === status
    : status >= allowed.from && status <= allowed.to && !allowed.except.includes(status);

/** Whether details are what the row's type says: without them, the error is none that a client knows. */
function hasForm(kind: ErrorRow["details"], details: unknown): boolean {
  if (kind === "none") return true;
  if (typeof details !== "object" || details === null) return false;
  const texts = new Map(Object.entries(details).filter(([, value]) => typeof value === "string"));
  return kind === "fields" ? texts.size === Object.keys(details).length : kind.every((key) => texts.has(key));
}

/** RFC 9110, section 10.2.3: seconds, or a date. */
function secondsToWait(header: string | undefined): number | null {
  if (header === undefined) return null;
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

/** What came of a request. */
interface Came {
  readonly status: number;
  /** As the dispatcher tells them: several of one name are a list. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Uint8Array;
}

/** One request, and the whole answer in the transport's time, read as it comes: a stream and signals of its own cost more. */
function exchanged(
  { timeout = 30_000, signal: ends, dispatcher = getGlobalDispatcher() }: Transport,
  { origin, pathname, search }: URL,
  asked: Pick<Dispatcher.DispatchOptions, "method" | "headers" | "body">,
): Promise<Came> {
  const { promise, resolve, reject } = Promise.withResolvers<Came>();
  const chunks: Uint8Array[] = [];
  let head: Pick<Came, "status" | "headers"> | null = null;
  let givenUp: Error | null = null;
  let abort = (reason: Error): void => {
    givenUp = reason;
  };
  const giveUp = (reason: unknown): void => {
    reject(reason);
    abort(reason instanceof Error ? reason : new Error(String(reason)));
  };
  const end = (): void => giveUp(ends?.reason);
  const timer = setTimeout(() => giveUp(new DOMException("No answer came in time.", "TimeoutError")), timeout);
  ends?.addEventListener("abort", end, { once: true });
  const heard: Dispatcher.DispatchHandler = {
    onRequestStart(controller) {
      abort = (reason) => controller.abort(reason);
      if (givenUp !== null) controller.abort(givenUp);
    },
    onResponseStart(_, status, headers) {
      // What comes before the answer itself.
      if (status >= 200) head = { status, headers };
    },
    onResponseData: (_, chunk) => void chunks.push(chunk),
    onResponseEnd: () => void (head && resolve({ ...head, bytes: Buffer.concat(chunks) })),
    onResponseError: (_, error) => reject(error),
  };
  try {
    if (ends?.aborted) end();
    else dispatcher.dispatch({ origin, path: `${pathname}${search}`, ...asked }, heard);
  } catch (error) {
    // What cannot be sent as it is asked.
    reject(error);
  }
  return promise.finally(() => {
    clearTimeout(timer);
    ends?.removeEventListener("abort", end);
  });
}

const given = <Value>(values: Readonly<Record<string, Value | undefined>> | undefined): [string, Value][] =>
  Object.entries(values ?? {}).filter((entry): entry is [string, Value] => entry[1] !== undefined);

function written(body: unknown, media: string): string | Uint8Array | null {
  if (body === undefined) return null;
  if (/json(;|$)/.test(media)) return JSON.stringify(body);
  return body instanceof Uint8Array ? body : String(body);
}

/** The payload of a success answer; throws where a member of it is missing. */
function payloadIn(bytes: Uint8Array, { expects, payload = [] }: Call, status: number): unknown {
  if (expects === "nothing") return undefined;
  if (expects === "bytes") return bytes;
  if (expects === "text") return new TextDecoder().decode(bytes);
  const body = parsed(bytes);
  if (body === undefined) throw new NotAnEnvelope(status);
  const members = payload.map((name) => [name, at(body, `/${name}`)] as const);
  if (members.some(([, value]) => value === undefined)) throw new NotAnEnvelope(status);
  return members.length === 0 ? body : members.length === 1 ? members[0]?.[1] : Object.fromEntries(members);
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** What stands at a JSON Pointer, if anything. */
export function at(json: unknown, pointer: string | null): unknown {
  if (pointer === null) return undefined;
  return pointer
    .split("/")
    .slice(1)
    .reduce<unknown>(
      (value, name) =>
        typeof value === "object" && value !== null && Object.hasOwn(value, name)
          ? (value as Readonly<Record<string, unknown>>)[name]
          : undefined,
      json,
    );
}
