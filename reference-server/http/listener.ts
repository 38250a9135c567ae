import type { IncomingMessage, RequestListener, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Refusal } from "../../generated/runtime/refusal.ts";
import { answerUnreadable } from "./answer-unreadable.ts";
import { createServer } from "./node-http.ts";

/** Milliseconds that the server bears with a client. */
export interface Patience {
  /** For the head of a request, its first byte included. */
  readonly head: number;
  /** For a whole request. */
  readonly request: number;
  /** Between two requests. */
  readonly idle: number;
  /** Without a byte in either direction: a client that does not read its answers stalls the connection. */
  readonly stall: number;
}

export const usualPatience: Patience = { head: 10_000, request: 30_000, idle: 5_000, stall: 60_000 };

export interface Address {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
}

export interface Listening {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
}

export interface Listener {
  /** Starts to serve. Throws when it cannot. */
  listen(at: Address): Promise<Listening>;
  /** Takes no more requests, lets those in flight finish for so many milliseconds, and ends all connections. */
  close(within: number): Promise<void>;
}

/** How the server refuses what never reaches the application. */
export interface UnreadableRefusals {
  notHttp(): Refusal;
  late(): Refusal;
  tunnel(): Refusal;
}

/** The HTTP server around an application. */
export function createListener(app: RequestListener, refusals: UnreadableRefusals, patience: Patience): Listener {
  const server = createServer(
    {
      headersTimeout: patience.head,
      requestTimeout: patience.request,
      keepAliveTimeout: patience.idle,
      // Node looks for late clients twice a minute, which would triple their time.
      connectionsCheckingInterval: Math.min(1_000, patience.head / 2),
      // A request without Host gets the application's answer, not a bare one.
      requireHostHeader: false,
    },
    app,
  );
  server.timeout = patience.stall;
  const answer = answerUnreadable(server);
  server.on("clientError", (problem: Error & { readonly code?: string }, socket) =>
    answer(socket, problem.code === "ERR_HTTP_REQUEST_TIMEOUT" ? refusals.late() : refusals.notHttp()),
  );
  // Node would end the connection without an answer.
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => answer(socket, refusals.tunnel()));
  server.on("checkContinue", (request, response) => {
    // Behind unfinished answers Node would write it into the middle of this one. A client may not wait for it anyway.
    if (response.socket !== null) response.writeContinue();
    server.emit("request", request, response);
  });
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  return { listen: (at) => listen(server, at), close: (within) => close(server, within) };
}

function listen(server: Server, { host, port }: Address): Promise<Listening> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const address = server.address();
      const taken = typeof address === "object" && address !== null ? address.port : port;
      resolve({ url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}`, port: taken });
    });
  });
}

async function close(server: Server, within: number): Promise<void> {
  if (!server.listening) return;
  // A connection that is kept alive would hold the server up after its last answer.
  server.prependListener("request", (_request: IncomingMessage, response) => response.setHeader("connection", "close"));
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const late = setTimeout(() => server.closeAllConnections(), within);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(idle);
  clearTimeout(late);
}
