import { type GivenNumbers, isPart, numberParts, numbersFor } from "../target/phone-numbers.ts";
import type { Reading } from "./target-sources.ts";

/** The numbers of a target file, whose parts and counts the schema has seen to. */
export function readNumbers(reading: Reading, given: GivenNumbers): GivenNumbers {
  const partOf = new Map<string, string>();
  // What is given first, so that a number for use in fiction is never what is told to be there already.
  const parts = [
    ...Object.keys(given).filter(isPart),
    ...numberParts.map(({ name }) => name).filter((name) => !given[name]),
  ];
  for (const part of parts)
    for (const number of numbersFor(given, part)) {
      const other = partOf.get(number);
      if (other === undefined) partOf.set(number, part);
      else refuseShared(reading, number, [other, part]);
    }
  return given;
}

function refuseShared({ file, problems }: Reading, number: string, [one, other]: readonly [string, string]): void {
  problems.push({
    where: file.placeOf(["numbers", one]),
    message: `${number} is a number of ${one} and of ${other}.`,
    fix: "Give each part numbers of its own: what becomes of one is no matter to another.",
  });
}
