import type { OrganizationRequest } from "../../generated/models/sandbox-organizations.ts";
import type { OperationId } from "../../generated/operations.ts";
import type { Hook, Target } from "../target/target.ts";

/** Something that a check may need and a target may lack. */
export interface Requirement<Need extends string = string> {
  /** What checks call it among their `needs`. */
  readonly need: Need;
  /** Why a check cannot run without it. */
  readonly lacking: string;
  /** Hooks of a target file that arrange it, or a part of it. */
  readonly hooks?: readonly HookDefinition[];
  /** The operation of the sandbox API that creates this test setup. */
  readonly sandboxOperation?: OperationId;
  /** Secret that the kit can be given for it. */
  readonly secret?: SecretDefinition;
  /** What an organization is created with that arranges it; wished for by its name. */
  readonly setting?: OrganizationSetting;
  /** Whether a target can give it to the kit. */
  isMet(target: Target): boolean;
}

/** A secret that the kit can be given, besides the key as which it calls. */
export interface SecretDefinition {
  /** Its name in a target file. */
  readonly setting: string;
  /** The environment variable that holds it. */
  readonly variable: string;
  /** What it is, to follow "give the kit". */
  readonly what: string;
  /** What it is, in a sentence. */
  readonly says: string;
  /** Whether it is of the organization whose key was given, so that what needs it happens there. */
  readonly isOfGivenOrganization: boolean;
  /** What to do when the target does not accept it; null where it is none to be accepted. */
  readonly ifRefused: string | null;
}

/** What an organization can be asked to be like when it is created: a member of what a sandbox is asked for. */
export interface OrganizationSetting {
  readonly name: Exclude<keyof OrganizationRequest, "clock">;
  /** What it does; follows "the kit cannot". */
  readonly does: string;
}

/** JSON Schema of an object's members; those of `optional` may be left out. */
export interface Members {
  readonly properties: Readonly<Record<string, MemberSchema>>;
  readonly optional?: readonly string[];
}

/** As much of JSON Schema as hooks need. */
export interface MemberSchema {
  readonly type: string | readonly string[];
  readonly enum?: readonly string[];
  readonly items?: MemberSchema;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly description: string;
}

/** A hook that a target file may name: what it is asked and what it answers. */
export interface HookDefinition {
  /** Its name in a target file. */
  readonly name: string;
  /** What it does, in a sentence. */
  readonly says: string;
  /** What it lets the kit decide, for the guide. */
  readonly unlocks: string;
  /** What it gets besides `hook` and `base_url`. */
  readonly input: Members;
  readonly answer: Members;
  /** Settings of organizations that a target file may say it can do; it gets those that are asked for as `settings`. */
  readonly settings?: readonly OrganizationSetting[];
  /** Member of the answer that no report may show. */
  readonly secret?: string;
}

/** A requirement as data. */
export const requirement = <const Need extends string>(declared: Requirement<Need>): Requirement<Need> => declared;

/** The hook as the target names it; null where it has none. */
export const hookOf = ({ hooks }: Pick<Target, "hooks">, { name }: HookDefinition): Hook | null => hooks[name] ?? null;

/** The secret as it was given; null where it was not. */
export const secretOf = ({ secrets }: Pick<Target, "secrets">, { setting }: SecretDefinition): string | null =>
  secrets[setting] ?? null;

/** Why a check cannot run on a target that does not offer this. */
export const offersNo = (what: string): string => `the target offers no ${what}`;

/** Whether it is had of the organization alone whose key was given, so that whatever needs it happens there. */
export const isOfGivenOrganization = ({ secret, hooks = [] }: Requirement, target: Pick<Target, "hooks">): boolean =>
  (secret?.isOfGivenOrganization ?? false) && !hooks.some((hook) => hookOf(target, hook) !== null);
