import { constants } from "../../generated/constants.ts";
import { eventType } from "../../generated/events.ts";
import { createSender, type Sender, type SenderOptions } from "../delivery/send-attempt.ts";
import type { ReceiverAnswer } from "../domain/deliveries/receiver-answer.ts";

export const sentHeaders = {
  "Content-Type": "application/json",
  "User-Agent": "test/1",
  [constants.eventIdHeader]: `${constants.eventIdPrefix}1`,
  [constants.eventTypeHeader]: eventType.lookupCompleted,
  [constants.signatureHeader]: "t=1,v1=x",
};

export const sentBody = Buffer.from('{"name":"Zoë"}');

/** What the senders of a test file could not explain. */
export const unexplained: unknown[] = [];

/** A sender that calls receivers on this machine. */
export const testSender = (given: Partial<SenderOptions> = {}): Sender =>
  createSender({
    policy: { loopback: true },
    patience: { connect: 10_000, total: 20_000, body: 20_000 },
    unexpected: (problem) => unexplained.push(problem),
    ...given,
  });

/** Sends one request, over a sender of its own unless given. */
export const send = (url: string, by: Partial<SenderOptions> | Sender = {}): Promise<ReceiverAnswer> =>
  ("send" in by ? by : testSender(by)).send({ url, headers: sentHeaders, body: sentBody });
