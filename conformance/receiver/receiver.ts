import { randomBytes } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { PreflightFailure } from "../target/preflight-failure.ts";
import type { ReceiverSettings } from "../target/target.ts";
import { type HeldInbox, type Inbox, newInbox, type Traffic } from "./inbox.ts";
import { listenFailure } from "./listen-failure.ts";
import { keepsBodies } from "./read-body.ts";
import { type Certificate, readCertificate } from "./read-certificate.ts";
import { receiveDelivery } from "./receive-delivery.ts";

/** The kit's own server, to which the target delivers. */
export interface Receiver {
  /** Address under which the target reaches it, without a trailing slash. */
  readonly url: string;
  /** A new path that nobody can guess. */
  path(): Inbox;
  /** Requests so far; those that reached no inbox got a 404. */
  traffic(): Traffic;
  /** Ends every connection. */
  close(): Promise<void>;
}

export interface ReceiverRun {
  /** Milliseconds that waits of its inboxes last when they do not say. */
  readonly patience: number;
  /** Fires when the run is interrupted. */
  readonly signal: AbortSignal;
}

export type OpenedReceiver =
  | { readonly ok: true; readonly receiver: Receiver }
  | { readonly ok: false; readonly failure: PreflightFailure };

/** Connections held at a time; more than any target of sense opens. */
const mostConnections = 1024;

/** Starts to listen. */
export async function openReceiver(settings: ReceiverSettings, run: ReceiverRun): Promise<OpenedReceiver> {
  const read = settings.tls === null ? null : await readCertificate(settings.tls);
  if (read?.ok === false) return read;
  const inboxes = new Map<string, HeldInbox>();
  const forsaken = new Set<string>();
  const keep = keepsBodies();
  let deliveries = 0;
  let strays = 0;
  const server = newServer(read?.certificate ?? null, (request, response) => {
    const held = inboxAt(inboxes, request.url ?? "");
    if (held === null) strays += 1;
    else deliveries += 1;
    if (held !== null && !held.closed.aborted) {
      void receiveDelivery(held, deliveries, request, response, keep);
      return;
    }
    request.on("error", () => undefined).resume();
    // 410 asks a sender to deliver no more to an address whose check is over.
    response.writeHead(held === null ? 404 : 410, { connection: "close" }).end();
  });
  const failure = await listening(server, settings);
  if (failure !== null) return { ok: false, failure };
  const url = settings.publicUrl ?? localUrl(server, settings);
  const traffic: Receiver["traffic"] = () => ({ deliveries, strays });
  return {
    ok: true,
    receiver: {
      url,
      path() {
        const token = randomBytes(24).toString("base64url");
        const held = newInbox({ url: `${url}/${token}`, traffic, forsaken, ...run });
        inboxes.set(token, held);
        return held.inbox;
      },
      traffic,
      async close() {
        for (const { inbox } of inboxes.values()) inbox.close();
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        server.closeAllConnections();
        await closed;
      },
    },
  };
}

function newServer(certificate: Certificate | null, serve: RequestListener): Server {
  const server = certificate === null ? createServer(serve) : createSecureServer(certificate, serve);
  server.maxConnections = mostConnections;
  return server;
}

/** Why it does not listen; null once it does. */
const listening = (server: Server, { listen }: ReceiverSettings): Promise<PreflightFailure | null> =>
  new Promise((resolve) => {
    server.on("error", (error) => resolve(listenFailure(error, listen)));
    server.listen(listen.port, listen.host, () => resolve(null));
  });

/** Where the receiver is for a target on this machine. */
function localUrl(server: Server, { listen, tls }: ReceiverSettings): string {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : listen.port;
  const host = listen.host === "0.0.0.0" ? "127.0.0.1" : listen.host === "::" ? "::1" : listen.host;
  return `${tls === null ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The inbox that a path names in any of its segments: what forwards to the receiver may add or take some. */
function inboxAt(inboxes: ReadonlyMap<string, HeldInbox>, target: string): HeldInbox | null {
  const [path = ""] = target.split("?");
  const token = path.split("/").findLast((segment) => inboxes.has(segment));
  return token === undefined ? null : (inboxes.get(token) ?? null);
}
