import { basename } from "node:path";
import { formatTypeSpec } from "@typespec/compiler";
import { didYouMean } from "../../compiler/text/nearest-name.ts";
import { CannotRun } from "../commands/cannot-run.ts";
import type { Addition } from "./addition.ts";
import { interfacesIn } from "./spec-interface.ts";
import { ruleIdsInSpec, type Workshop } from "./workshop.ts";

/** A rule as its author names it. */
export interface NewRule {
  /** An operation, a model or one of its properties, an error row: whatever the spec declares. */
  readonly about: string;
  readonly says: string;
  readonly area: string | null;
  /** Why it holds although the document does not say so; null where it does. */
  readonly basis: { readonly kind: "entailed" | "assumed" | "observed"; readonly why: string } | null;
  /** Who owes it check and mutant, and until which day; null where they come with it. */
  readonly draft: { readonly owner: string; readonly expires: string } | null;
}

/** A rule with the next free id of its area, behind those of the same file. */
export async function newRule(
  { about, says, area, basis, draft }: NewRule,
  workshop: Workshop,
): Promise<{ readonly id: string; readonly additions: readonly Addition[] }> {
  const declared = workshop.declarations.get(about);
  if (declared === undefined) {
    const near = didYouMean(about, workshop.declarations.keys());
    throw new CannotRun(
      `The spec declares no ${about}.${near}\n  A rule is about a declaration: an operation, a model or its property (ApiKey.prefix), an error row.`,
    );
  }
  const topic = declared.file.replace(/\.tsp$/, "");
  const file = `${topic}.rules.tsp`;
  const text = workshop.read(file) ?? firstRules(declared.file, workshop);
  const same = ruleIn(text, reference(about, workshop), says);
  if (same !== null)
    throw new CannotRun(
      `${same} says this already, in ${file}.\n  Change that one, or say what else this one demands.`,
    );
  const id = nextId(area ?? areaFor(about, file, workshop), workshop);
  const facts = [
    ...(basis === null ? [] : [`${basis.kind}: ${quoted(basis.why)}`]),
    ...(draft === null ? [] : [`draft: #{ owner: ${quoted(draft.owner)}, expires: ${quoted(draft.expires)} }`]),
  ];
  const options = facts.length === 0 ? "" : `, #{ ${facts.join(", ")} }`;
  const rule = `@@rule(${reference(about, workshop)}, ${quoted(id)}, ${quoted(says)}${options});`;
  const formatted = await formatTypeSpec(`${text.trimEnd()}\n\n${rule}\n`);
  const line = formatted.split("\n").findIndex((each) => each.includes(quoted(id)));
  return { id, additions: [{ file, text: formatted, line: line + 1, what: `rule ${id}` }] };
}

/** A file for the rules of another, while it has none. */
function firstRules(file: string, { read }: Workshop): string {
  const [namespace = ""] = /^namespace \S+;$/m.exec(read(file) ?? "") ?? [];
  return `import "./${basename(file)}";\nimport "./errors.tsp";\n\nusing Bylaw;\n\n${namespace}\n`;
}

/** The id of a rule of this text that says the same about the same. */
function ruleIn(text: string, target: string, says: string): string | null {
  const rules = text.matchAll(/@@rule\(\s*([\w.]+),\s*"([A-Z]{3,4}-\d+)",\s*("(?:[^"\\]|\\.)*")/g);
  return [...rules].find(([, about, , sentence]) => about === target && sentence === quoted(says))?.[2] ?? null;
}

/** The area of most rules about the same, else of all rules of the file when they have one in common. */
function areaFor(about: string, file: string, { contract }: Workshop): string {
  const ids = (rules: Workshop["contract"]["rules"]) => [...new Set(rules.map(({ id }) => id.replace(/-\d+$/, "")))];
  const own = ids(contract.rules.filter((rule) => rule.about === about));
  const near = ids(contract.rules.filter((rule) => rule.place.file === file));
  const [only, ...others] = own.length === 0 ? near : own;
  if (only !== undefined && others.length === 0) return only;
  const known = own.length === 0 ? near : own;
  if (known.length === 0)
    throw new CannotRun(`${basename(file)} has no rules yet.\n  Say to which area its first belongs: --area ABC`);
  throw new CannotRun(
    `${basename(file)} has rules of several areas: ${known.join(", ")}.\n  Say which the rule belongs to: --area ${known[0] ?? "KEYC"}`,
  );
}

/** One more than the highest number of the area that the lock or the spec ever used. */
function nextId(area: string, workshop: Workshop): string {
  if (!/^[A-Z]{3,4}$/.test(area)) throw new CannotRun(`--area ${area}: An area is three or four capital letters.`);
  const ids = [...(workshop.lock?.entries ?? []).map(({ id }) => id), ...ruleIdsInSpec(workshop)];
  const numbers = ids.flatMap((id) => (id.startsWith(`${area}-`) ? [Number(id.slice(area.length + 1))] : []));
  return `${area}-${String(Math.max(0, ...numbers) + 1).padStart(2, "0")}`;
}

/** How the spec refers to what is declared: an operation by its interface. */
function reference(about: string, { declarations, read }: Workshop): string {
  const { file = "" } = declarations.get(about) ?? {};
  const home = interfacesIn(read(file) ?? "").find(({ operations }) => operations.includes(about));
  return home === undefined ? about : `${home.name}.${about}`;
}

const quoted = (text: string): string => JSON.stringify(text).replaceAll("${", "\\${");
