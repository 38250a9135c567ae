import { type Dispatcher, request } from "undici";

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
}

/** What a call gave: a payload, or an error of the catalog. Connection failures throw. */
export type Answer<Data> =
  | { readonly ok: true; readonly status: number; readonly requestId: string; readonly data: Data }
  | { readonly ok: false; readonly status: number; readonly requestId: string; readonly error: AnswerError };

export interface AnswerError {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, string>>;
}

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
}

/** Sends one call and reads its answer. */
export async function send<Data>(transport: Transport, call: Call): Promise<Answer<Data>> {
  const { envelope, media = "application/json" } = call;
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
  const { status, headers: told, bytes } = await exchanged(transport, url, { method: call.method, headers, body });
  const requestId = envelope.requestId === null ? "" : String(told[envelope.requestId] ?? "");
  if (status >= 200 && status < 300) {
    return { ok: true, status, requestId, data: payloadIn(bytes, call, status) as Data };
  }
  const refused = parsed(bytes);
  const [code, message] = [at(refused, envelope.code), at(refused, envelope.message)];
  if (typeof code !== "string") throw new NotAnEnvelope(status);
  const error = { code, message: typeof message === "string" ? message : "" };
  const details = at(refused, envelope.details) as AnswerError["details"];
  return { ok: false, status, requestId, error: details === undefined ? error : { ...error, details } };
}

/** One request, and the whole answer in the transport's time. */
async function exchanged(
  { timeout = 30_000, signal: ends, dispatcher }: Transport,
  url: URL,
  asked: Pick<Dispatcher.RequestOptions, "method" | "headers" | "body">,
) {
  // A signal of its own, of which nothing is left when the answer has come: combined ones and late timers cost more.
  const call = new AbortController();
  const timer = setTimeout(() => call.abort(new DOMException("No answer came in time.", "TimeoutError")), timeout);
  const end = (): void => call.abort(ends?.reason);
  if (ends?.aborted) end();
  ends?.addEventListener("abort", end, { once: true });
  try {
    const options = { ...asked, signal: call.signal, ...(dispatcher ? { dispatcher } : {}) };
    const { statusCode: status, headers, body } = await request(url, options);
    return { status, headers, bytes: await body.bytes() };
  } finally {
    clearTimeout(timer);
    ends?.removeEventListener("abort", end);
  }
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
function at(json: unknown, pointer: string | null): unknown {
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
