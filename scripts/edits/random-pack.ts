import { randomFrom } from "../../conformance/context/seeded-random.ts";
import { type LawfulChoice, lawfulChoices } from "./lawful-choices.ts";
import { joinChoice } from "./lawful-packs.ts";

/** As many choices as asked for, or as can stand together, drawn in an order that the seed gives. */
export function randomPack(size: number, seed: number): readonly LawfulChoice[] {
  const random = randomFrom(seed);
  const drawn = lawfulChoices
    .map((choice) => ({ choice, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ choice }) => choice);
  return drawn.reduce<readonly LawfulChoice[]>(
    (pack, choice) => (pack.length < size ? (joinChoice(pack, choice) ?? pack) : pack),
    [],
  );
}
