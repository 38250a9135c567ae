import type { EventType } from "../../generated/events.ts";
import type { Blocked } from "../check/verdict.ts";
import { objectOf } from "../exchange/exchange.ts";
import type { Secrets } from "../exchange/redaction.ts";
import { type Breaker, newBreaker } from "../liveness/breaker.ts";
import { checkSignal } from "../liveness/deadline.ts";
import { whyEnded } from "../liveness/or-ended.ts";
import { joinedHeaders } from "../receiver/delivery.ts";
import type { VerifyHook } from "../receiver/signer.ts";
import { tokenDefect } from "../target/credential.ts";
import type { Hook, Target } from "../target/target.ts";
import { hookBlocked, runHook } from "./run-hook.ts";
import type { EndpointChange } from "./tenant.ts";

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
  /** Creates an organization, with that clock where it can. */
  readonly newOrganization: ((clock: Clock) => Promise<NewOrganization>) | null;
  /** Deletes an organization that `newOrganization` created, with all that it has. */
  readonly deleteOrganization: ((organizationId: string) => Promise<void>) | null;
  /** Moves an organization's time by seconds, none of them to ask whose time it is. */
  readonly advance: ((seconds: number, organizationId: string | null) => Promise<Clock>) | null;
  /** Makes an event happen and gives its id, null when the hook does not say. */
  readonly emitEvent:
    | ((
        type: EventType,
        data: Readonly<Record<string, unknown>>,
        organizationId: string | null,
      ) => Promise<string | null>)
    | null;
  readonly changeEndpoint:
    | ((endpointId: string, change: EndpointChange, organizationId: string | null) => Promise<void>)
    | null;
  /** Sends something signed with the organization's secret and waits until it was answered. */
  readonly sendCallback: ((url: string, organizationId: string | null) => Promise<void>) | null;
  /** Says whether a delivery's signature is true. */
  readonly verifySignature: VerifyHook | null;
  /** What blocks whatever needs the first hook that was found to answer no more; null while all do. */
  readonly down: () => Blocked | null;
}

/** `signal` ends what is asked outside of a check, and the making of an organization. */
export function hookCalls(
  { hooks, baseUrl }: Pick<Target, "hooks" | "baseUrl">,
  secrets: Secrets,
  signal: AbortSignal,
): HookCalls {
  const breakers = new Map<string, Breaker>();
  const ask = (name: string, hook: Hook, input: Readonly<Record<string, unknown>>, ends = checkSignal() ?? signal) => {
    const breaker = breakers.get(name) ?? newBreaker(`hook ${name}`, `mend the hook ${name}, which no longer answers`);
    breakers.set(name, breaker);
    return runHook({ name, hook, signal: ends, breaker, input: { hook: name, base_url: baseUrl, ...input } });
  };
  const { revokeKey, newOrganization, deleteOrganization, advance, emitEvent, changeEndpoint } = hooks;
  const { sendCallback, verifySignature } = hooks;
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
        : async (clock) => {
            // What it makes becomes known even when the check that wants it has ended.
            const answer = await ask("new_organization", newOrganization, { clock }, signal);
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
    deleteOrganization:
      deleteOrganization === undefined
        ? null
        : async (organizationId) => {
            // What was made is given back even when the check that wanted it has ended.
            await ask("delete_organization", deleteOrganization, { organization_id: organizationId }, signal);
          },
    advance:
      advance === undefined
        ? null
        : async (seconds, organizationId) => {
            const answer = await ask("advance", advance, { seconds, organization_id: organizationId });
            return clockIn("advance", answer) ?? "real";
          },
    emitEvent:
      emitEvent === undefined
        ? null
        : async (type, data, organizationId) => {
            const { event_id } = await ask("emit_event", emitEvent, { type, data, organization_id: organizationId });
            if (event_id === undefined || typeof event_id === "string") return event_id ?? null;
            throw hookBlocked("emit_event", "the event_id of its answer is no text");
          },
    changeEndpoint:
      changeEndpoint === undefined
        ? null
        : async (endpointId, change, organizationId) => {
            const input = { endpoint_id: endpointId, ...change, organization_id: organizationId };
            await ask("change_endpoint", changeEndpoint, input);
          },
    sendCallback:
      sendCallback === undefined
        ? null
        : async (url, organizationId) => {
            await ask("send_callback", sendCallback, { url, organization_id: organizationId });
          },
    verifySignature:
      verifySignature === undefined
        ? null
        : async (delivery, secret) => {
            const headers = Object.entries(joinedHeaders(delivery)).map(([name, value]) => [name.toLowerCase(), value]);
            const { valid } = await ask("verify_signature", verifySignature, {
              ...{ headers: Object.fromEntries(headers), body: delivery.body.toString("base64"), secret },
            });
            if (typeof valid === "boolean") return valid;
            throw hookBlocked("verify_signature", "its answer has no valid that is true or false");
          },
    down() {
      const gone = [...breakers.values()].find(({ signal }) => signal.aborted);
      return gone === undefined ? null : whyEnded(gone.signal);
    },
  };
}

function clockIn(name: string, answer: unknown): Clock | null {
  const clock = objectOf(answer)?.clock;
  if (clock === undefined || clock === "manual" || clock === "real") return clock ?? null;
  throw hookBlocked(name, 'the clock of its answer is neither "manual" nor "real"');
}
