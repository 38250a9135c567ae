import type { Operation } from "../../compiler/contract.ts";
import type { ReadContract } from "../commands/contract-source.ts";
import type { DecidingCheck } from "../commands/deciding-checks.ts";
import { unwritten } from "../new/unwritten.ts";

/** A mutant of the server: the rule that it breaks, and the operation at which alone it does, if at one. */
export interface BreakingMutant {
  readonly breaks: string;
  readonly at: string | null;
}

/** What a checklist is made of. */
export interface ChecklistSources {
  readonly contract: ReadContract;
  /** The place of the first file of the pattern that holds the text; null when none does. */
  readonly find: (pattern: string, text: RegExp) => string | null;
  readonly checks: readonly DecidingCheck[] | null;
  readonly mutants: readonly BreakingMutant[] | null;
}

/** One thing that an operation needs beside its declaration: where it stands, or what is to be done. */
export type Step = readonly [name: string, text: string];

/** What an operation of the API needs before it is done, in the order of CONTRIBUTING. */
export function checklistOf(
  operation: Operation,
  { contract, find, checks, mutants }: ChecklistSources,
): readonly Step[] {
  const { id, method, path, resource } = operation;
  const place = (pattern: string, text: RegExp, missing: string): string => {
    const begun = find(pattern, new RegExp(unwritten(id)));
    if (begun !== null) return `begun, not written yet: ${begun}`;
    const found = find(pattern, text);
    return found === null ? `missing: ${missing}` : `done, ${found}`;
  };
  const route = `${method.toUpperCase()} ${path}`.replaceAll(/[{}/]/g, "\\$&");
  const own = contract.rules.filter((rule) => rule.about === id && rule.unobservable === null).map((rule) => rule.id);
  const without = (known: ReadonlySet<string>): string | null =>
    own.filter((rule) => !known.has(rule)).join(", ") || null;
  const unchecked = without(new Set((checks ?? []).flatMap(({ rules }) => rules)));
  const unbroken = without(new Set((mutants ?? []).map(({ breaks }) => breaks)));
  const begunCheck = (checks ?? [])
    .filter(({ rules }) => rules.some((rule) => own.includes(rule)))
    .map((check) => find("conformance/checks/*/*.ts", new RegExp(`["\`]${unwritten(check.id)}`)))
    .find((at) => at !== null);
  const begunMutant = find(
    "reference-server/edits/mutants/*.ts",
    new RegExp(`["\`](${own.join("|")})-${unwritten("[\\w-]+")}`),
  );
  const generic = (checks ?? []).filter((check) => check.operation === id).length;
  return [
    [
      "example",
      place("spec/*.examples.tsp", new RegExp(`^\\s*\\w+\\.${id},`), `an @@opExample in spec/${resource}.examples.tsp`),
    ],
    [
      "second entry",
      place(
        "spec/document/*.ts",
        new RegExp(`route: "${route}"`),
        `its facts from the API document, in spec/document/${resource}.ts`,
      ),
    ],
    [
      "handler",
      place(
        "reference-server/routes/*.ts",
        new RegExp(`^\\s*(async )?${id}\\b`),
        `${id} in reference-server/routes/${resource}.ts`,
      ),
    ],
    [
      "sound input",
      place(
        "conformance/steps/sound-inputs/*.ts",
        new RegExp(`^\\s*(async )?${id}\\b`),
        `${id} in conformance/steps/sound-inputs/${resource}.ts`,
      ),
    ],
    ["rules", own.length > 0 ? `done, ${own.length} about it` : `missing: npx bylaw new rule ${id} "…"`],
    [
      "checks",
      stepText(checks === null, unchecked, begunCheck ?? null, `${generic} made from its facts, and one for each rule`),
    ],
    [
      "mutants",
      stepText(
        mutants === null,
        unbroken,
        own.length === 0 ? null : begunMutant,
        `${(mutants ?? []).filter(({ at }) => at === id).length} at it alone, and one for each rule`,
      ),
    ],
  ];
}

function stepText(isUnknown: boolean, missing: string | null, begun: string | null, done: string): string {
  if (isUnknown) return 'cannot be told: run "npx bylaw compile" first';
  if (missing !== null) return `missing: of ${missing}`;
  return begun === null ? `done, ${done}` : `begun, not written yet: ${begun}`;
}
