import { orderTester } from "../../reference-server/edits/load-edited.ts";
import { concessions } from "./concessions.ts";
import { type LawfulChoice, lawfulChoices } from "./lawful-choices.ts";
import { packApart } from "./pack-apart.ts";
import { packChoices } from "./pack-choices.ts";

/** More at once hide more of what a check would find; fewer take more runs. */
const packSize = 32;

/** Packs of all lawful choices in which each two that touch a common rule stand together, if they can. */
export const lawfulPacks = (): readonly (readonly LawfulChoice[])[] =>
  packChoices(lawfulChoices, choiceJoiner(), packSize);

/**
 * Packs of all lawful choices in which no two answer one question, touch a common rule, or touch one of which something is
 * conceded to the other.
 */
export const apartPacks = (): readonly (readonly LawfulChoice[])[] =>
  packApart(lawfulChoices, touchedBy, choiceJoiner(), packSize);

const touchedBy = ({ name, question, rules }: LawfulChoice): readonly string[] => [
  question ?? name,
  ...rules,
  ...concessions.flatMap((each) => (each.choices.includes(name) ? each.rules : [])),
];

/**
 * Two values of one option cannot stand together, nor contrarians of which one excludes the other, nor those that change
 * the same place: each one is tried behind those that are there, and before them.
 */
export function choiceJoiner(): (
  pack: readonly LawfulChoice[],
  choice: LawfulChoice,
) => readonly LawfulChoice[] | null {
  const applies = orderTester();
  const stands = (pack: readonly LawfulChoice[]): boolean =>
    applies(pack.flatMap(({ contrarian }) => contrarian ?? []));
  return (pack, choice) => {
    const { option } = choice;
    if (pack.some((other) => excludes(choice, other) || excludes(other, choice))) return null;
    if (option !== null) return pack.some((other) => other.option?.name === option.name) ? null : [...pack, choice];
    const orders = [
      [...pack, choice],
      [choice, ...pack],
    ];
    return orders.find(stands) ?? null;
  };
}

const excludes = ({ contrarian }: LawfulChoice, other: LawfulChoice): boolean =>
  other.contrarian !== null && (contrarian?.excludes?.includes(other.contrarian.id) ?? false);
