import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

/** What came in, as it stood on the wire. */
export interface Received {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/** Answers a request; the first has the number 1. */
export type Behaviour = (response: ServerResponse<IncomingMessage>, number: number) => void;

export type TestReceiver = Awaited<ReturnType<typeof startReceiver>>;

/** A receiver on a free port of this machine. Close it with `close`, which also ends hanging connections. */
export async function startReceiver(behaviour: Behaviour = ok, host = "127.0.0.1") {
  const received: Received[] = [];
  let connections = 0;
  let behave = behaviour;
  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => null);
    if (body === null) return;
    const { url: path = "", method = "", headers, rawHeaders } = request;
    received.push({ path, method, headers, rawHeaders, body });
    behave(response, received.length);
  });
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    port,
    url: `http://${host}:${port}/hook`,
    received,
    connections: () => connections,
    behave(next: Behaviour) {
      behave = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const ok: Behaviour = (response) => void response.end("ok");

export const status =
  (code: number, body = ""): Behaviour =>
  (response) =>
    void response.writeHead(code).end(body);

export const hang: Behaviour = () => undefined;

export const reset: Behaviour = (response) => void response.socket?.resetAndDestroy();

/** The head at once, then a byte every few milliseconds for ever. */
export const drip: Behaviour = (response) => {
  response.write("d");
  const timer = setInterval(() => response.write("d"), 5);
  response.once("close", () => clearInterval(timer));
};

/** A body without end, as fast as it is read. */
export const huge: Behaviour = (response) => {
  const chunk = Buffer.alloc(65_536, "h");
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", pour).on("error", () => undefined);
  pour();
};
