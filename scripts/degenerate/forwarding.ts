import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { request } from "undici";

/** What a server in between makes of a request: it answers by itself, or forwards it and changes the answer. */
export interface Between {
  /** True when it took care of the answer, or of there being none. */
  readonly takes?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** What becomes of the body of an answer. */
  readonly becomes?: (body: string, request: IncomingMessage) => string;
}

/** Hands requests on to a server and its answers back. */
export function forwardingTo(url: string, { takes = () => false, becomes = (body) => body }: Between): RequestListener {
  return (incoming, outgoing) => {
    if (takes(incoming, outgoing)) return;
    void forward(incoming, outgoing).catch(() => outgoing.destroy());
  };

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const { host: _host, connection: _connection, "transfer-encoding": _encoding, ...headers } = incoming.headers;
    const answer = await request(url + (incoming.url ?? "/"), {
      method: (incoming.method ?? "GET") as "GET",
      headers,
      body: chunks.length === 0 ? null : Buffer.concat(chunks),
    });
    const body = becomes(await answer.body.text(), incoming);
    const { "content-length": _length, connection: _kept, "keep-alive": _for, ...told } = answer.headers;
    outgoing.writeHead(answer.statusCode, told);
    outgoing.end(body);
  }
}
