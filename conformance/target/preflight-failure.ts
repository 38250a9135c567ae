import type { Unreached } from "./probe.ts";

/** Why a run against the target would be pointless. */
export interface PreflightFailure {
  readonly kind:
    | Unreached["reason"]
    | "redirect"
    | "not-json"
    | "no-envelope"
    | "answers-alike"
    | "refused-secret"
    | "server-error"
    | "no-sandbox"
    | "receiver";
  /** The address that was asked or is to be listened on, the secret that was refused, or a file. */
  readonly where: string;
  /** What is wrong, as a sentence. */
  readonly message: string;
  /** What to do, as a sentence. */
  readonly fix: string;
}
