import { type Violation, validatorFor } from "../../compiler/schema/validator.ts";
import { memberSchema } from "../arrangements/hook-schemas.ts";
import { type HookDefinition, hookOf, type MemberSchema, type Members } from "../arrangements/requirement.ts";
import type { Secrets } from "../exchange/redaction.ts";
import { type Breaker, newBreaker } from "../liveness/breaker.ts";
import { checkSignal } from "../liveness/deadline.ts";
import { whyEnded } from "../liveness/or-ended.ts";
import { Blocked } from "../outcome/verdict.ts";
import { hookStep, tellStep } from "../story/stories.ts";
import type { Target } from "../target/target.ts";
import { hookBlocked, runHook } from "./run-hook.ts";

/** Calls the hooks of a target. */
export interface HookCaller {
  /** Whether the target has this hook. */
  has(hook: HookDefinition): boolean;
  /**
   * Asks a hook and gives the members of its answer, which are those of its definition. Throws `Blocked` when the target
   * has no such hook, or it fails, or answers something else.
   */
  ask(
    hook: HookDefinition,
    input: Readonly<Record<string, unknown>>,
    options?: {
      /** Also when the check that asks has ended: what is made becomes known, and is given back. */
      readonly outlastsCheck?: boolean;
    },
  ): Promise<Readonly<Record<string, unknown>>>;
  /** What blocks whatever needs the first hook that was found to answer no more; null while all do. */
  down(): Blocked | null;
}

/** `signal` ends what is asked outside of a check, and what outlasts one. */
export function newHookCaller(
  target: Pick<Target, "hooks" | "baseUrl">,
  secrets: Secrets,
  signal: AbortSignal,
): HookCaller {
  const breakers = new Map<string, Breaker>();
  const breakerOf = (name: string): Breaker => {
    const breaker = breakers.get(name) ?? newBreaker(`hook ${name}`, `mend the hook ${name}, which no longer answers`);
    breakers.set(name, breaker);
    return breaker;
  };
  let learned = 0;
  return {
    has: (hook) => hookOf(target, hook) !== null,
    async ask(definition, input, { outlastsCheck = false } = {}) {
      const { name, secret } = definition;
      const hook = hookOf(target, definition);
      if (hook === null) throw new Blocked(`the target has no hook ${name}`, `give the target file a hook ${name}`);
      const answer = await runHook({
        name,
        hook,
        signal: outlastsCheck ? signal : (checkSignal() ?? signal),
        breaker: breakerOf(name),
        input: { hook: name, base_url: target.baseUrl, ...input },
      });
      const shown = secret === undefined ? undefined : answer[secret];
      tellStep(hookStep(`hook ${name}`));
      // First of all, so that no message can show it.
      if (typeof shown === "string") {
        learned += 1;
        secrets.learn(shown, `HOOK_${secret?.toUpperCase()}_${learned}`, null);
      }
      const defect = defectOf(definition.answer, answer);
      if (defect !== null) throw hookBlocked(name, defect);
      return answer;
    },
    down() {
      const gone = [...breakers.values()].find((breaker) => breaker.signal.aborted);
      return gone === undefined ? null : whyEnded(gone.signal);
    },
  };
}

const validator = validatorFor({});

/** Made once for each member of a definition: hooks answer often. */
const violationsOf = new WeakMap<MemberSchema, ReturnType<typeof validator.compile>>();

function violationOf(schema: MemberSchema, value: unknown): Violation | undefined {
  const existing = violationsOf.get(schema) ?? validator.compile(memberSchema(schema));
  violationsOf.set(schema, existing);
  return existing(value)[0];
}

/** What is wrong with an answer; null when nothing is. */
function defectOf({ properties, optional = [] }: Members, answer: Readonly<Record<string, unknown>>): string | null {
  for (const [name, schema] of Object.entries(properties)) {
    const value = answer[name];
    if (value === undefined && optional.includes(name)) continue;
    if (value === undefined) return `its answer has no ${name}`;
    const violation = violationOf(schema, value);
    if (violation === undefined) continue;
    const wanted = schema.enum === undefined ? violation.message : `must be one of ${schema.enum.join(", ")}`;
    return `the ${name} of its answer ${wanted}`;
  }
  return null;
}
