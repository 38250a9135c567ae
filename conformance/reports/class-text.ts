import type { RuleResult } from "../runner/run-result.ts";
import { openQuestions } from "./open-questions.ts";
import { questionsOf, type RedClass, redClassOf } from "./red-class.ts";

const meanings: Readonly<Record<RedClass, string>> = {
  server: "server",
  environment: "environment: what lies around the server, not the server itself",
  "target file": "target file: the kit was not given what it needs",
  "open question": "server, unless the document is read otherwise: open question",
  kit: "kit: a fault of the kit, which says nothing about the server",
};

/** The classes of some rules, each once; open questions that would excuse what was seen, with what they ask and what passes. */
export function classTexts(rules: readonly RuleResult[]): readonly string[] {
  const texts = rules.flatMap((result) => {
    const found = redClassOf(result);
    if (found === null) return [];
    if (found !== "open question") return [meanings[found]];
    return openQuestions(questionsOf(result)).map(
      ({ id, asks, tolerates }) => `${meanings[found]} ${id}: ${asks} Tolerated: ${tolerates}`,
    );
  });
  return [...new Set(texts)];
}

/** Why breaches of these rules only warn, where they go beyond what the document says; none for a reading of a question. */
export function warningReasons(rules: readonly RuleResult[]): readonly string[] {
  const assumed = rules.filter((result) => redClassOf(result) === "server" && result.rule.basis === "assumed");
  return [...new Set(assumed.flatMap(({ rule: { why } }) => (why === null ? [] : [why])))];
}
