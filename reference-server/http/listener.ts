import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Refusal } from "../../generated/runtime/refusal.ts";
import { errorBody, rowOf } from "./envelope.ts";
import { newRequestId, requestIdHeader } from "./request-id.ts";

/** Milliseconds that a client may take for its head, for its whole request, and between two requests. */
const headersTimeout = 10_000;
const requestTimeout = 30_000;
const keepAliveTimeout = 5_000;

/** Milliseconds that requests in flight get to finish when the server closes, unless told otherwise. */
const closeTimeout = 10_000;

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
  close(within?: number): Promise<void>;
}

/** The HTTP server around an application. `unreadable` answers what is no HTTP request. */
export function createListener(app: RequestListener, unreadable: () => Refusal): Listener {
  const server = createServer(
    // A request without Host gets the application's answer, not a bare one.
    { headersTimeout, requestTimeout, keepAliveTimeout, requireHostHeader: false },
    app,
  );
  server.on("clientError", (_problem, socket) => answerUnreadable(socket, unreadable()));
  server.on("checkExpectation", app);
  return { listen: (at) => listen(server, at), close: (within = closeTimeout) => close(server, within) };
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

/** Also bytes that are no HTTP get the envelope, as far as anybody still reads. */
function answerUnreadable(socket: Duplex, refusal: Refusal): void {
  if (!socket.writable) return void socket.destroy();
  const requestId = newRequestId();
  const body = JSON.stringify(errorBody(refusal, requestId));
  const head = [
    `HTTP/1.1 ${rowOf(refusal).referenceStatus} Bad Request`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${requestIdHeader}: ${requestId}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
