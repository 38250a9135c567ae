import type { Contract, Rule } from "../contract.ts";
import { banner } from "./banner.ts";
import { literal } from "./literal.ts";

/** The area of a rule id: `KEYC` of `KEYC-15`. */
export const areaOf = (id: string): string => id.split("-")[0] ?? id;

/** Areas in the order in which the contract declares them. */
export const areasOf = (contract: Contract): string[] => [...new Set(contract.rules.map((r) => areaOf(r.id)))].sort();

/** The rules of one area. */
export function printRules(contract: Contract, area: string): string {
  const rules = contract.rules.filter((r) => areaOf(r.id) === area).sort((a, b) => (a.id < b.id ? -1 : 1));
  const entries = rules.map((rule) => `  "${rule.id}": ${literal(entry(rule), "  ", rule.id.length + 6)},\n`).join("");
  return `${banner}import type { Rule } from "../runtime/rule.ts";

export const ${area} = {
${entries}} as const satisfies Readonly<Record<string, Rule>>;
`;
}

/** All areas in one value. */
export function printAllRules(contract: Contract): string {
  const areas = areasOf(contract);
  return `${banner}${areas.map((a) => `import { ${a} } from "./rules/${a.toLowerCase()}.ts";\n`).join("")}
/** Every rule of the contract, by id. */
export const rules = { ${areas.map((a) => `...${a}`).join(", ")} } as const;

export type RuleId = keyof typeof rules;
`;
}

function entry(rule: Rule): object {
  const { about, says, operations, rows, demands, level, basis, why, unobservable, questions, draft } = rule;
  const shown = { about, says, operations, rows, demands, level, basis, why, unobservable, questions };
  return draft === undefined ? shown : { ...shown, draft };
}
