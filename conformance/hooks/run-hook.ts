import { objectOf } from "../exchange/exchange.ts";
import type { Breaker } from "../liveness/breaker.ts";
import { whyEnded } from "../liveness/or-ended.ts";
import { Blocked } from "../outcome/verdict.ts";
import type { Hook } from "../target/target.ts";
import { runCommand } from "./hook-command.ts";
import { HookFailure } from "./hook-failure.ts";
import { callModule } from "./hook-module.ts";
import { postTo } from "./hook-url.ts";

/** Milliseconds that a hook may take, unless a run has less patience; creating an organization can take a while. */
const usualPatience = 60_000;

export interface HookRun {
  /** Name in the target file, for messages. */
  readonly name: string;
  readonly hook: Hook;
  readonly input: Readonly<Record<string, unknown>>;
  /** Fires when the check or the run ends. */
  readonly signal: AbortSignal;
  /** Whether the hook answers at all; once it does not, it is asked no more. */
  readonly breaker: Breaker;
  /** Milliseconds. */
  readonly patience?: number;
}

/**
 * Runs a hook and gives the object that it answers, an empty one for none. Whatever keeps it from that throws
 * `Blocked`: a hook is the kit's way to arrange something, and never a breach of the implementation. Input and answer
 * stand in no message, since either may hold a secret.
 */
export async function runHook(run: HookRun): Promise<Readonly<Record<string, unknown>>> {
  if (run.breaker.signal.aborted) throw whyEnded(run.breaker.signal);
  const late = AbortSignal.timeout(run.patience ?? usualPatience);
  const attempt = run.breaker.begin();
  try {
    const answer = await answerOf(run.hook, run.input, AbortSignal.any([run.signal, late]));
    attempt.answered("an answer");
    return answer;
  } catch (error) {
    if (!(error instanceof HookFailure)) throw error;
    if (run.signal.aborted) throw whyEnded(run.signal);
    if (late.aborted) attempt.unanswered("timeout");
    else if (error.absent) attempt.unanswered("out of reach");
    else attempt.answered("a failure");
    throw hookBlocked(run.name, error.message);
  }
}

/** What stands in the way when a hook did not do its work. */
export const hookBlocked = (name: string, why: string): Blocked =>
  new Blocked(`the hook ${name} failed: ${why}`, `mend the hook ${name} of the target file, or leave it out`);

async function answerOf(hook: Hook, input: HookRun["input"], signal: AbortSignal): Promise<HookRun["input"]> {
  switch (hook.kind) {
    case "command":
      return parsed(await runCommand(hook.command, `${JSON.stringify(input)}\n`, signal));
    case "url":
      return parsed(await postTo(hook.url, JSON.stringify(input), signal));
    case "module":
      return objectIn((await callModule(hook.path, hook.name, input, signal)) ?? {});
  }
}

function parsed(text: string): HookRun["input"] {
  if (text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HookFailure("what it answered is no JSON");
  }
  return objectIn(value);
}

function objectIn(value: unknown): HookRun["input"] {
  const object = objectOf(value);
  if (object === null) throw new HookFailure("what it answered is no JSON object");
  return object;
}
