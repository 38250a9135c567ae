/** A call of a history, with what it can have done. */
export interface Call<State> {
  /** By one clock that never runs backwards. */
  readonly sentAt: number;
  /** By the same clock; infinite where no answer came, or where the call may take effect after it was answered. */
  readonly answeredAt: number;
  /** The states to which the call can have led from that state, by the answer that it got; none where it cannot. */
  readonly from: (state: State) => readonly State[];
}

/**
 * An order of the calls in which each follows those that were answered before it was sent, and each got an answer that it
 * can get in the state that those before it led to: the places of the calls, in that order. Null where there is none, so
 * that no server did one thing after the other (Herlihy and Wing, 1990). The search is that of Wing and Gong with the
 * places from which nothing leads further kept in mind (Lowe, 2017): it takes long where very many calls overlap.
 */
export function linearize<State>(calls: readonly Call<State>[], start: State): readonly number[] | null {
  const hopeless = new Map<string, Set<State>>();
  const order: number[] = [];

  function search(left: ReadonlySet<number>, state: State): boolean {
    if (left.size === 0) return true;
    const place = [...left].join(" ");
    const tried = hopeless.get(place) ?? new Set();
    if (tried.has(state)) return false;
    for (const index of left) {
      const call = calls[index];
      if (call === undefined || [...left].some((other) => (calls[other]?.answeredAt ?? 0) < call.sentAt)) continue;
      const others = new Set(left);
      others.delete(index);
      order.push(index);
      for (const next of call.from(state)) if (search(others, next)) return true;
      order.pop();
    }
    hopeless.set(place, tried.add(state));
    return false;
  }

  return search(new Set(calls.keys()), start) ? order : null;
}
