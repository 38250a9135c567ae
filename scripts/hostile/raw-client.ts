import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { type RawAnswer, readAnswers } from "./answers.ts";
import { bound } from "./patience.ts";

/** What a client writes, and how it leaves. */
export interface Conversation {
  /** Written one after the other, with a moment between them. */
  readonly pieces: readonly Buffer[];
  /** What it does then: read until nothing more comes, end its side, or be gone. */
  readonly leaving: "listen" | "half-close" | "vanish";
  /** Its answers have no bodies: it sends HEAD. */
  readonly bodiless: boolean;
}

export interface Heard {
  readonly answers: readonly RawAnswer[];
  readonly rest: string;
  /** Whether the server ended the connection or had said all; false when it left the client waiting beyond the bound. */
  readonly over: boolean;
}

/** Milliseconds without a byte after which a complete answer counts as the last one. */
const quiet = 40;

/** Holds one conversation on a connection of its own. */
export async function converse(port: number, { pieces, leaving, bodiless }: Conversation): Promise<Heard> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
  const chunks: Buffer[] = [];
  let isClosed = false;
  let lastByte = Date.now();
  socket.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    lastByte = Date.now();
  });
  // The server may be done with a client before the client is done with it.
  socket.on("error", () => undefined);
  socket.on("end", () => socket.end());
  socket.on("close", () => {
    isClosed = true;
  });
  for (const piece of pieces) {
    if (!socket.destroyed && socket.writable) socket.write(piece);
    await setTimeout(1);
  }
  if (leaving === "half-close") socket.end();
  const heard = (over: boolean): Heard => {
    socket.destroy();
    return { ...readAnswers(Buffer.concat(chunks), bodiless), over };
  };
  if (leaving === "vanish") {
    socket.resetAndDestroy();
    return heard(true);
  }
  for (const until = Date.now() + bound; Date.now() < until; await setTimeout(5)) {
    if (isClosed) return heard(true);
    if (leaving === "half-close" || Date.now() - lastByte < quiet || chunks.length === 0) continue;
    const { answers, rest } = readAnswers(Buffer.concat(chunks), bodiless);
    if (answers.length > 0 && rest === "") return heard(true);
  }
  return heard(false);
}
