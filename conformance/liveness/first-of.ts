const known = new WeakMap<AbortSignal, WeakMap<AbortSignal, AbortSignal>>();

/** Fires with the first of two. The same two give the same signal: one that lasts keeps account of all that follow it. */
export function firstOf(one: AbortSignal, other: AbortSignal): AbortSignal {
  const ofOne = known.get(one) ?? new WeakMap<AbortSignal, AbortSignal>();
  known.set(one, ofOne);
  const first = ofOne.get(other) ?? AbortSignal.any([one, other]);
  ofOne.set(other, first);
  return first;
}
