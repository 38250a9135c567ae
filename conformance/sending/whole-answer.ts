import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import type { Outcome, Response } from "../exchange/exchange.ts";
import { whenEnded } from "../liveness/when-ended.ts";
import { lostBecause } from "./lost.ts";

/** Bytes of an answer that the kit reads; the rest is cut off. */
const bodyLimit = 4 * 1024 * 1024;

/** Characters that are kept of an answer that was cut off: nobody can read it as JSON any more. */
const keptOfTruncated = 16 * 1024;

/** How long an answer is waited for. */
export interface Patience {
  /** Milliseconds for a whole answer. */
  readonly timeout: number;
  /** Ends the wait; what it cuts off is lost for its reason. */
  readonly ends: AbortSignal;
}

/**
 * Sends a request and reads the whole answer as it comes: a stream between the two would cost more than all else that is
 * done for most exchanges, and so would a signal of its own. Never rejects.
 */
export function wholeAnswer(
  dispatcher: Dispatcher,
  asked: Dispatcher.DispatchOptions,
  { timeout, ends }: Patience,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let head: Pick<Response, "status" | "headers"> | null = null;
    let controller: Dispatcher.DispatchController | null = null;
    let givenUp: Error | null = null;
    const answer = (truncated: boolean): void => {
      if (head !== null) end({ ...head, ...bodyOf(Buffer.concat(chunks), truncated) });
    };
    const end = (outcome: Outcome): void => {
      clearTimeout(timer);
      forget();
      resolve(outcome);
    };
    const giveUp = (reason: Error): void => {
      givenUp = reason;
      end(lostBecause(reason));
      controller?.abort(reason);
    };
    if (ends.aborted) return resolve(lostBecause(ends.reason));
    const late = (): void => giveUp(new DOMException("No answer came in time.", "TimeoutError"));
    const timer = setTimeout(late, timeout);
    const forget = whenEnded(ends, () => giveUp(ends.reason));
    const heard: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        if (givenUp !== null) started.abort(givenUp);
      },
      onResponseStart(_, status, headers) {
        // What comes before the answer itself.
        if (status >= 200) head = { status, headers: joined(headers) };
      },
      onResponseData(started, chunk) {
        chunks.push(chunk);
        size += chunk.length;
        if (size <= bodyLimit) return;
        answer(true);
        started.abort(new Error("The answer is longer than is read."));
      },
      onResponseEnd: () => answer(false),
      onResponseError: (_, error) => end(lostBecause(error)),
    };
    try {
      dispatcher.dispatch(asked, heard);
    } catch (error) {
      // What cannot be sent as it is asked.
      end(lostBecause(error));
    }
  });
}

function joined(headers: IncomingHttpHeaders): Response["headers"] {
  const told: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) told[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
  }
  return told;
}

function bodyOf(bytes: Buffer, truncated: boolean): Omit<Response, "status" | "headers"> {
  const whole = bytes.toString("utf8");
  const text = truncated ? whole.slice(0, keptOfTruncated) : whole;
  return { kind: "response", text, json: isUtf8(bytes) ? parsed(text) : undefined, truncated };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
