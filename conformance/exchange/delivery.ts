import { type Answer, bodyOfAnswer, remarkOnAnswer, statusOfAnswer } from "./answer.ts";

/** One request that reached an inbox, whatever its method. */
export interface Delivery {
  /** Position among the deliveries of the run, from 1. */
  readonly number: number;
  /** Address of the inbox, as the target was told it. */
  readonly url: string;
  /** The request's target as it came: path and query. */
  readonly path: string;
  readonly method: string;
  /** In the order and the spelling in which they came, repeated ones too. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The bytes that came, as far as the kit keeps them. */
  readonly body: Buffer;
  /** Bytes that came in all. */
  readonly size: number;
  /** The body was longer than the kit keeps. */
  readonly truncated: boolean;
  /** The sender went away before its request was whole. */
  readonly broken: boolean;
  /** When the head was there; milliseconds since the epoch, on the kit's clock. */
  readonly receivedAt: number;
  /** What the receiver set out to answer; null when the request was broken. */
  readonly answer: Answer | null;
  /** How the answer ended so far, and when. */
  readonly ending: Ending;
}

/**
 * `open`: under way; `given`: carried out whole; `abandoned`: the sender went away before; `cut`: the kit ended it, as
 * it does with every connection at the end of a check.
 */
export interface Ending {
  readonly how: "open" | "given" | "abandoned" | "cut";
  /** Null while it is open. */
  readonly at: number | null;
}

/** A delivery as reports show it: plain JSON. */
export interface DeliverySeen {
  readonly number: number;
  readonly receivedAt: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    /** Values of repeated headers joined by a comma and a space. */
    readonly headers: Readonly<Record<string, string>>;
    /** The bytes as text. */
    readonly body: string;
    readonly bytes: number;
    /** The body is not there whole. */
    readonly truncated: boolean;
  };
  readonly answer: {
    /** Null when the receiver meant to send none. */
    readonly status: number | null;
    /** What was out of the ordinary about it. */
    readonly remark: string | null;
    readonly body: string;
    readonly how: Ending["how"];
    readonly endedAt: number | null;
  };
}

/** Every value of a header, in order. */
export const headerValues = ({ headers }: Pick<Delivery, "headers">, name: string): readonly string[] =>
  headers.filter(([n]) => n.toLowerCase() === name.toLowerCase()).map(([, value]) => value);

/** The body as JSON; undefined when it is none. */
export function jsonOfDelivery({ body }: Pick<Delivery, "body">): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

/** Names once each, in the spelling that came first; values of repeated headers joined. */
export function joinedHeaders({ headers }: Pick<Delivery, "headers">): Readonly<Record<string, string>> {
  const groups = Map.groupBy(headers, ([name]) => name.toLowerCase());
  return Object.fromEntries(
    [...groups.values()].map((same) => [same[0]?.[0] ?? "", same.map(([, value]) => value).join(", ")]),
  );
}

/** The delivery as it stands now. */
export function seenDelivery(delivery: Delivery): DeliverySeen {
  const { number, receivedAt, method, url, path, body, size, truncated, broken, answer, ending } = delivery;
  const query = path.includes("?") ? path.slice(path.indexOf("?")) : "";
  return {
    number,
    receivedAt,
    request: {
      ...{ method, url: url + query, headers: joinedHeaders(delivery), body: body.toString("utf8"), bytes: size },
      truncated: truncated || broken,
    },
    answer: {
      status: answer === null ? null : statusOfAnswer(answer),
      remark: answer === null ? "no answer: the request was not whole" : remarkOnAnswer(answer),
      body: answer === null ? "" : bodyOfAnswer(answer),
      ...{ how: ending.how, endedAt: ending.at },
    },
  };
}
