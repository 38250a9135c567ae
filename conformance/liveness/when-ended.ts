const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Does something once when the signal fires, at once when it has; what is given has it forgotten. Many wait for the same
 * signal, each for a moment: one listener for all of them costs a fraction of one each.
 */
export function whenEnded(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) {
    act();
    return () => undefined;
  }
  const acts = waiting.get(signal) ?? actsOf(signal);
  // The same may be asked for twice.
  const own = (): void => act();
  acts.add(own);
  return () => void acts.delete(own);
}

function actsOf(signal: AbortSignal): Set<() => void> {
  const acts = new Set<() => void>();
  waiting.set(signal, acts);
  const actAll = (): void => {
    for (const act of acts) act();
  };
  signal.addEventListener("abort", actAll, { once: true });
  return acts;
}
