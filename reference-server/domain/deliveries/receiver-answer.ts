/** What an attempt got from the receiver. Times are milliseconds. */
export type ReceiverAnswer = Answered | Unanswered;

/** A status came. What became of the body behind it does not matter. */
export interface Answered {
  readonly kind: "answered";
  readonly status: number;
  /** The body's first bytes, as text. */
  readonly excerpt: string;
  readonly milliseconds: number;
}

export interface Unanswered {
  readonly kind: "unanswered";
  /** Why, in words that its customer may read. */
  readonly error: string;
  readonly milliseconds: number;
}

/** An answer that a sandbox has arranged: the attempt is recorded as if it had been given, and nothing is sent. */
export type ForcedAnswer = { readonly status: number; readonly body?: string } | { readonly failure: string };

export function answerOf(forced: ForcedAnswer, excerptBytes: number): ReceiverAnswer {
  if ("failure" in forced) return { kind: "unanswered", error: forced.failure, milliseconds: 0 };
  const excerpt = excerptOf(Buffer.from(forced.body ?? ""), excerptBytes);
  return { kind: "answered", status: forced.status, excerpt, milliseconds: 0 };
}

/** At most so many bytes of a body as text, without the part of a character that the cut leaves behind. */
export function excerptOf(body: Uint8Array, bytes: number): string {
  // A byte order mark is part of what was sent.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return decoder.decode(body.subarray(0, bytes), { stream: body.length > bytes });
}
