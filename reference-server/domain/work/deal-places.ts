interface Due {
  readonly organizationId: string;
}

/**
 * Chooses which of the due work gets a free place. The organization that has fewest gets the next one, and none takes
 * more places than it leaves free: however many of its receivers hang, and however many other organizations do the same,
 * whoever comes next finds a place. Of each organization the first come first.
 *
 * This is the dynamic threshold of shared buffers in switches (Choudhury and Hahne, 1998) with a factor of one.
 */
export function dealPlaces<Work extends Due>(
  due: readonly Work[],
  free: number,
  taken: ReadonlyMap<string, number>,
): readonly Work[] {
  const waiting = [...Map.groupBy(due, ({ organizationId }) => organizationId)].map(([id, work]) => ({
    work,
    next: 0,
    taken: taken.get(id) ?? 0,
  }));
  const dealt: Work[] = [];
  for (let left = free; left > 0; left--) {
    const [first, ...others] = waiting.filter(({ work, next }) => next < work.length);
    if (first === undefined) break;
    const least = others.reduce((one, other) => (other.taken < one.taken ? other : one), first);
    const work = least.work[least.next];
    if (work === undefined || least.taken >= left) break;
    dealt.push(work);
    least.next++;
    least.taken++;
  }
  return dealt;
}

/** The organizations that may take no further place while so many are free. */
export const withoutShare = (free: number, taken: ReadonlyMap<string, number>): readonly string[] =>
  [...taken].filter(([, count]) => count >= free).map(([id]) => id);
