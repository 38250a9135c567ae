/**
 * A smallest part of these items that still fails, in their order: without any one of its items it does not. Leaves out
 * half of them, then smaller and smaller runs, and keeps what failed without.
 */
export async function narrow<T>(
  items: readonly T[],
  fails: (part: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let left = items;
  for (let size = Math.ceil(left.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < left.length; ) {
      const without = [...left.slice(0, at), ...left.slice(at + size)];
      if (without.length > 0 && (await fails(without))) {
        left = without;
        if (size === 1) at = 0;
      } else at += size;
    }
  }
  return left;
}
