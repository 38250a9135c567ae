import type { IncomingMessage, ServerResponse } from "node:http";
import { type Answer, respond } from "../exchange/answer.ts";
import type { Delivery, Ending } from "../exchange/delivery.ts";
import { giveAnswer } from "./give-answer.ts";
import type { HeldInbox } from "./inbox.ts";
import type { KeptBody } from "./read-body.ts";

/** Reads one request to an inbox, makes it known there and answers as the inbox chooses. Throws nothing. */
export async function receiveDelivery(
  held: HeldInbox,
  number: number,
  request: IncomingMessage,
  response: ServerResponse,
  keep: (request: IncomingMessage) => Promise<KeptBody>,
): Promise<void> {
  const receivedAt = Date.now();
  const gone = new AbortController();
  let ending: Ending = { how: "open", at: null };
  let answer: Answer | null = null;
  let brokenOff = false;
  const cut = (): void => void response.socket?.destroy();
  held.closed.addEventListener("abort", cut);
  response.on("error", () => undefined);
  response.once("close", () => {
    held.closed.removeEventListener("abort", cut);
    const given = response.writableFinished || brokenOff;
    ending = { how: given ? "given" : held.closed.aborted ? "cut" : "abandoned", at: Date.now() };
    gone.abort();
  });
  const { bytes, size, truncated, broken } = await keep(request);
  const delivery: Delivery = {
    ...{ number, url: held.inbox.url, path: request.url ?? "", method: request.method ?? "", receivedAt },
    headers: pairsOf(request.rawHeaders),
    ...{ body: bytes, size, truncated, broken },
    get answer() {
      return answer;
    },
    get ending() {
      return ending;
    },
  };
  if (broken) {
    held.record(delivery);
    return;
  }
  try {
    answer = held.choose(delivery);
    held.record(delivery);
    await giveAnswer(answer, response, gone.signal, () => {
      brokenOff = true;
    });
  } catch (error) {
    held.fail(error);
    if (response.headersSent) response.destroy();
    else await giveAnswer(respond(500), response, gone.signal, () => undefined);
  }
}

const pairsOf = (raw: readonly string[]): readonly (readonly [string, string])[] =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ""] as const] : []));
