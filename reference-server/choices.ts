import { type Choices, choiceValues, referenceChoices } from "../generated/choices.ts";

/** Choices that cannot be used; the message says all that is wrong with them. */
class UnusableChoices extends Error {
  constructor(faults: readonly string[]) {
    super(faults.join("\n"));
    this.name = "UnusableChoices";
  }
}

/**
 * The choices of a parsed file: an object of options, each with one of its lawful values. An option that is left out
 * has the reference's choice. Throws `UnusableChoices`.
 */
export function choicesFrom(file: unknown): Choices {
  if (file === null || file === undefined) return referenceChoices;
  if (typeof file !== "object" || Array.isArray(file))
    throw new UnusableChoices([
      'Choices are options with their values, one on each line, such as "lastUsed: delayed".',
    ]);
  // Values such as 17 are numbers in a file.
  const given = Object.entries(file).map(([option, value]) => [option, String(value)] as const);
  const faults = given.flatMap(([option, value]) => faultOf(option, value));
  const choices = { ...referenceChoices, ...Object.fromEntries(given) };
  if (faults.length > 0 || !areChoices(choices)) throw new UnusableChoices(faults);
  return choices;
}

function faultOf(option: string, value: string): readonly string[] {
  const lawful = lawfulValues(option);
  if (lawful === null)
    return [`There is no option ${JSON.stringify(option)}. Options: ${Object.keys(choiceValues).join(", ")}.`];
  if (lawful.includes(value)) return [];
  return [`The option ${option} cannot be ${JSON.stringify(value)}. Values: ${lawful.join(", ")}.`];
}

function lawfulValues(option: string): readonly string[] | null {
  const all: Readonly<Record<string, readonly string[]>> = choiceValues;
  return Object.hasOwn(all, option) ? (all[option] ?? null) : null;
}

const areChoices = (choices: Readonly<Record<string, string>>): choices is Choices =>
  Object.keys(choiceValues).every((option) => lawfulValues(option)?.includes(choices[option] ?? ""));
