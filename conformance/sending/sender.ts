import { isUtf8 } from "node:buffer";
import { Readable } from "node:stream";
import { Agent, type Dispatcher } from "undici";
import { operationList } from "../../generated/operations.ts";
import type { Exchange, Outcome, RepeatedHeaders, SentRequest } from "../exchange/exchange.ts";
import type { Breaker } from "../liveness/breaker.ts";
import { checkSignal } from "../liveness/deadline.ts";
import { orEnded, whyEnded } from "../liveness/or-ended.ts";
import { stepOf, tellStep } from "../story/stories.ts";
import { isSilence, lostBecause } from "./lost.ts";
import { soonClosed } from "./soon-closed.ts";
import { type Patience, wholeAnswer } from "./whole-answer.ts";

/** What is to be sent; the path is appended to the target's base URL as it is. */
export interface Outgoing {
  readonly method: string;
  readonly path: string;
  /** With `transfer-encoding: chunked` among them the body is sent in chunks and without its length. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent after those, in lines of their own. */
  readonly repeatedHeaders?: RepeatedHeaders;
  /** Bytes are sent as they are. */
  readonly body: string | Uint8Array | null;
  /** What stands before a server may refuse the request by itself, as odd HTTP: the monitor minds no page for it. */
  readonly isOddHttp?: boolean;
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
  const agent = new Agent({ headersTimeout: timeout, bodyTimeout: timeout, connect: { timeout }, ...soonClosed });
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
    const { method, path, headers, repeatedHeaders = [], body } = outgoing;
    // A proxy may refuse a body to which RFC 9110 (9.3.1, 9.3.5) gives no meaning.
    const isOddHttp = outgoing.isOddHttp === true || (body !== null && ["GET", "DELETE"].includes(method));
    const sent: SentRequest = {
      method,
      url: baseUrl + path,
      // Without this header any encoding would be a lawful answer, and the kit decodes none.
      headers: { "accept-encoding": "identity", ...headers },
      ...(repeatedHeaders.length === 0 ? {} : { repeatedHeaders }),
      ...bodyTold(body),
    };
    const sentAt = Date.now();
    const attempt = breaker.begin();
    const outcome = await exchangeOver(agent, sent, body, { timeout, ends });
    if (outcome.kind === "response") attempt.answered(`${sent.method} ${shortOf(outgoing.path)} (${outcome.status})`);
    // Requests that the kit gave up itself say nothing about the target.
    else if (!ends.aborted) {
      if (isSilence(outcome)) attempt.unanswered(outcome.reason);
      else attempt.cutOff(outcome.reason);
    }
    const operation = operationOf(outgoing.method, outgoing.path);
    const exchange: Exchange = {
      number: mine,
      operation,
      request: sent,
      ...(isOddHttp ? { isOddHttp } : {}),
      outcome,
      sentAt,
      answeredAt: Date.now(),
    };
    tellStep(stepOf(exchange));
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

/** What is told of a body: its text, and its bytes where they are none. */
function bodyTold(body: Outgoing["body"]): Pick<SentRequest, "body" | "bodyBase64"> {
  if (body === null || typeof body === "string") return { body };
  const bytes = Buffer.from(body);
  return { body: bytes.toString(), ...(isUtf8(bytes) ? {} : { bodyBase64: bytes.toString("base64") }) };
}

/** What comes of a request as long as it is waited for. */
async function exchangeOver(
  dispatcher: Dispatcher,
  { url, method, headers, repeatedHeaders = [] }: SentRequest,
  body: Outgoing["body"],
  patience: Patience,
): Promise<Outcome> {
  try {
    const { origin, pathname, search } = new URL(url);
    const { [chunkedHeader]: encoding, ...others } = headers;
    const asked: Dispatcher.DispatchOptions = {
      origin,
      path: `${pathname}${search}`,
      method: method as Dispatcher.HttpMethod,
      // In pairs, so that a name can stand there twice.
      headers: [...Object.entries(others), ...repeatedHeaders].flat(),
      // The client writes that header itself, of what has no length.
      body: encoding === undefined || body === null ? body : Readable.from(inChunks(body)),
    };
    return await wholeAnswer(dispatcher, asked, patience);
  } catch (error) {
    return lostBecause(error);
  }
}

/** The header of a body that is to be sent in chunks: `chunked`. */
const chunkedHeader = "transfer-encoding";

/** Two chunks, so that the first is not the whole. */
function* inChunks(body: string | Uint8Array): Generator<Buffer> {
  const bytes = Buffer.from(body);
  const half = Math.ceil(bytes.length / 2);
  yield bytes.subarray(0, half);
  yield bytes.subarray(half);
}

const segmentsOf = (path: string): number => path.split("/").length;

/** What a path can mean: an id has no slash, so that only those of as many segments come into question. */
const templates = Map.groupBy(
  operationList
    .filter((operation) => operation.service === "api")
    .map(({ id, method, path }) => ({
      ...{ id, method, path },
      pattern: new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "[^/]+")}$`),
    })),
  ({ path }) => segmentsOf(path),
);

/**
 * The contract's operation that a request line means, or null. A path that operations have as it is written is no other
 * operation's with a name in place of an id.
 */
export function operationOf(method: string, path: string): string | null {
  const [bare = ""] = path.split("?");
  const possible = templates.get(segmentsOf(bare)) ?? [];
  const asWritten = possible.filter((t) => t.path === bare);
  const meant = asWritten.length > 0 ? asWritten : possible.filter((t) => t.pattern.test(bare));
  return meant.find((t) => t.method === method)?.id ?? null;
}
