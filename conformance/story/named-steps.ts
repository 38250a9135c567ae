import type { ToldStory } from "./step.ts";

/** Words in which answers that were called by their numbers in the run, such as "answers 7 and 9", are steps of a story. */
export function withSteps(says: string, told: ToldStory | null): { readonly says: string; readonly steps: number[] } {
  const steps: number[] = [];
  const numbers = new Map((told?.steps ?? []).map(({ exchange }, index) => [exchange, index + 1]));
  const text = says.replace(/\banswer(s?) (\d+(?: and \d+)?)/g, (words, plural: string, named: string) => {
    const own = named.split(" and ").map((number) => numbers.get(Number(number)));
    if (own.includes(undefined)) return words;
    steps.push(...own.filter((step) => step !== undefined));
    return `step${plural} ${own.join(" and ")}`;
  });
  return { says: text, steps };
}
