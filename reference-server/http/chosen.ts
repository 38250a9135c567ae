import { type Choices, referenceChoices } from "../../generated/choices.ts";

/** What was chosen for an option that a fact of the contract names. */
export function chosen(choices: Choices, option: string): { readonly value: string; readonly isReference: boolean } {
  const value = valueFor(choices, option);
  return { value, isReference: value === valueFor(referenceChoices, option) };
}

function valueFor(choices: Readonly<Partial<Record<string, string>>>, option: string): string {
  const value = choices[option];
  if (value === undefined) throw new Error(`No open question has the option ${option}.`);
  return value;
}
