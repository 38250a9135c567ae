/** The candidate that was probably meant: the nearest one within a third of its length; null when none is near. */
export function nearestName(name: string, candidates: Iterable<string>): string | null {
  const wanted = name.slice(0, longest).toLowerCase();
  let nearest: { readonly candidate: string; readonly distance: number } | null = null;
  for (const candidate of candidates) {
    const known = candidate.slice(0, longest).toLowerCase();
    const wide = known.startsWith(wanted) && wanted.length >= 3 ? 1 : editDistance(wanted, known);
    // Of two that are equally near, the one whose upper and lower case fit better.
    const distance = wide + editDistance(name.slice(0, longest), candidate.slice(0, longest)) / (longest * 2);
    const tolerated = Math.max(1, Math.floor(candidate.length / 3));
    if (wide <= tolerated && (nearest === null || distance < nearest.distance)) nearest = { candidate, distance };
  }
  return nearest?.candidate ?? null;
}

/** " Did you mean "x"?" with a leading space, or nothing. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const nearest = nearestName(name, candidates);
  return nearest === null ? "" : ` Did you mean "${nearest}"?`;
}

/** Characters compared, so that a hostile name costs little. */
const longest = 80;

/** Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other. */
function editDistance(a: string, b: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const changed = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let best = Math.min((last[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1, changed);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1);
      }
      line.push(best);
    }
    beforeLast = last;
    last = line;
  }
  return last[b.length] ?? 0;
}
