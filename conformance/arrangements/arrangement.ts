import type { Answer, Transport } from "../../generated/runtime/transport.ts";
import type { Target } from "../target/target.ts";
import {
  type HookDefinition,
  hookOf,
  offersNo,
  type Requirement,
  type SecretDefinition,
  secretOf,
} from "./requirement.ts";

/**
 * Something that the kit does to an organization and a client of the API cannot. A sandbox does it, or a hook of the
 * target, or a secret that the kit was given stands in for it; a check asks its tenant to `arrange` it.
 */
export interface Arrangement<Input, Output, Need extends string = string> extends Requirement<Need> {
  /** What the kit does with it; follows "the kit cannot". */
  readonly does: string;
  /** Does it through the sandbox; null where none can. */
  readonly sandbox: ((organization: SandboxOrganization, input: Input) => Promise<Output>) | null;
  /** Does it through a hook; null where no hook does it. */
  readonly hook: ((ask: AskHook, input: Input) => Promise<Output>) | null;
  /** Makes do with the secret that the kit was given for it; null where none can stand in. */
  readonly given: ((secret: string) => Output) | null;
}

/** An organization of the sandbox, as arrangements see it. */
export interface SandboxOrganization {
  /** Its id, as paths of the sandbox have it. */
  readonly path: { readonly id: string };
  /** Gives what the sandbox answers. `what` follows "the sandbox refused to"; a refused or lost call blocks. */
  ask<Data>(what: string, call: (transport: Transport) => Promise<Answer<Data>>, unblock?: string): Promise<Data>;
  /** Names a secret of the organization, so that no report shows it. */
  learn(secret: string, name: string): void;
}

/** Asks the arrangement's hook about the organization, and gives the members of its answer. */
export type AskHook = (input: Readonly<Record<string, unknown>>) => Promise<Readonly<Record<string, unknown>>>;

/** An arrangement as its file declares it. */
interface Declared<Input, Output, Need extends string>
  extends Pick<Arrangement<Input, Output, Need>, "need" | "does">,
    Partial<Pick<Arrangement<Input, Output, Need>, "sandbox" | "sandboxOperation">> {
  readonly given?: { readonly definition: SecretDefinition } & { instead(secret: string): Output };
  readonly hook?: { readonly definition: HookDefinition } & { ask(ask: AskHook, input: Input): Promise<Output> };
  /** What makes it unnecessary. */
  readonly orMetBy?: Requirement;
}

/** An arrangement as data. A target can give it through whatever does it, or stands in for it. */
export function arrangement<Input, Output, const Need extends string>(
  declared: Declared<Input, Output, Need>,
): Arrangement<Input, Output, Need> {
  const { need, does, sandbox = null, sandboxOperation, hook, given, orMetBy } = declared;
  return {
    need,
    does,
    sandbox,
    ...(sandboxOperation === undefined ? {} : { sandboxOperation }),
    given: given === undefined ? null : (secret) => given.instead(secret),
    ...(given === undefined ? {} : { secret: given.definition }),
    lacking: offersNo(need.replaceAll("-", " ")),
    hook: hook === undefined ? null : (ask, input) => hook.ask(ask, input),
    hooks: hook === undefined ? [] : [hook.definition],
    // Where there is a sandbox, it is used for everything.
    isMet: (target: Target) =>
      (orMetBy?.isMet(target) ?? false) ||
      (target.sandbox !== null
        ? sandbox !== null
        : (hook !== undefined && hookOf(target, hook.definition) !== null) ||
          (given !== undefined && isGiven(target, given.definition))),
  };
}

/** What is of the organization whose key was given is of no use without that key. */
const isGiven = (target: Target, secret: SecretDefinition): boolean =>
  secretOf(target, secret) !== null && (target.key !== null || !secret.isOfGivenOrganization);
