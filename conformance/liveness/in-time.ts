/**
 * Does the work with a signal that fires after so many milliseconds, or with the other one and its reason. Nothing of it is
 * left when the work is done: signals that Node.js combines, and timers that go on, cost more than many a request.
 */
export async function inTime<T>(
  milliseconds: number,
  ends: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const course = new AbortController();
  const timer = setTimeout(() => course.abort(), milliseconds);
  const end = (): void => course.abort(ends.reason);
  if (ends.aborted) end();
  ends.addEventListener("abort", end, { once: true });
  try {
    return await work(course.signal);
  } finally {
    clearTimeout(timer);
    ends.removeEventListener("abort", end);
  }
}
