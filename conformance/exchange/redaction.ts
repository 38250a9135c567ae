import { abridgeHeader, abridgeSignatures } from "./abridge-signatures.ts";
import type { DeliverySeen } from "./delivery.ts";
import type { Exchange, SentRequest } from "./exchange.ts";
import { newStringFinder, shortestString } from "./string-finder.ts";

/**
 * Secrets seen in a run, each with the name that stands for it in everything that is shown. Signatures of deliveries are
 * no secrets, and are shown by their first characters.
 */
export interface Secrets {
  /** Remembers a secret; `shownIn` is the number of the only exchange that may show it, null for one given to the kit. */
  learn(secret: string, name: string, shownIn: number | null): void;
  /** All that were learned, in order. */
  known(): readonly string[];
  /** Secrets that the text shows although no answer but another one may. */
  leakedIn(text: string, exchange: number): readonly string[];
  redact(text: string): string;
  redactRequest(request: SentRequest): SentRequest;
  redactExchange(exchange: Exchange): Exchange;
  redactDelivery(delivery: DeliverySeen): DeliverySeen;
}

interface Known {
  readonly name: string;
  readonly shownIn: number | null;
}

/**
 * As it is and as it is written inside of other texts: base64 has characters that JSON and addresses may escape. Shorter
 * forms than the finder takes would be met by accident.
 */
export const formsOf = (secret: string): readonly string[] =>
  [
    secret,
    secret.replaceAll("/", "\\/"),
    // What is no well-formed text has no form in an address.
    encodeURIComponent(secret.toWellFormed()),
    secret.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""),
  ].filter((form) => form.length >= shortestString);

export function newSecrets(): Secrets {
  const known = new Map<string, Known>();
  const learned: string[] = [];
  const finder = newStringFinder();
  const redact = (text: string): string => {
    let shown = text;
    for (const form of finder.foundIn(text)) shown = shown.replaceAll(form, `\${${known.get(form)?.name}}`);
    return abridgeSignatures(shown);
  };
  const redactAll = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, abridgeHeader(name, redact(value))]));
  const redactRequest = (request: SentRequest): SentRequest => ({
    ...request,
    url: redact(request.url),
    headers: redactAll(request.headers),
    ...(request.repeatedHeaders && {
      repeatedHeaders: request.repeatedHeaders.map(([name, value]) => [name, redact(value)] as const),
    }),
    body: request.body === null ? null : redact(request.body),
  });
  return {
    learn(secret, name, shownIn) {
      if (secret.length < shortestString || known.has(secret)) return;
      learned.push(secret);
      for (const form of formsOf(secret)) {
        known.set(form, { name, shownIn });
        finder.add(form);
      }
    },
    known: () => [...learned],
    leakedIn(text, exchange) {
      const found = finder.foundIn(text).flatMap((form) => known.get(form) ?? []);
      return [...new Set(found.filter(({ shownIn }) => shownIn !== exchange).map(({ name }) => name))];
    },
    redact,
    redactRequest,
    redactExchange(exchange) {
      const { request, outcome } = exchange;
      return {
        ...exchange,
        request: redactRequest(request),
        outcome:
          outcome.kind === "lost"
            ? { ...outcome, message: redact(outcome.message) }
            : { ...outcome, headers: redactAll(outcome.headers), text: redact(outcome.text), json: undefined },
      };
    },
    redactDelivery(delivery) {
      const { request, answer } = delivery;
      return {
        ...delivery,
        request: {
          ...request,
          url: redact(request.url),
          headers: redactAll(request.headers),
          body: redact(request.body),
        },
        answer: {
          ...answer,
          remark: answer.remark === null ? null : redact(answer.remark),
          body: redact(answer.body),
        },
      };
    },
  };
}
