import { rules } from "../../generated/rules.ts";
import { orderTester } from "../../reference-server/edits/load-edited.ts";
import { concessions } from "./concessions.ts";
import { type LawfulChoice, lawfulChoices } from "./lawful-choices.ts";
import { packApart } from "./pack-apart.ts";
import { type Join, packChoices } from "./pack-choices.ts";
import { isWatched } from "./watched-rules.ts";

/** More that meet at once hide more of what a check would find; fewer take more runs. */
const meetingSize = 32;

/** As above; more, as each of these packs takes the whole suite. */
const wholeSize = 64;

/** Choices that keep apart hide nothing from each other's checks; so many changes of one server can still be read. */
const largestPack = 96;

/** Lawful choices in one server. */
export interface Pack {
  readonly choices: readonly LawfulChoice[];
  /** Rules under whose checks they run; empty for the whole suite. */
  readonly rules: readonly string[];
}

/**
 * Packs in which each two stand together that touch a common rule, if they can, under the rules that two of them touch.
 * Those of the monitor want nearly every answer, and have packs of their own.
 */
export function meetingPacks(): readonly Pack[] {
  return [isWatched, (rule: string) => !isWatched(rule)].flatMap((isMeant) => {
    const touched = new Map(lawfulChoices.map((choice) => [choice, choice.rules.filter(isMeant)]));
    const touchedBy = (choice: LawfulChoice): readonly string[] => touched.get(choice) ?? [];
    return packChoices(lawfulChoices, touchedBy, joinChoice, meetingSize).map((choices) => {
      const touches = choices.flatMap(touchedBy);
      return { choices, rules: [...new Set(touches.filter((rule, at) => touches.indexOf(rule) < at))] };
    });
  });
}

/** Rules touched that a choice counts for where it cannot stand with another one: late, it would need a pack of its own. */
const foeWeight = 10;

/** With so many choices, what they touch is most of the suite: under all of it, they need no other run of that. */
const manyChoices = 24;

/**
 * Packs of all lawful choices in which no two answer one question, touch a common rule, or touch one of which something is
 * conceded to the other, under all of these; under the whole suite where they are many, or one touches nothing known.
 */
export function apartPacks(): readonly Pack[] {
  const foes = foesAmong(lawfulChoices);
  const weightOf = (choice: LawfulChoice): number => {
    const touched = rulesTouchedBy(choice);
    const watched = touched.some(isWatched) ? Object.keys(rules).length : 0;
    return touched.length + watched + foeWeight * (foes.get(choice) ?? 0);
  };
  // What fits few packs first: the monitor's rules want most of the checks, and many rules leave room for few others.
  const ordered = lawfulChoices.toSorted((one, other) => weightOf(other) - weightOf(one));
  const touchedBy = (choice: LawfulChoice): readonly string[] => [
    choice.question ?? choice.name,
    ...rulesTouchedBy(choice),
  ];
  return packApart(ordered, touchedBy, joinChoice, largestPack).map((choices) => {
    const isWhole = choices.length >= manyChoices || choices.some((choice) => choice.rules.length === 0);
    return { choices, rules: isWhole ? [] : [...new Set(choices.flatMap(rulesTouchedBy))] };
  });
}

/** Packs, under the whole suite, of the lawful choices that none of the others tries so, or that no two seeds see. */
export function wholePacks(apart: readonly Pack[], meeting: readonly Pack[]): readonly Pack[] {
  const seen = new Set(apart.filter(({ rules }) => rules.length === 0).flatMap(({ choices }) => choices));
  const met = new Set(meeting.flatMap(({ choices }) => choices));
  const left = lawfulChoices.filter((choice) => !seen.has(choice) || !met.has(choice));
  const foes = foesAmong(left);
  // Who can stand with few others first: the rest fits wherever there is room.
  const ordered = left.toSorted((one, other) => (foes.get(other) ?? 0) - (foes.get(one) ?? 0));
  return packApart(ordered, () => [], joinChoice, wholeSize).map((choices) => ({ choices, rules: [] }));
}

/** With how many others each of them cannot stand together. */
const foesAmong = (choices: readonly LawfulChoice[]): ReadonlyMap<LawfulChoice, number> =>
  new Map(
    choices.map((choice) => [
      choice,
      choices.filter((other) => other !== choice && joinChoice([choice], other) === null).length,
    ]),
  );

/** What its question touches, and what is conceded to it. */
const rulesTouchedBy = ({ name, rules: its }: LawfulChoice): readonly string[] => [
  ...its,
  ...concessions.flatMap((each) => (each.choices.includes(name) ? each.rules : [])),
];

/**
 * Two values of one option cannot stand together, nor contrarians of which one excludes the other, nor those that change
 * the same place: each one is tried behind those that are there, and before them.
 */
export const joinChoice: Join<LawfulChoice> = (pack, choice) => {
  const { option } = choice;
  if (pack.some((other) => excludes(choice, other) || excludes(other, choice))) return null;
  if (option !== null) return pack.some((other) => other.option?.name === option.name) ? null : [...pack, choice];
  const orders = [
    [...pack, choice],
    [choice, ...pack],
  ];
  return orders.find(stands) ?? null;
};

// Of one process, since what it remembers of the sources takes seconds to find out.
const applies = orderTester();

const stands = (pack: readonly LawfulChoice[]): boolean => applies(pack.flatMap(({ contrarian }) => contrarian ?? []));

const excludes = ({ contrarian }: LawfulChoice, other: LawfulChoice): boolean =>
  other.contrarian !== null && (contrarian?.excludes?.includes(other.contrarian.id) ?? false);
