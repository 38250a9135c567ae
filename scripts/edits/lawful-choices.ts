import { readFileSync } from "node:fs";
import { choiceValues } from "../../generated/choices.ts";
import { rules } from "../../generated/rules.ts";
import type { Rule } from "../../generated/runtime/rule.ts";
import { contrarians } from "../../reference-server/edits/contrarians.ts";
import type { Contrarian } from "../../reference-server/edits/edit.ts";

/** One lawful difference from the reference: an option with another value, or a contrarian. */
export interface LawfulChoice {
  /** "lastUsed delayed" or the contrarian's id. */
  readonly name: string;
  readonly does: string;
  /** Id of the question that it answers; null where no question names the option. */
  readonly question: string | null;
  /** Rules that its question touches, or else those about the same thing; empty when there are none of either. */
  readonly rules: readonly string[];
  /** Null for a contrarian. */
  readonly option: { readonly name: string; readonly value: string } | null;
  /** Null for an option. */
  readonly contrarian: Contrarian | null;
}

interface Question {
  readonly id: string;
  readonly about: string;
  readonly asks: string;
  readonly option: { readonly name: string } | null;
}

const { questions } = JSON.parse(readFileSync(new URL("../../generated/contract.json", import.meta.url), "utf8")) as {
  readonly questions: readonly Question[];
};

/** Every value of every option but the reference's, and every contrarian. */
export const lawfulChoices: readonly LawfulChoice[] = [
  ...Object.entries(choiceValues).flatMap(([name, values]) => {
    const question = questions.find(({ option }) => option?.name === name);
    return values.slice(1).map((value) => ({
      name: `${name} ${value}`,
      does: question?.asks ?? "one option flipped",
      question: question?.id ?? null,
      rules: rulesOf(question),
      ...{ option: { name, value }, contrarian: null },
    }));
  }),
  ...contrarians.map((contrarian) => ({
    ...{ name: contrarian.id, does: contrarian.does, question: contrarian.answers, option: null, contrarian },
    rules: rulesOf(questions.find(({ id }) => id === contrarian.answers)),
  })),
];

function rulesOf(question: Question | undefined): readonly string[] {
  if (question === undefined) return [];
  const observable = Object.entries<Rule>(rules).filter(([, { unobservable }]) => unobservable === null);
  const touched = observable.filter(([, rule]) => rule.questions.includes(question.id));
  const meant = touched.length > 0 ? touched : observable.filter(([, { about }]) => about === question.about);
  return meant.map(([id]) => id);
}
