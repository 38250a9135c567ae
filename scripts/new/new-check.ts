import { didYouMean } from "../../compiler/text/nearest-name.ts";
import { CannotRun } from "../commands/cannot-run.ts";
import type { DecidingCheck } from "../commands/deciding-checks.ts";
import type { Addition } from "./addition.ts";
import { unwritten } from "./unwritten.ts";
import { demandRule, type Workshop } from "./workshop.ts";

/** A file with a check of these rules, whose run says that it is not written. `checks` are those that there are. */
export function newCheck(
  { id, rules }: { readonly id: string; readonly rules: readonly string[] },
  checks: readonly DecidingCheck[],
  workshop: Workshop,
): readonly Addition[] {
  const { contract, read } = workshop;
  const [area = "", name = "", ...rest] = id.split(".");
  if (rest.length > 0 || !/^[a-z]+(-[a-z]+)*$/.test(name))
    throw new CannotRun(
      `"${id.slice(0, 80)}" is no id of a check.\n  Give an area and a name, in small letters: webhooks.reading.`,
    );
  const areas = new Set([
    ...checks.map((check) => check.id.split(".")[0] ?? ""),
    ...contract.operations.map((o) => o.resource),
  ]);
  if (!areas.has(area))
    throw new CannotRun(
      `There is no area ${area} of checks.${didYouMean(area, areas)}\n  There are ${[...areas]
        .filter((one) => !one.startsWith("sandbox-"))
        .sort()
        .join(", ")}.`,
    );
  const file = `conformance/checks/${area}/${name}.ts`;
  if (checks.some((check) => check.id === id) || read(file) !== null)
    throw new CannotRun(
      `${id} is there already: ${file}.\n  Add the rules to its list, or give the check another name.`,
    );
  for (const rule of rules) demandRule(rule, workshop);
  const says = contract.rules.find((rule) => rule.id === rules[0])?.says ?? "";
  const text = `import { check } from "../../context/check.ts";

export const ${name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())} = check({
  id: "${id}",
  title: ${JSON.stringify(says.replace(/\.$/, "").replaceAll("`", ""))},
  rules: [${rules.map((rule) => `"${rule}"`).join(", ")}],
  kind: "scenario",
  needs: ["key"],
  effects: ["reads"],
  draws: {},
  async run() {
    throw new Error("${unwritten(id)}");
  },
});
`;
  return [{ file, text, line: 3, what: `check ${id}, which decides nothing yet` }];
}
