import { IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Serve, WireAnswer, WireRequest } from "./wire.ts";

/** Headers that are of one connection, or tell of the body's length. */
export const ofConnection: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
]);

/**
 * Hands requests to an application of this process. A connection to it would cost as much again as a call of the server.
 * Rejects where the application ends the connection without an answer.
 */
export const handingTo =
  (app: RequestListener): Serve =>
  (asked) =>
    new Promise((resolve, reject) => {
      const socket = new Collecting();
      const request = requestOf(asked, socket);
      const response = new ServerResponse(request);
      // What has no length ends with the connection.
      response.useChunkedEncodingByDefault = false;
      response.assignSocket(socket);
      response.on("finish", () => {
        response.detachSocket(socket);
        response.emit("close");
        resolve(answerIn(socket.written()));
      });
      socket.on("error", reject).on("close", () => reject(new Error("The server ended the connection.")));
      app(request, response);
      request.push(asked.bytes);
      request.push(null);
    });

/** The end of a connection that keeps what is written to it. */
class Collecting extends Socket {
  readonly #chunks: Buffer[] = [];

  written(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk);
    done();
  }

  override _writev(chunks: { chunk: Buffer | string; encoding: BufferEncoding }[], done: () => void): void {
    for (const { chunk, encoding } of chunks) this._write(chunk, encoding, () => undefined);
    done();
  }

  override _read(): void {}
}

/** As Node makes it of what it reads from a connection. */
function requestOf({ method, path, rawHeaders, bytes }: WireRequest, socket: Socket): IncomingMessage {
  const request = new IncomingMessage(socket);
  const headers = headersWithin({ rawHeaders, bytes });
  Object.assign(request, { method, url: path, httpVersion: "1.1", httpVersionMajor: 1, httpVersionMinor: 1 });
  // Node alone knows which headers are joined, kept apart or left out where they are repeated.
  (request as unknown as HeaderTaking)._addHeaderLines(headers, headers.length);
  request.complete = true;
  return request;
}

/** Name, value, name, value of the headers with which a request is passed on: none of the connection it came by. */
export function headersWithin({ rawHeaders, bytes }: Pick<WireRequest, "rawHeaders" | "bytes">): readonly string[] {
  const headers: string[] = [];
  let isFramed = false;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = [rawHeaders[at], rawHeaders[at + 1]];
    const isOfConnection = ofConnection.has(name.toLowerCase());
    isFramed ||= isOfConnection && framing.test(name);
    if (!isOfConnection) headers.push(name, value);
  }
  return isFramed ? [...headers, "content-length", String(bytes.length)] : headers;
}

const framing = /^(content-length|transfer-encoding)$/i;

/** What Node's own parser calls; nothing public gives a message its headers. */
interface HeaderTaking {
  _addHeaderLines(raw: readonly string[], count: number): void;
}

/** The answer in what was written: a head and, behind an empty line, the body. */
function answerIn(written: Buffer): WireAnswer {
  const end = written.indexOf("\r\n\r\n");
  const [first = "", ...lines] = written.toString("latin1", 0, end).split("\r\n");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    if (ofConnection.has(name) && name !== "content-length") continue;
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return { status: Number(first.split(" ")[1]), headers, bytes: written.subarray(end + 4) };
}
