import type { Exchange } from "../exchange/exchange.ts";

/** The first answer with a request id that came again. */
export interface SameId {
  /** Milliseconds since 1970. */
  readonly answeredAt: number;
  /** Null where too much came since to have it still. */
  readonly exchange: Exchange | null;
}

/** Answers that are kept whole: ids that are not unique mostly come again soon. */
const mostKept = 500;

/** Remembers request ids, and tells the first answer with an id that was seen before; null for a new one. */
export function newRequestIds(): (id: string, exchange: Exchange) => SameId | null {
  const first = new Map<string, number>();
  const recent = new Map<string, Exchange>();
  return (id, exchange) => {
    const answeredAt = first.get(id);
    if (answeredAt !== undefined) return { answeredAt, exchange: recent.get(id) ?? null };
    first.set(id, exchange.answeredAt);
    recent.set(id, exchange);
    const [oldest] = recent.keys();
    if (recent.size > mostKept && oldest !== undefined) recent.delete(oldest);
    return null;
  };
}
