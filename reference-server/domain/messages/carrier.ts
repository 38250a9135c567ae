import type { Message, MessageStatus } from "./message.ts";

/** What becomes of a message that was handed over, and when, in milliseconds, the carrier tells. */
export type HandedOver = { readonly kind: "taken"; readonly reportAfter: number } | { readonly kind: "refused" };

/** Who brings messages to phones. */
export interface Carrier {
  /** The same message may come again, by its id, where a server stopped before it wrote down that it was handed over. */
  handOver(message: Message): Promise<HandedOver>;
  /** What it reports of a message that it took. */
  report(message: Message): Promise<Extract<MessageStatus, "delivered" | "undelivered">>;
}

/** How long after it has taken a message the simulated carrier reports, in milliseconds. */
const reportAfter = 1_000;

/**
 * A carrier that calls nobody. What it does follows from the number's last digits, so that a client can have any of it:
 * it refuses those that end with 80 to 89, and cannot reach those that end with 90 to 99.
 */
export const simulatedCarrier: Carrier = {
  handOver: async ({ to }) => (/8\d$/.test(to) ? { kind: "refused" } : { kind: "taken", reportAfter }),
  report: async ({ to }) => (/9\d$/.test(to) ? "undelivered" : "delivered"),
};
