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
  const first = new Map<string, SameId>();
  /** The last ids, each of which takes the place of the one that came so many before it. */
  const recent: { readonly id: string; readonly answeredAt: number }[] = [];
  let place = 0;
  return (id, exchange) => {
    const known = first.get(id);
    if (known !== undefined) return known;
    const { answeredAt } = exchange;
    const oldest = recent[place];
    if (oldest !== undefined) first.set(oldest.id, { answeredAt: oldest.answeredAt, exchange: null });
    recent[place] = { id, answeredAt };
    place = (place + 1) % mostKept;
    first.set(id, { answeredAt, exchange });
    return null;
  };
}
