import { Agent, type Dispatcher, request } from "undici";
import { operationList } from "../../generated/operations.ts";
import type { Exchange, Outcome, Response, SentRequest } from "../exchange/exchange.ts";
import type { Breaker } from "../liveness/breaker.ts";
import { checkSignal } from "../liveness/deadline.ts";
import { orEnded, whyEnded } from "../liveness/or-ended.ts";
import { isSilence, lostBecause } from "./lost.ts";

/** Bytes of an answer that the kit reads; the rest is cut off. */
const bodyLimit = 4 * 1024 * 1024;

/** Characters that are kept of an answer that was cut off: nobody can read it as JSON any more. */
const keptOfTruncated = 16 * 1024;

/** What is to be sent; the path is appended to the target's base URL as it is. */
export interface Outgoing {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Sends requests one by one as asked, follows nothing, retries nothing, and tells listeners what came of them. */
export interface Sender {
  /**
   * Throws what ends the check in whose course it is called; nothing is sent for one that has ended. A request that is
   * under way when that happens is listened to on its own, so that what it made on the target becomes known.
   */
  send(outgoing: Outgoing): Promise<Exchange>;
  /** Requests sent so far. */
  count(): number;
  /** Waits for the requests that are still under way. */
  close(): Promise<void>;
}

export interface SenderOptions {
  readonly baseUrl: string;
  /** Milliseconds for a whole answer. */
  readonly timeout: number;
  /** Whether the target is there; once it is not, nothing is sent any more. */
  readonly breaker: Breaker;
  /** Ends all requests. */
  readonly closing: AbortSignal;
  readonly observe: (exchange: Exchange) => void;
}

/** Opens connections to `baseUrl`. */
export function openSender({ baseUrl, timeout, breaker, closing, observe }: SenderOptions): Sender {
  // Named explicitly: proxy variables of the environment must not stand between kit and target.
  const agent = new Agent({ headersTimeout: timeout, bodyTimeout: timeout, connect: { timeout } });
  const ends = AbortSignal.any([closing, breaker.signal]);
  const underWay = new Set<Promise<Exchange>>();
  let number = 0;
  return {
    async send(outgoing) {
      if (breaker.signal.aborted) throw whyEnded(breaker.signal);
      const signal = checkSignal() ?? closing;
      if (signal.aborted) throw whyEnded(signal);
      const exchanged = exchange(outgoing);
      underWay.add(exchanged);
      const forget = (): void => void underWay.delete(exchanged);
      exchanged.then(forget, forget);
      return orEnded(exchanged, signal);
    },
    count: () => number,
    async close() {
      await Promise.allSettled(underWay);
      await agent.destroy();
    },
  };

  async function exchange(outgoing: Outgoing): Promise<Exchange> {
    number += 1;
    const mine = number;
    const sent: SentRequest = {
      method: outgoing.method,
      url: baseUrl + outgoing.path,
      // Without this header any encoding would be a lawful answer, and the kit decodes none.
      headers: { "accept-encoding": "identity", ...outgoing.headers },
      body: outgoing.body,
    };
    const sentAt = Date.now();
    const attempt = breaker.begin();
    const outcome = await exchangeOver(agent, sent, AbortSignal.any([AbortSignal.timeout(timeout), ends]));
    if (outcome.kind === "response") attempt.answered(`${sent.method} ${shortOf(outgoing.path)} (${outcome.status})`);
    // Requests that the kit gave up itself say nothing about the target.
    else if (!ends.aborted) {
      if (isSilence(outcome)) attempt.unanswered(outcome.reason);
      else attempt.cutOff(outcome.reason);
    }
    const operation = operationOf(outgoing.method, outgoing.path);
    const exchange: Exchange = { number: mine, operation, request: sent, outcome, sentAt, answeredAt: Date.now() };
    if (!ends.aborted || outcome.kind === "response") observe(exchange);
    return exchange;
  }
}

/** Sends through another sender and counts what was sent through this one alone. It closes nothing. */
export function countingSender(sender: Sender): Pick<Sender, "send" | "count"> {
  let sent = 0;
  return {
    send(outgoing) {
      const before = sender.count();
      const exchanged = sender.send(outgoing);
      // Whatever is sent is sent at once; what came too late is not sent at all.
      sent += sender.count() - before;
      return exchanged;
    },
    count: () => sent,
  };
}

/** A path for a message: without its query, and of a length that can be read. */
function shortOf(path: string): string {
  const [bare = ""] = path.split("?");
  return bare.length > 80 ? `${bare.slice(0, 80)}…` : bare;
}

async function exchangeOver(dispatcher: Dispatcher, sent: SentRequest, signal: AbortSignal): Promise<Outcome> {
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
  const whole = Buffer.concat(chunks).toString("utf8");
  const text = truncated ? whole.slice(0, keptOfTruncated) : whole;
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
