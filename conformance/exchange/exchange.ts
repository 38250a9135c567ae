/** One request and what came of it. */
export interface Exchange {
  /** Position in the run, from 1. */
  readonly number: number;
  /** Id of the contract's operation when method and path are one's; null otherwise. */
  readonly operation: string | null;
  readonly request: SentRequest;
  /** What stands before a server may have refused the request by itself, as odd HTTP. */
  readonly isOddHttp?: boolean;
  readonly outcome: Outcome;
  /** Milliseconds since the epoch, on the kit's clock. */
  readonly sentAt: number;
  readonly answeredAt: number;
}

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Headers that came a second time, after those. */
  readonly repeatedHeaders?: RepeatedHeaders;
  /** The bytes as text; null when there was no body. */
  readonly body: string | null;
  /** The bytes in base64, where they are no UTF-8. */
  readonly bodyBase64?: string;
}

/** Name and value of headers that a request has already. */
export type RepeatedHeaders = readonly (readonly [name: string, value: string])[];

export type Outcome = Response | Lost;

export interface Response {
  readonly kind: "response";
  readonly status: number;
  /** Lower-case names; values of repeated headers joined by a comma and a space. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as JSON; undefined when it is none, as what is no UTF-8. */
  readonly json: unknown;
  /** The body was longer than the kit reads. */
  readonly truncated: boolean;
}

export interface Lost {
  readonly kind: "lost";
  readonly reason: "refused" | "reset" | "timeout" | "tls" | "unresolved" | "not-http" | "other";
  readonly message: string;
}

/** The status, or null when no response came. */
export const statusOf = ({ outcome }: Exchange): number | null => (outcome.kind === "response" ? outcome.status : null);

/** The `data` of a success envelope; undefined when the exchange is none. */
export function dataOf({ outcome }: Exchange): unknown {
  const body = outcome.kind === "response" ? objectOf(outcome.json) : null;
  return body?.success === true ? body.data : undefined;
}

/** The `error` of an error envelope; null when the exchange is none. */
export function errorOf({ outcome }: Exchange): Readonly<Record<string, unknown>> | null {
  const body = outcome.kind === "response" ? objectOf(outcome.json) : null;
  return body?.success === false ? objectOf(body.error) : null;
}

/** What stands beside the `error` of an error envelope as its `data`; undefined when there is none. */
export function errorDataOf({ outcome }: Exchange): unknown {
  const body = outcome.kind === "response" ? objectOf(outcome.json) : null;
  return body?.success === false ? body.data : undefined;
}

/** The `error.code` of an error envelope; null when there is none. */
export function codeOf(exchange: Exchange): string | null {
  const code = errorOf(exchange)?.code;
  return typeof code === "string" ? code : null;
}

/** A header of the response; null when it or the response is missing. */
export const headerOf = ({ outcome }: Exchange, name: string): string | null =>
  outcome.kind === "response" ? (outcome.headers[name.toLowerCase()] ?? null) : null;

/** Any 2xx with a success envelope. */
export function isSuccess(exchange: Exchange): boolean {
  const status = statusOf(exchange);
  return status !== null && status >= 200 && status < 300 && dataOf(exchange) !== undefined;
}

/** Whether two calls were under way at one time. */
export const areAtOnce = (one: Timed, other: Timed): boolean =>
  one.sentAt < other.answeredAt && other.sentAt < one.answeredAt;

type Timed = Pick<Exchange, "sentAt" | "answeredAt">;

/** In short, for messages: status and code, or what became of the request. */
export function summaryOf(exchange: Exchange): string {
  const { outcome } = exchange;
  if (outcome.kind === "lost") return `no response (${outcome.reason}: ${outcome.message})`;
  const code = codeOf(exchange);
  if (code !== null) return `${outcome.status} ${code}`;
  return dataOf(exchange) === undefined ? `${outcome.status} without the envelope` : `${outcome.status} success`;
}

/** A plain object, or null. */
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> | null => (isObject(value) ? value : null);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
