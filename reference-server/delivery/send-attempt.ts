import { Client, type Dispatcher } from "undici";
import type { DeliveryRequest } from "../domain/deliveries/delivery-request.ts";
import { excerptOf, type ReceiverAnswer } from "../domain/deliveries/receiver-answer.ts";
import { type AddressPolicy, refuseUrl } from "./address-guard.ts";
import { failureText } from "./failure-text.ts";
import { guardedConnect } from "./guarded-connect.ts";
import { publicNames, type ResolveName, systemNames } from "./resolve-name.ts";

/** Milliseconds that the server bears with a receiver. */
export interface SendPatience {
  /** Until the connection stands, its look-up and TLS included. To about a second. */
  readonly connect: number;
  /** From beginning to end, whatever the receiver does. */
  readonly total: number;
  /** For the body behind a status, which is the answer: a body that drips holds its place no longer. */
  readonly body: number;
}

export const usualSendPatience: SendPatience = { connect: 10_000, total: 15_000, body: 1_000 };

/** Of an answer's body; what comes behind it is not waited for. */
const mostBodyBytes = 65_536;

const mostHeaderBytes = 16_384;

/** Of an answer's body, in the record. */
const usualExcerptBytes = 1_024;

export interface SenderOptions {
  readonly policy: AddressPolicy;
  readonly patience?: SendPatience;
  readonly excerptBytes?: number;
  /** DNS alone for public addresses, else as the machine resolves, unless given. */
  readonly resolve?: ResolveName;
  /** Hears of a failure that no receiver causes. */
  readonly unexpected: (problem: unknown) => void;
}

export interface OutgoingRequest extends Pick<DeliveryRequest, "url" | "body"> {
  readonly headers: Readonly<Record<string, string>>;
}

export interface Sender {
  readonly excerptBytes: number;
  /** No attempt takes longer, in milliseconds. */
  readonly longest: number;
  /** Makes one attempt. Rejects with `SendingStopped` alone. */
  send(request: OutgoingRequest): Promise<ReceiverAnswer>;
  /** Breaks off all attempts, and those that are still to come. */
  stop(): void;
}

/** The attempt was broken off, and nobody knows whether the receiver took the request. */
export class SendingStopped extends Error {
  constructor() {
    super("The server stops, and the attempt was broken off.");
    this.name = "SendingStopped";
  }
}

/**
 * Sends over HTTP. Every attempt has a connection of its own: its address is checked anew, and it cannot fail because
 * the receiver has just closed an idle one. Redirects are not followed.
 */
export function createSender(options: SenderOptions): Sender {
  const { policy, patience = usualSendPatience, excerptBytes = usualExcerptBytes, unexpected } = options;
  const resolve = options.resolve ?? (policy.loopback ? systemNames : publicNames());
  const connect = guardedConnect(policy, resolve, patience.connect);
  const open = new Set<Client>();
  let stopped = false;

  async function send({ url, headers, body }: OutgoingRequest): Promise<ReceiverAnswer> {
    if (stopped) throw new SendingStopped();
    const refusal = refuseUrl(url, policy);
    if (refusal !== null) return { kind: "unanswered", error: `the address ${refusal}`, milliseconds: 0 };
    const { origin, pathname, search } = new URL(url);
    const start = performance.now();
    const client = new Client(origin, {
      connect,
      maxHeaderSize: mostHeaderBytes,
      // The time-out of the whole attempt is exact and holds for each part of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    open.add(client);
    let late = false;
    const breakOff = () => {
      late = true;
      end(client);
    };
    const alarm = setTimeout(breakOff, patience.total);
    let bodyAlarm: NodeJS.Timeout | undefined;
    const milliseconds = () => Math.round(performance.now() - start);
    try {
      const answer = await client.request({ method: "POST", path: pathname + search, headers, body, reset: true });
      bodyAlarm = setTimeout(breakOff, patience.body);
      const excerpt = excerptOf(await firstBytes(answer.body, excerptBytes + 1), excerptBytes);
      return { kind: "answered", status: answer.statusCode, excerpt, milliseconds: milliseconds() };
    } catch (problem) {
      if (stopped) throw new SendingStopped();
      const error = late ? `no answer came within ${patience.total / 1000} s` : failureText(problem);
      if (error === null) unexpected(problem);
      return { kind: "unanswered", error: error ?? "the request could not be sent", milliseconds: milliseconds() };
    } finally {
      clearTimeout(alarm);
      clearTimeout(bodyAlarm);
      open.delete(client);
      end(client);
    }
  }

  return {
    excerptBytes,
    longest: patience.total,
    send,
    stop() {
      stopped = true;
      for (const client of open) end(client);
    },
  };
}

/** Ends the connection at once, and the request on it. */
function end(client: Client): void {
  client.destroy().catch(() => undefined);
}

/** Up to so many bytes of a body that may be endless, or break off: the answer was given with its status. */
async function firstBytes(body: Dispatcher.ResponseData["body"], most: number): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let read = 0;
  try {
    for await (const chunk of body) {
      const bytes: Uint8Array = chunk;
      if (read < most) kept.push(bytes.subarray(0, most - read));
      read += bytes.length;
      if (read >= mostBodyBytes) break;
    }
  } catch {
    // What came before the break is the excerpt.
  }
  return Buffer.concat(kept);
}
