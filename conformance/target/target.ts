import type { GivenNumbers } from "./phone-numbers.ts";
import type { Shapes } from "./shapes.ts";

/** The implementation under test: where it is, as whom to call it, and what it can arrange. */
export interface Target {
  /** Address without a trailing slash; paths of the contract are appended. */
  readonly baseUrl: string;
  /** API key of the first organization, with as many scopes as there are. */
  readonly key: string | null;
  /** What else the kit was given to authenticate with, by name in the target file, as `conformance/arrangements` has it. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly sandbox: SandboxAccess | null;
  readonly timing: Timing;
  readonly hooks: Hooks;
  /** Resources that the target serves; null for all of the contract's. */
  readonly implements: readonly string[] | null;
  /** Where the kit takes deliveries; null when it takes none. */
  readonly receiver: ReceiverSettings | null;
  /** How the target writes what the document does not show. */
  readonly shapes: Shapes;
  /** Phone numbers that checks send to and look up, where they are not those for use in fiction. */
  readonly numbers: GivenNumbers;
}

/** The kit's own server, to which the target delivers. */
export interface ReceiverSettings {
  /** Port 0 takes any that is free. */
  readonly listen: { readonly host: string; readonly port: number };
  /** Address under which the target reaches it, without a trailing slash; null where it is that on which it listens. */
  readonly publicUrl: string | null;
  /** PEM files; null for plain HTTP. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
}

export interface SandboxAccess {
  readonly baseUrl: string;
  readonly token: string;
  /** Whether the server ends with the run, and what was made there with it: none of that is deleted first. */
  readonly endsWithRun?: boolean;
}

export interface Timing {
  /** Milliseconds after which an unanswered request counts as lost. */
  readonly requestTimeout: number;
  /** Seconds that the kit may spend waiting in all, for buckets to refill and the like. */
  readonly maxWait: number;
  /** Milliseconds between polls, and how long to poll for an effect that need not be immediate. */
  readonly pollInterval: number;
  readonly pollTimeout: number;
  /** Milliseconds by which the clocks of target and kit may differ. */
  readonly clockSkew: number;
}

/**
 * Ways to arrange what a client cannot, for targets without the sandbox API, and to judge what the kit cannot: by name
 * in the target file, which are those of `conformance/arrangements`.
 */
export type Hooks = Readonly<Record<string, Hook>>;

/** A hook: how it is asked, and what it can set of the organizations that it creates. */
export type Hook = HookCall & { readonly settings?: readonly string[] };

/** A command that takes JSON on standard input and prints JSON, or an address to which JSON is posted. */
type HookCall =
  | { readonly kind: "command"; readonly command: readonly string[] }
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "module"; readonly path: string; readonly name: string };
