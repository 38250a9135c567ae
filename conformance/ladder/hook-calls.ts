import { objectOf } from "../exchange/exchange.ts";
import type { Secrets } from "../exchange/redaction.ts";
import { tokenDefect } from "../target/credential.ts";
import type { Hook, Target } from "../target/target.ts";
import { hookBlocked, runHook } from "./run-hook.ts";

/** Whose time it is: `manual` stands still and moves only through the hook, `real` runs by itself. */
export type Clock = "manual" | "real";

/** An organization that a hook created. */
export interface NewOrganization {
  readonly id: string;
  readonly key: string;
  /** Null when the hook does not say. */
  readonly clock: Clock | null;
}

/** The hooks of a target as functions; null for those that it does not have. All throw `Blocked`. */
export interface HookCalls {
  readonly revokeKey: ((keyId: string, organizationId: string | null) => Promise<void>) | null;
  readonly newOrganization: (() => Promise<NewOrganization>) | null;
  /** Moves an organization's time by seconds, none of them to ask whose time it is. */
  readonly advance: ((seconds: number, organizationId: string | null) => Promise<Clock>) | null;
}

export function hookCalls(
  { hooks, baseUrl }: Pick<Target, "hooks" | "baseUrl">,
  secrets: Secrets,
  signal: AbortSignal,
): HookCalls {
  const ask = (name: string, hook: Hook, input: Readonly<Record<string, unknown>>) =>
    runHook({ name, hook, signal, input: { hook: name, base_url: baseUrl, ...input } });
  const { revokeKey, newOrganization, advance } = hooks;
  let made = 0;
  return {
    revokeKey:
      revokeKey === undefined
        ? null
        : async (keyId, organizationId) => {
            await ask("revoke_key", revokeKey, { key_id: keyId, organization_id: organizationId });
          },
    newOrganization:
      newOrganization === undefined
        ? null
        : async () => {
            const clock = advance === undefined ? "real" : "manual";
            const answer = await ask("new_organization", newOrganization, { clock });
            const { id, key } = answer;
            made += 1;
            // First of all, so that no message can show it.
            if (typeof key === "string") secrets.learn(key, `HOOK_KEY_${made}`, null);
            if (typeof id !== "string" || id === "") throw hookBlocked("new_organization", "its answer has no id");
            if (typeof key !== "string" || tokenDefect(key) !== null) {
              throw hookBlocked("new_organization", "its answer has no key that an Authorization header can hold");
            }
            return { id, key, clock: clockIn("new_organization", answer) };
          },
    advance:
      advance === undefined
        ? null
        : async (seconds, organizationId) => {
            const answer = await ask("advance", advance, { seconds, organization_id: organizationId });
            return clockIn("advance", answer) ?? "real";
          },
  };
}

function clockIn(name: string, answer: unknown): Clock | null {
  const clock = objectOf(answer)?.clock;
  if (clock === undefined || clock === "manual" || clock === "real") return clock ?? null;
  throw hookBlocked(name, 'the clock of its answer is neither "manual" nor "real"');
}
