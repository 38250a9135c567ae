import { globSync } from "node:fs";
import { join } from "node:path";
import { CannotRun } from "../commands/cannot-run.ts";
import type { Addition } from "./addition.ts";
import { insertMember } from "./insert-member.ts";
import { unwritten } from "./unwritten.ts";
import { demandRule, type Workshop } from "./workshop.ts";

/** A mutant as its author names it. */
export interface NewMutant {
  readonly breaks: string;
  /** What stands behind the rule in its id. */
  readonly name: string;
  /** What the server does, in a sentence without a subject. */
  readonly does: string;
}

const folder = "reference-server/edits/mutants";

/** A mutant whose server does not start, among those that break most rules of the same area. */
export function newMutant(
  { breaks, name, does }: NewMutant,
  workshop: Workshop,
): {
  readonly id: string;
  readonly additions: readonly Addition[];
} {
  const { project, read } = workshop;
  demandRule(breaks, workshop);
  if (!/^[a-z\d]+(-[a-z\d]+)*$/.test(name))
    throw new CannotRun(
      `"${name.slice(0, 80)}" is no name of a mutant.\n  Give a word or two in small letters: lost, other-organization.`,
    );
  const id = `${breaks}-${name}`;
  const texts = globSync("*.ts", { cwd: join(project.root, folder) })
    .sort()
    .map((file) => ({ file: `${folder}/${file}`, text: read(`${folder}/${file}`) ?? "" }));
  const taken = texts.find(({ text }) => text.includes(`"${id}"`) || text.includes(`"${breaks}", "${name}"`));
  if (taken !== undefined)
    throw new CannotRun(`There is a mutant ${id} already: ${taken.file}.\n  Give this one another name.`);
  const code = `wireMutant("${breaks}", "${name}", ${JSON.stringify(does)}, (_serve) => {\n  throw new Error("${unwritten(id)}");\n}),`;
  const own = new RegExp(`"${breaks.replace(/\d+$/, "")}\\d`, "g");
  const candidates = texts
    .map(({ file, text }) => ({
      file,
      rules: text.match(own)?.length ?? 0,
      inserted: insertMember(imported(text), { constant: /\bMutant\[\]$/ }, code),
    }))
    .sort((one, other) => other.rules - one.rules);
  for (const { file, rules, inserted } of candidates)
    if (inserted !== null && rules > 0)
      return { id, additions: [{ file, ...inserted, what: `mutant ${id}, whose server does not start` }] };
  const area = breaks.replace(/-\d+$/, "");
  const file = `${folder}/${area.toLowerCase()}.ts`;
  const text = `import type { Mutant } from "../edit.ts";
import { wireMutant } from "./mutant.ts";

export const ${area.toLowerCase()}Mutants: readonly Mutant[] = [
${code.replaceAll(/^(?=.)/gm, "  ")}
];
`;
  return { id, additions: [{ file, text, line: 5, what: `mutant ${id}, whose server does not start` }] };
}

/** The source with `wireMutant` among what it imports. */
function imported(text: string): string {
  return text.replace(/import \{([^}]*)\} from "\.\/mutant\.ts";/, (whole, names: string) => {
    const all = names
      .split(",")
      .map((each) => each.trim())
      .filter((each) => each !== "");
    if (all.includes("wireMutant")) return whole;
    return `import { ${[...all, "wireMutant"].sort().join(", ")} } from "./mutant.ts";`;
  });
}
