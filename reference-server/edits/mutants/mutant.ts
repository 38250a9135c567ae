import type { RuleId } from "../../../generated/rules.ts";
import type { Change, Mutant } from "../edit.ts";
import type { Wire } from "../wire.ts";

/** A mutant of one replacement. Its id is the rule's with a letter or word behind it. */
export const mutant = (
  breaks: RuleId,
  name: string,
  does: string,
  file: string,
  find: string,
  replace: string,
): Mutant => ({
  ...{ id: `${breaks}-${name}`, does, breaks },
  changes: [{ file, find, replace }],
});

/** A mutant of several replacements. */
export const mutantOf = (breaks: RuleId, name: string, does: string, changes: readonly Change[]): Mutant => ({
  ...{ id: `${breaks}-${name}`, does, breaks, changes },
});

/** A mutant of what goes over the wire. */
export const wireMutant = (breaks: RuleId, name: string, does: string, wire: Wire): Mutant =>
  mutantOf(breaks, name, does, [{ wire }]);
