import type { RuleId } from "../../generated/rules.ts";
import type { Check } from "../context/check.ts";
import { invariants } from "../monitor/invariants.ts";

/** Whether a filter names the check, or the area that it is in. */
export const namesCheck = ({ id }: Pick<Check, "id">, filter: string): boolean => isIn(id, filter, ".");

/** Whether a filter names the rule, or its area. */
export const namesRule = (rule: RuleId, filter: string): boolean => isIn(rule, filter, "-");

/** Whether the id is that one, or begins with it and the separator. Asked for thousands of pairs, it builds no text. */
const isIn = (id: string, filter: string, separator: string): boolean =>
  id.startsWith(filter) && (id.length === filter.length || id.startsWith(separator, filter.length));

/** Rules that every answer of a run has to keep, as far as filters name them one by one. */
export const watchedRules = (only: readonly string[]): readonly RuleId[] =>
  invariants.map(({ rule }) => rule).filter((rule) => only.includes(rule));

/** Whether filters name checks, which are judged by all that they show. */
export const asksForChecks = (only: readonly string[], checks: readonly Pick<Check, "id">[]): boolean =>
  only.some((filter) => checks.some((check) => namesCheck(check, filter)));

/** What a run judges that was asked for in particular, and by what; null where that goes without saying. */
export function scopeText(
  only: readonly string[],
  checks: readonly Pick<Check, "id">[],
  chosen: number,
): string | null {
  const watched = watchedRules(only);
  if (watched.length > 0) {
    return `Every answer of a run judges ${watched.join(", ")}, so all ${chosen} checks of the profile run.`;
  }
  const these = chosen === 1 ? "this check" : `these ${chosen} checks`;
  if (asksForChecks(only, checks)) {
    const [show, own] = chosen === 1 ? ["shows", "its"] : ["show", "their"];
    return `All that ${these} ${show} is judged: ${own} own rules, and what every answer has to keep.`;
  }
  const areas = only.filter((filter) => invariants.some(({ rule }) => namesRule(rule, filter)));
  if (areas.length === 0) return null;
  return `What every answer has to keep of ${areas.join(", ")} is judged by ${these} alone; a whole run judges it by all.`;
}
