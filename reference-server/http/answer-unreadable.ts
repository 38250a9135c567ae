import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { constants } from "../../generated/constants.ts";
import type { Refusal } from "../../generated/runtime/refusal.ts";
import { errorBody, rowOf } from "./envelope.ts";
import { STATUS_CODES } from "./node-http.ts";
import { newRequestId } from "./request-id.ts";

/** Milliseconds that a client gets to read its answer: a connection that ends with bytes unread loses what was sent. */
const lingering = 1_000;

interface Pair {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What came over one connection. */
interface Requests {
  last: Pair;
  /** Those that are not answered to the end. */
  readonly open: Set<Pair>;
}

/**
 * Ends a connection on which something came that is no request. It gets the envelope too, in its turn: behind the
 * answers to the requests before it, and not when the broken request itself has been answered already.
 */
export function answerUnreadable(server: Server): (socket: Duplex, refusal: Refusal) => void {
  const requests = new WeakMap<Duplex, Requests>();
  const ending = new WeakSet<Duplex>();
  const note = (request: IncomingMessage, response: ServerResponse): void => {
    const pair = { request, response };
    const known = requests.get(request.socket);
    const { open } = known ?? { open: new Set() };
    if (known === undefined) requests.set(request.socket, { last: pair, open });
    else known.last = pair;
    open.add(pair);
    response.on("close", () => open.delete(pair));
  };
  server.prependListener("request", note);

  const end = (socket: Duplex, refusal: Refusal): void => {
    const before = [...(requests.get(socket)?.open ?? [])].find(({ request }) => request.complete);
    if (before !== undefined) return void before.response.once("close", () => end(socket, refusal));
    if (!socket.writable) return void socket.destroy();
    const broken = requests.get(socket)?.last;
    const isAnswered = broken !== undefined && !broken.request.complete && broken.response.headersSent;
    socket.end(isAnswered ? undefined : answerText(refusal));
    const late = setTimeout(() => socket.destroy(), lingering);
    socket.once("close", () => clearTimeout(late));
  };
  return (socket, refusal) => {
    // What comes behind it is no request either.
    if (ending.has(socket)) return;
    ending.add(socket);
    // Its client may be gone; a socket that was asked for a tunnel has nobody else who listens.
    socket.on("error", () => socket.destroy());
    end(socket, refusal);
  };
}

function answerText(refusal: Refusal): string {
  const requestId = newRequestId();
  const status = rowOf(refusal).referenceStatus;
  const body = JSON.stringify(errorBody(refusal, requestId));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    `${constants.requestIdHeader}: ${requestId}`,
    "Connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
