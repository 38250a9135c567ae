import { readFileSync } from "node:fs";

/** Something that the document leaves open. */
export interface OpenQuestion {
  readonly id: string;
  readonly asks: string;
  /** What the kit lets pass, in words. */
  readonly tolerates: string;
}

interface Declared {
  readonly id: string;
  readonly asks: string;
  readonly choice: string;
  readonly alternatives: readonly string[];
  /** Null where the alternatives say it. */
  readonly tolerates: string | null;
}

const contract = JSON.parse(readFileSync(new URL("../../generated/contract.json", import.meta.url), "utf8")) as {
  readonly questions: readonly Declared[];
};

const known = new Map(
  contract.questions.map(({ id, asks, choice, alternatives, tolerates }): [string, OpenQuestion] => [
    id,
    { id, asks, tolerates: tolerates ?? [choice, ...alternatives].join("; or ") },
  ]),
);

/** The open questions of the contract with these ids. */
export const openQuestions = (ids: readonly string[]): readonly OpenQuestion[] =>
  ids.flatMap((id) => known.get(id) ?? []);
