import type { Place } from "../contract.ts";
import type { Problem } from "../problem.ts";
import { breach } from "./lint-rule.ts";

interface Declared {
  readonly id: string;
  readonly place: Place;
}

/** One problem for each declaration, in the order of the files, that repeats the id of an earlier one. */
export function duplicatesOf<T extends Declared>(
  declared: readonly T[],
  code: string,
  fix: string,
  mayShare: (one: T, other: T) => boolean = () => false,
): readonly Problem[] {
  const ordered = [...declared].sort(byPlace);
  return ordered.flatMap((one, index) => {
    const before = ordered.slice(0, index).find((other) => other.id === one.id && !mayShare(one, other));
    if (before === undefined) return [];
    return breach(code, one.place, `${one.id} is already declared at ${before.place.file}:${before.place.line}.`, fix);
  });
}

const byPlace = ({ place: a }: Declared, { place: b }: Declared): number =>
  a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1;
