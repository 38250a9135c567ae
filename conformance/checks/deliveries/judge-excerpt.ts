import type { CheckContext } from "../../context/context.ts";
import type { Delivery } from "../../exchange/delivery.ts";
import type { Feed } from "../../steps/feed.ts";

/** An excerpt on record, with the response body that it is of. */
export interface RecordedExcerpt {
  readonly excerpt: unknown;
  readonly body: string;
  readonly delivery: Delivery;
  readonly feed: Feed;
}

/** Returns true if a record has no excerpt: it is absent, null or empty. */
export const isEmptyExcerpt = (excerpt: unknown): boolean => (excerpt ?? "") === "";

/** Judges empty excerpts of response bodies that are not empty. A server may keep no excerpt of any response (Q74). */
export function judgeEmptyExcerpts(t: CheckContext<"WHL-13">, all: readonly RecordedExcerpt[]): void {
  const ofText = all.filter(({ body }) => body !== "");
  const empty = ofText.filter(({ excerpt }) => isEmptyExcerpt(excerpt));
  if (empty.length < ofText.length)
    for (const { excerpt, body, delivery, feed } of empty) judgeExcerpt(t, excerpt, body, delivery, feed);
  else if (empty.length > 0) t.observe("WHL-13", "the server keeps no excerpt of a response body");
}

/**
 * Verifies that an excerpt is the start of a response body, and returns the result. The length is an open question. The
 * cut may fall within a character, and an ellipsis may mark it.
 */
export function judgeExcerpt(
  t: CheckContext<"WHL-13">,
  excerpt: unknown,
  body: string,
  delivery: Delivery,
  { pages }: Feed,
): boolean {
  // An empty body has no excerpt, or an empty one.
  const text = excerpt ?? "";
  const leading = typeof text === "string" && isLeading(text, body);
  return t.verify("WHL-13", leading && (text !== "" || body === ""), {
    expected: `response_body_excerpt, a leading part of ${JSON.stringify(body.slice(0, 60))}`,
    actual: JSON.stringify(excerpt)?.slice(0, 80) ?? "none",
    exchanges: pages,
    deliveries: [delivery],
    // The length is an open question.
    question: leading ? "Q74" : null,
  });
}

function isLeading(text: string, body: string): boolean {
  const whole = text.replace(/\uFFFD+$/u, "");
  const cut = text.replace(/\s?(\u2026|\.\.\.)$/u, "").replace(/\uFFFD+$/u, "");
  return body.startsWith(whole) || (cut !== "" && cut.length < body.length && body.startsWith(cut));
}
