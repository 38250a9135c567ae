import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { Answer } from "../exchange/answer.ts";

/** Bytes that a flood writes at a time. */
const wave = Buffer.alloc(64 * 1024, "x");

/**
 * Carries an answer out. `gone` fires when the connection is; what is left of the answer is dropped then. `breaksOff`
 * is called right before the connection is broken off on purpose.
 */
export async function giveAnswer(
  answer: Answer,
  response: ServerResponse,
  gone: AbortSignal,
  breaksOff: () => void,
): Promise<void> {
  switch (answer.kind) {
    case "respond": {
      response.statusCode = answer.status;
      for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
      response.end(answer.body);
      return;
    }
    case "hang":
      return;
    case "reset":
      breaksOff();
      breakOff(response);
      return;
    case "drip":
      return streamed(response, answer, gone, async (left) => {
        await setTimeout(answer.every, undefined, { signal: gone });
        return wave.subarray(0, Math.min(1, left));
      });
    case "huge":
      return streamed(response, answer, gone, async (left) => wave.subarray(0, Math.min(wave.length, left)));
    case "delay":
      if (await hasPassed(answer.milliseconds, gone)) return giveAnswer(answer.then, response, gone, breaksOff);
  }
}

async function streamed(
  response: ServerResponse,
  { status, bytes }: { readonly status: number; readonly bytes: number | null },
  gone: AbortSignal,
  next: (left: number) => Promise<Uint8Array>,
): Promise<void> {
  response.writeHead(status, { "content-type": "text/plain" });
  response.flushHeaders();
  try {
    for (let left = bytes ?? Number.POSITIVE_INFINITY; left > 0 && !gone.aborted; ) {
      const chunk = await next(left);
      left -= chunk.length;
      if (!response.write(chunk)) await once(response, "drain", { signal: gone });
    }
  } catch (error) {
    if (gone.aborted) return;
    throw error;
  }
  if (!gone.aborted) response.end();
}

async function hasPassed(milliseconds: number, gone: AbortSignal): Promise<boolean> {
  try {
    await setTimeout(milliseconds, undefined, { signal: gone });
    return true;
  } catch {
    return false;
  }
}

function breakOff({ socket }: ServerResponse): void {
  if (socket === null) return;
  // Only a bare TCP connection can be reset; one with TLS is torn down without its farewell.
  if ("encrypted" in socket) socket.destroy();
  else socket.resetAndDestroy();
}
