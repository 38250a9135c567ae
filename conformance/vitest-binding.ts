import { describe, it } from "vitest";
import type { Effect } from "./arrangements/effect.ts";
import { allChecks } from "./checks/all-checks.ts";
import type { Check } from "./context/check.ts";
import { run } from "./runner/run.ts";
import type { Profile, RuleResult, RunResult } from "./runner/run-result.ts";
import type { Target } from "./target/target.ts";

export interface BindingOptions {
  readonly profile?: Profile;
  readonly allow?: readonly Effect[];
  /** Ids of checks or rules, or areas; all when left out. */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly seed?: number;
  readonly runs?: number;
  /** Called with what each check came to, when it has run. */
  readonly ran?: (check: Check, result: RunResult) => void;
}

/**
 * Registers every check of the kit as a test of vitest. A check that the target cannot arrange is skipped with its
 * reason; a broken `must` fails the test. `target` is asked when the first test runs, so that a server can be started
 * in `beforeAll`.
 */
export function registerChecks(target: () => Target, options: BindingOptions = {}): void {
  describe("conformance", () => {
    for (const check of allChecks) {
      it(`${check.id}: ${check.title}`, async (context) => {
        const result = await run(target(), [check], {
          profile: options.profile ?? "full",
          allow: new Set(options.allow ?? []),
          only: options.only ?? [],
          skip: options.skip ?? [],
          seed: options.seed ?? 1,
          runs: options.runs ?? null,
          ...{ jobs: 1, path: null, signal: context.signal, progress: () => undefined },
        });
        options.ran?.(check, result);
        const { rules } = result;
        const broken = rules.filter(({ verdict }) => verdict === "fail" || verdict === "kit_error");
        if (broken.length > 0) throw new Error(broken.map(explain).join("\n"));
        const own = rules.filter(({ id }) => check.rules.some((rule) => rule === id));
        const undecided = own.filter(({ verdict }) => verdict === "blocked" || verdict === "not_applicable");
        if (own.length === 0 || undecided.length === own.length) context.skip(undecided[0]?.message ?? "filtered out");
      });
    }
  });
}

const explain = ({ id, rule, message }: RuleResult): string => `${id} ${rule.says}\n  ${message}`;
