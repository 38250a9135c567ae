/**
 * Who exchanges what is compared, and in which direction: clients send requests and read answers; receivers read
 * deliveries, which are webhooks and callbacks, and answer them.
 */
export type Voice = "request" | "response" | "delivery" | "delivery-answer";

/** Whether who exchanges it writes it, and so breaks where less is admitted, or reads it, and breaks where more is. */
export const varianceOf = (voice: Voice): "request" | "response" =>
  voice === "request" || voice === "delivery-answer" ? "request" : "response";

interface Words {
  readonly party: string;
  /** What becomes of a value that comes, and of one that goes. */
  readonly come: string;
  readonly gone: string;
  /** What follows where less is admitted, and where more is; each ends a sentence. */
  readonly lost: string;
  readonly gained: string;
}

const reader = (party: string) => ({
  party,
  lost: `${party} gains certainty and loses nothing`,
  gained: `${party} that relies on what was promised meets a value that it never had to handle`,
});

/** How sentences name who exchanges it, and what is done with values. */
export const wordsOf: Readonly<Record<Voice, Words>> = {
  request: {
    party: "a client",
    come: "is taken now",
    gone: "is taken no longer",
    lost: "a client that sends such a value is refused",
    gained: "no request that worked stops working",
  },
  response: { ...reader("a client"), come: "may now be answered", gone: "is answered no longer" },
  delivery: { ...reader("a receiver"), come: "may now be sent", gone: "is sent no longer" },
  "delivery-answer": {
    party: "a receiver",
    come: "is understood now",
    gone: "is understood no longer",
    lost: "a receiver that answers with such a value is misunderstood",
    gained: "no answer that was understood is misunderstood",
  },
};
