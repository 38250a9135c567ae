import type { Join } from "./pack-choices.ts";

/**
 * Puts each choice into one pack, and no two that touch the same, or cannot stand together, into one. So no other one of
 * its pack can undo what a choice does to what it touches, nor stand before what a check would find of it. First fit, in
 * the order of the list.
 */
export function packApart<T>(
  choices: readonly T[],
  touchedBy: (choice: T) => readonly string[],
  join: Join<T>,
  size: number,
): readonly (readonly T[])[] {
  const touched = new Map(choices.map((choice) => [choice, touchedBy(choice)]));
  const touches = (choice: T): readonly string[] => touched.get(choice) ?? [];
  const meet = (one: T, other: T): boolean => touches(one).some((each) => touches(other).includes(each));
  const packs: (readonly T[])[] = [];
  for (const choice of choices) {
    const roomy = packs.findIndex(
      (pack) => pack.length < size && !pack.some((other) => meet(choice, other)) && join(pack, choice) !== null,
    );
    const at = roomy < 0 ? packs.length : roomy;
    packs[at] = join(packs[at] ?? [], choice) ?? [choice];
  }
  return packs;
}
