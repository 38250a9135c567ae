import type { Coverage } from "../runner/run-result.ts";
import { counted } from "./counted.ts";
import type { PartialGroup } from "./failure-groups.ts";

/** Such as "43 of 45 operations". */
export const coverageText = ({ decided, of }: Coverage): string => `${decided} of ${counted(of, "operation")}`;

/** Why a rule was not decided for some operations, those with one reason together. */
export function missingTexts({
  missing,
}: Coverage): readonly { readonly text: string; readonly unblock: string | null }[] {
  const groups = Map.groupBy(missing, ({ message, unblock }) => JSON.stringify([message, unblock]));
  return [...groups.values()].flatMap((members) => {
    const [first] = members;
    if (first === undefined) return [];
    return [{ text: `${members.map((m) => m.operation).join(", ")}: ${first.message}`, unblock: first.unblock }];
  });
}

/** Operations or rules that are named one by one, at most. */
const mostNamed = 8;

const named = (names: readonly string[], noun: string): string =>
  names.length <= mostNamed ? names.join(", ") : counted(names.length, noun);

/** Such as "rotateApiKey: an endpoint was refused (KEYR-01)". */
export const partialText = ({ message, operations, rules }: PartialGroup): string =>
  `${named(operations, "operation")}: ${message} (${named(
    rules.map(({ id }) => id),
    "rule",
  )})`;

/** How many rules were decided in part. */
export function partialHead(groups: readonly PartialGroup[]): string {
  const rules = new Set(groups.flatMap((group) => group.rules));
  return `Decided in part: ${counted(rules.size, "rule")}, at some of the operations that ${rules.size === 1 ? "it binds" : "they bind"}`;
}
