/** What a carrier brings to a phone. */
export interface Text {
  readonly id: string;
  /** E.164. */
  readonly to: string;
  readonly body: string;
}

/** What becomes of a text that was handed over, and when, in milliseconds, the carrier tells. */
export type HandedOver = { readonly kind: "taken"; readonly reportAfter: number } | { readonly kind: "refused" };

/** Who brings messages to phones. */
export interface Carrier {
  /** The same text may come again, by its id, where a server stopped before it wrote down that it was handed over. */
  handOver(text: Text): Promise<HandedOver>;
  /** What it reports of a text that it took. */
  report(text: Text): Promise<"delivered" | "undelivered">;
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
