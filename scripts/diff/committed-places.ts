import { join } from "node:path";
import type { Contract, Place } from "../../compiler/contract.ts";
import { committedTextIfAny } from "./committed-contract.ts";

/** The files of a commit by the names that places give them; null for one that it has not. */
type Texts = ReadonlyMap<string, string | null>;

/**
 * A committed contract names files, without lines, so that moved lines change nothing in it. The lines are found by
 * looking for the declarations in those files as they were committed; what is not found keeps its file alone.
 */
export async function withCommittedPlaces(contract: Contract, ref: string, root: string): Promise<Contract> {
  const { operations, errors, buckets, rules, questions } = contract;
  const items = [...operations, ...errors, ...buckets, ...rules, ...questions];
  const files = [...new Set(items.map(({ place }) => place.file))];
  const texts: Texts = new Map(
    await Promise.all(
      files.map(async (file) => [file, await committedTextIfAny(ref, join(root, file), root)] as const),
    ),
  );
  return {
    ...contract,
    operations: operations.map((one) => ({ ...one, place: placed(one.place, texts, operation(one.id)) })),
    errors: errors.map((one) => ({ ...one, place: placed(one.place, texts, model(one.name)) })),
    buckets: buckets.map((one) => ({ ...one, place: placed(one.place, texts, member(one.name)) })),
    rules: rules.map((one) => ({ ...one, place: placed(one.place, texts, decorator("rule", one.id)) })),
    questions: questions.map((one) => ({ ...one, place: placed(one.place, texts, decorator("question", one.id)) })),
  };
}

const operation = (id: string): RegExp => new RegExp(`(?<![\\w.])${escaped(id)}(?=\\s*(?:\\(|<|is\\b))`, "g");
const model = (name: string): RegExp => new RegExp(`\\b(?:model|alias)\\s+${escaped(name)}\\b`, "g");
const member = (name: string): RegExp => new RegExp(`^[ \\t]*${escaped(name)}(?=\\s*(?:[,;:}]|$))`, "gm");
const decorator = (name: string, id: string): RegExp => new RegExp(`@${name}\\([^"]*"${escaped(id)}"`, "g");

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function placed(place: Place, texts: Texts, declaration: RegExp): Place {
  const text = texts.get(place.file) ?? "";
  for (const { index } of text.matchAll(declaration)) {
    const before = text.slice(0, index).split("\n");
    const line = text.split("\n")[before.length - 1] ?? "";
    // The statement begins where its line does; a comment declares nothing.
    if (!/^\s*(?:\/\/|\/?\*)/.test(line)) return { ...place, line: before.length, column: line.search(/\S/) + 1 };
  }
  return place;
}
