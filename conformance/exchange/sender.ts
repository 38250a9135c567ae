import { Agent, type Dispatcher, errors, request } from "undici";
import { operationList } from "../../generated/operations.ts";
import type { Exchange, Lost, Outcome, Response, SentRequest } from "./exchange.ts";

/** Bytes of an answer that the kit reads; the rest is cut off. */
const bodyLimit = 4 * 1024 * 1024;

/** What is to be sent; the path is appended to the target's base URL as it is. */
export interface Outgoing {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Sends requests one by one as asked, follows nothing, retries nothing, and tells listeners what came of them. */
export interface Sender {
  send(outgoing: Outgoing): Promise<Exchange>;
  /** Requests sent so far. */
  count(): number;
  close(): Promise<void>;
}

/** Opens connections to `baseUrl`. `timeout` is in milliseconds. */
export function openSender(baseUrl: string, timeout: number, observe: (exchange: Exchange) => void): Sender {
  // Named explicitly: proxy variables of the environment must not stand between kit and target.
  const agent = new Agent({ headersTimeout: timeout, bodyTimeout: timeout, connect: { timeout } });
  let number = 0;
  return {
    async send(outgoing) {
      number += 1;
      const mine = number;
      const sent: SentRequest = {
        method: outgoing.method,
        url: baseUrl + outgoing.path,
        headers: outgoing.headers,
        body: outgoing.body,
      };
      const sentAt = Date.now();
      const outcome = await exchangeOver(agent, sent, timeout);
      const operation = operationOf(outgoing.method, outgoing.path);
      const exchange: Exchange = { number: mine, operation, request: sent, outcome, sentAt, answeredAt: Date.now() };
      observe(exchange);
      return exchange;
    },
    count: () => number,
    close: () => agent.destroy(),
  };
}

async function exchangeOver(dispatcher: Dispatcher, sent: SentRequest, timeout: number): Promise<Outcome> {
  const signal = AbortSignal.timeout(timeout);
  try {
    const response = await request(sent.url, {
      method: sent.method as Dispatcher.HttpMethod,
      headers: sent.headers,
      body: sent.body,
      dispatcher,
      signal,
    });
    return await readResponse(response);
  } catch (error) {
    return lostBecause(error);
  }
}

async function readResponse(response: Dispatcher.ResponseData): Promise<Response> {
  const chunks: Buffer[] = [];
  let size = 0;
  let truncated = false;
  for await (const chunk of response.body) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > bodyLimit) {
      truncated = true;
      response.body.destroy();
      break;
    }
    chunks.push(bytes);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  const headers = Object.fromEntries(
    Object.entries(response.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
  return { kind: "response", status: response.statusCode, headers, text, json: parsed(text), truncated };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const reasons: Readonly<Record<string, Lost["reason"]>> = {
  ECONNREFUSED: "refused",
  ECONNRESET: "reset",
  EPIPE: "reset",
  UND_ERR_SOCKET: "reset",
  ENOTFOUND: "unresolved",
  EAI_AGAIN: "unresolved",
  ETIMEDOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
};

function lostBecause(error: unknown): Lost {
  if (!(error instanceof Error)) return { kind: "lost", reason: "other", message: String(error) };
  if (error.name === "TimeoutError" || error.name === "AbortError") {
    return { kind: "lost", reason: "timeout", message: "no complete answer in time" };
  }
  if (error instanceof errors.HTTPParserError) return { kind: "lost", reason: "not-http", message: error.message };
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const tls = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code);
  return { kind: "lost", reason: tls ? "tls" : (reasons[code] ?? "other"), message: error.message };
}

const templates = operationList
  .filter((operation) => operation.service === "api")
  .map((operation) => ({
    id: operation.id,
    method: operation.method,
    pattern: new RegExp(`^${operation.path.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "[^/]+")}$`),
  }));

/** The contract's operation that a request line means, or null. */
export function operationOf(method: string, path: string): string | null {
  const [bare = ""] = path.split("?");
  return templates.find((t) => t.method === method && t.pattern.test(bare))?.id ?? null;
}
