import { expect, test } from "vitest";
import { contrarians } from "../../reference-server/edits/contrarians.ts";
import { type LawfulChoice, lawfulChoices } from "./lawful-choices.ts";
import { joinChoice, meetingPacks } from "./lawful-packs.ts";

const choiceNamed = (name: string) => {
  const choice = lawfulChoices.find((each) => each.name === name);
  if (choice === undefined) throw new Error(`There is no choice ${name}.`);
  return choice;
};

const excluding = contrarians.flatMap(({ id, excludes = [] }) => excludes.map((other) => ({ id, other })));

test("some contrarians exclude others", () => expect(excluding).not.toEqual([]));

test.each(excluding)("$id and $other, which make no lawful server together, join in neither order", ({ id, other }) => {
  expect(joinChoice([choiceNamed(id)], choiceNamed(other))).toBeNull();
  expect(joinChoice([choiceNamed(other)], choiceNamed(id))).toBeNull();
});

test("each two choices are in packs together under every rule that both touch, if they can stand together", () => {
  const packs = meetingPacks().map(({ choices, rules }) => ({ choices: new Set(choices), rules: new Set(rules) }));
  const areApart = (one: LawfulChoice, other: LawfulChoice): boolean => {
    const shared = one.rules.filter((rule) => other.rules.includes(rule));
    const its = packs.filter(({ choices }) => choices.has(one) && choices.has(other));
    return shared.some((rule) => !its.some(({ rules }) => rules.has(rule))) && joinChoice([one], other) !== null;
  };
  const apart = lawfulChoices.flatMap((one, at) =>
    lawfulChoices.slice(at + 1).flatMap((other) => (areApart(one, other) ? [`${one.name} and ${other.name}`] : [])),
  );
  expect(apart).toEqual([]);
});
