import type { Contract, OpenQuestion } from "../contract.ts";
import { banner } from "./banner.ts";
import { docComment, literal } from "./literal.ts";

/** Open questions that a server option answers. */
export function printChoices(contract: Contract): string {
  const optional = contract.questions.filter(hasOption);
  const values = optional
    .map(
      (q) =>
        `${docComment(`${q.id}: ${q.asks}`, "  ")}  ${q.option.name}: ${literal(q.option.values, "  ", q.option.name.length + 4)},\n`,
    )
    .join("");
  return `${banner}/** Options that answer an open question, each with its lawful values; the first is the reference's choice. */
export const choiceValues = {
${values}} as const;

/** One answer for each option. */
export type Choices = { readonly [Option in keyof typeof choiceValues]: (typeof choiceValues)[Option][number] };

/** What the reference server does. */
export const referenceChoices: Choices = {
${optional.map((q) => `  ${q.option.name}: ${JSON.stringify(q.option.values[0])},\n`).join("")}};
`;
}

const hasOption = (q: OpenQuestion): q is OpenQuestion & { readonly option: NonNullable<OpenQuestion["option"]> } =>
  q.option !== null;
