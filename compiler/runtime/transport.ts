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

/** An answer that is not an envelope of this API. */
export class NotAnEnvelope extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The server answered ${status} without the API's envelope. Check the base URL.`);
    this.name = "NotAnEnvelope";
    this.status = status;
  }
}

interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

/** Sends one call and reads the envelope. */
export async function send<Data>(transport: Transport, call: Call): Promise<Answer<Data>> {
  const url = new URL(transport.baseUrl + call.path);
  for (const [name, value] of Object.entries(call.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, String(value));
  const late = AbortSignal.timeout(transport.timeout ?? 30_000);
  const response = await request(url, {
    method: call.method,
    headers: {
      authorization: `Bearer ${transport.token}`,
      ...(call.body === undefined ? {} : { "content-type": "application/json" }),
      ...Object.fromEntries(Object.entries(call.headers ?? {}).filter(([, value]) => value !== undefined)),
    },
    body: call.body === undefined ? null : JSON.stringify(call.body),
    signal: transport.signal ? AbortSignal.any([late, transport.signal]) : late,
    ...(transport.dispatcher ? { dispatcher: transport.dispatcher } : {}),
  });
  const requestId = String(response.headers["x-request-id"] ?? "");
  const body = envelope(await response.body.text());
  const { statusCode: status } = response;
  if (body?.success === true) return { ok: true, status, requestId, data: body.data as Data };
  if (body?.success === false) return { ok: false, status, requestId, error: body.error as AnswerError };
  throw new NotAnEnvelope(status);
}

function envelope(
  text: string,
): { readonly success?: unknown; readonly data?: unknown; readonly error?: unknown } | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? body : null;
  } catch {
    return null;
  }
}
