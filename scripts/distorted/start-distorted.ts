import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { Agent, request } from "undici";
import { startDegenerate } from "../degenerate/start-degenerate.ts";

/** A request as it was asked. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Null where it had none, or none in JSON. */
  readonly body: unknown;
}

export interface Answer {
  readonly status: number;
  /** Undefined where it is no JSON. */
  readonly body: unknown;
}

/** What becomes of an answer on its way to the kit. */
export type Distortion = (asked: Asked, answer: Answer) => Answer;

/** Starts a server on any free port that passes everything on to `baseUrl` and distorts the answers. */
export async function startDistorted(baseUrl: string, distort: Distortion) {
  const dispatcher = new Agent();
  const passOn = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = "GET", url = "/" } = incoming;
    const sent = await buffer(incoming);
    const answered = await request(baseUrl + url, {
      method,
      dispatcher,
      headers: passedOn(incoming.headers),
      body: sent.length === 0 ? null : sent,
    });
    const text = await answered.body.text();
    const { pathname, searchParams } = new URL(url, baseUrl);
    const asked: Asked = { method, path: pathname, query: searchParams, body: parsed(sent.toString()) ?? null };
    const answer = { status: answered.statusCode, body: parsed(text) };
    const told = distort(asked, answer);
    outgoing.writeHead(told.status, passedOn(answered.headers));
    outgoing.end(told.body === answer.body ? text : JSON.stringify(told.body));
  };
  const server = await startDegenerate((incoming, outgoing) => {
    passOn(incoming, outgoing).catch(() => outgoing.destroy());
  });
  return { url: server.url, close: () => Promise.all([server.close(), dispatcher.destroy()]) };
}

/** Headers that belong to the message and not to the connection. */
const passedOn = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value !== "string" || /^(host|connection|keep-alive|transfer-encoding|content-length)$/.test(name)
        ? []
        : [[name, value]],
    ),
  );

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
