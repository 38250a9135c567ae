import type { SentRequest } from "../exchange/exchange.ts";

/** Ids of records, numbers of recipients, and names that stand for secrets. */
const nameOfOne = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|(?:\+|%2B)[1-9]\d{6,14}|\$\{\w+\}/gi;

/** Ids, numbers and secrets that a request is made with. */
export const namedIn = ({ url, headers, body }: SentRequest): readonly string[] =>
  [pathOf(url), body ?? "", ...Object.values(headers)]
    .flatMap((text) => text.match(nameOfOne) ?? [])
    .map((name) => name.replace(/^%2B/i, "+"));

/** What a request names without its headers, such as the recipients of its body. */
export const namedWithoutHeaders = (request: SentRequest): readonly string[] => namedIn({ ...request, headers: {} });

/** Phone numbers that a request names in its address or its body. */
export const recipientsIn = (request: SentRequest): readonly string[] =>
  namedWithoutHeaders(request).filter((name) => name.startsWith("+"));

/** What the address of a request names. */
export const namedInAddress = (request: SentRequest): readonly string[] =>
  namedIn({ ...request, headers: {}, body: null });

/** Path and query as they were sent: what is no address stays as it is. */
export function pathOf(url: string): string {
  const start = /^https?:\/\/[^/?#]*/.exec(url)?.[0].length ?? 0;
  return url.slice(start);
}

/** The Authorization header; undefined for none. */
export const credentialOf = ({ headers }: SentRequest): string | undefined =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === "authorization")?.[1];
