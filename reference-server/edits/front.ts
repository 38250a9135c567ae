import { Agent, type IncomingMessage, type RequestListener, request, type ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { createListener, type Listener, usualPatience } from "../http/listener.ts";
import { unreadable } from "../server.ts";
import { calledOperation, type Serve, type Wire } from "./wire.ts";
import { tracing, type WireTrace } from "./wire-traces.ts";
import { handingTo, headersWithin, ofConnection } from "./within-process.ts";

/**
 * A listener that passes each request on through the wires, the last of which stands outermost, to an application of this
 * process or, at an address, to the server there. `changed` is told of each call that they changed; to find those takes
 * as long as many a wire, so that nobody need ask.
 */
export function createFront(
  upstream: string | RequestListener,
  wires: readonly Wire[],
  failed: (problem: unknown) => void,
  changed: ((trace: WireTrace) => void) | null,
): Listener {
  const agent = new Agent({ keepAlive: true });
  const server = typeof upstream === "string" ? passingTo(upstream, agent) : handingTo(upstream);
  const serve =
    changed === null ? wires.reduce<Serve>((within, wire) => wire(within), server) : tracing(server, wires, changed);
  const listener = createListener(
    (incoming, outgoing) => {
      answer(serve, incoming, outgoing).catch((problem: unknown) => {
        // A client that goes away is no failure.
        if (!incoming.destroyed || incoming.complete) failed(problem);
        outgoing.destroy();
      });
    },
    unreadable,
    usualPatience,
  );
  return {
    listen: listener.listen,
    async close(within) {
      await listener.close(within);
      agent.destroy();
    },
  };
}

/** The whole of a body. Node's own way to it makes a blob first, which takes longer than the rest of a call. */
async function buffer(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  body.on("data", (chunk: Buffer) => chunks.push(chunk));
  await finished(body, { writable: false });
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

async function answer(serve: Serve, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method = "", url: path = "", headers, rawHeaders } = incoming;
  const asked = { method, path, headers, rawHeaders, ...calledOperation(method, path), bytes: await buffer(incoming) };
  const { status, headers: told, bytes } = await serve(asked);
  const kept = Object.entries(told).filter(([name]) => name.toLowerCase() !== "content-length");
  // A wire may have the body framed in another way.
  const isFramed = kept.some(([name]) => name.toLowerCase() === "transfer-encoding");
  const length = isFramed ? undefined : method === "HEAD" ? told["content-length"] : bytes.length;
  outgoing.writeHead(status, [
    ...kept.flatMap(pairs),
    ...(length === undefined ? [] : ["content-length", `${length}`]),
  ]);
  outgoing.end(bytes);
}

const pairs = ([name, value]: readonly [string, string | readonly string[]]): readonly string[] =>
  [value].flat().flatMap((each) => [name, each]);

const passingTo = (upstream: string, agent: Agent): Serve => {
  const pass: Serve = ({ method, path, rawHeaders, bytes, ...others }) =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(upstream);
      const sent = request(
        { hostname, port, method, path, agent, setHost: false, headers: headersWithin({ rawHeaders, bytes }) },
        async (response) => {
          const told = Object.entries(response.headers).flatMap(([name, v]) =>
            v === undefined || (ofConnection.has(name) && name !== "content-length") ? [] : [[name, v]],
          );
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(told),
            bytes: await buffer(response),
          });
        },
      );
      sent.on("error", (problem: NodeJS.ErrnoException) => {
        // A connection that was kept open may end just when it is used again: nobody has seen the request.
        if (sent.reusedSocket && problem.code === "ECONNRESET")
          resolve(pass({ method, path, rawHeaders, bytes, ...others }));
        else reject(problem);
      });
      sent.end(bytes);
    });
  return pass;
};
