import { Agent, request } from "undici";
import { isSilence, lostBecause } from "../sending/lost.ts";
import { onOneLine } from "../target/on-one-line.ts";
import { HookFailure, longestAnswer } from "./hook-failure.ts";

/** Posts `input` as JSON and gives the body of the answer, which must be a 2xx; follows no redirect. */
export async function postTo(url: string, input: string, signal: AbortSignal): Promise<string> {
  // Named explicitly: proxy variables of the environment must not stand between kit and hook.
  const dispatcher = new Agent();
  try {
    const { statusCode, body } = await request(url, {
      ...{ method: "POST", headers: { "content-type": "application/json" }, body: input, dispatcher, signal },
    });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body) {
      const bytes = Buffer.from(chunk as Uint8Array);
      size += bytes.length;
      if (size > longestAnswer) throw new HookFailure(`it answered more than ${longestAnswer / 1024} KiB`);
      chunks.push(bytes);
    }
    if (statusCode < 200 || statusCode >= 300) throw new HookFailure(`it answered ${statusCode}`);
    return Buffer.concat(chunks).toString("utf8");
  } catch (error) {
    if (error instanceof HookFailure) throw error;
    if (signal.aborted) throw new HookFailure("it had not answered when its time was up");
    const absent = isSilence(lostBecause(error));
    throw new HookFailure(`it cannot be reached (${onOneLine(messageOf(error))})`, { absent });
  } finally {
    await dispatcher.destroy();
  }
}

const messageOf = (error: unknown): string => (error instanceof Error && error.message ? error.message : String(error));
