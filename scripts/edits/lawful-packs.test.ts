import { expect, test } from "vitest";
import { contrarians } from "../../reference-server/edits/contrarians.ts";
import { lawfulChoices } from "./lawful-choices.ts";
import { choiceJoiner } from "./lawful-packs.ts";

const choiceNamed = (name: string) => {
  const choice = lawfulChoices.find((each) => each.name === name);
  if (choice === undefined) throw new Error(`There is no choice ${name}.`);
  return choice;
};

const excluding = contrarians.flatMap(({ id, excludes = [] }) => excludes.map((other) => ({ id, other })));

test("some contrarians exclude others", () => expect(excluding).not.toEqual([]));

test.each(excluding)("$id and $other, which make no lawful server together, join in neither order", ({ id, other }) => {
  const join = choiceJoiner();
  expect(join([choiceNamed(id)], choiceNamed(other))).toBeNull();
  expect(join([choiceNamed(other)], choiceNamed(id))).toBeNull();
});
