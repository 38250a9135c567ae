import { deleteOrganization } from "../../conformance/arrangements/fresh-organization.ts";
import { otherKey } from "../../conformance/arrangements/other-organization.ts";
import { secretOf } from "../../conformance/arrangements/requirement.ts";
import { revokeKey } from "../../conformance/arrangements/revocation.ts";
import { rowAllows, rowNamed } from "../../conformance/exchange/admits.ts";
import { newSecrets } from "../../conformance/exchange/redaction.ts";
import { newHookCaller } from "../../conformance/hooks/hook-caller.ts";
import { Blocked } from "../../conformance/outcome/verdict.ts";
import { removeOrganization } from "../../conformance/provision/hook-organization.ts";
import type { LeftBehind } from "../../conformance/provision/left-behind.ts";
import { onOneLine } from "../../conformance/target/on-one-line.ts";
import type { Target } from "../../conformance/target/target.ts";
import { cancelMessage } from "../../generated/client/messages.ts";
import { deleteOrganization as deleteSandboxOrganization } from "../../generated/client/sandbox-organizations.ts";
import { deleteWebhookEndpoint } from "../../generated/client/webhooks.ts";
import type { ErrorRowName } from "../../generated/error-rows.ts";
import type { Answer, Transport } from "../../generated/runtime/transport.ts";

/** What a target can do about a thing that was left behind. */
export type Removal =
  | { readonly kind: "possible"; readonly how: string; readonly remove: () => Promise<Removed> }
  | { readonly kind: "impossible"; readonly why: string };

export type Removed = { readonly ok: true } | { readonly ok: false; readonly why: string };

const impossible = (why: string): Removal => ({ kind: "impossible", why });

/** How a thing is removed from this target, if it is. */
export function removalOf(thing: LeftBehind, target: Target, signal: AbortSignal): Removal {
  const hooks = newHookCaller(target, newSecrets(), signal);
  const { sandbox, timing } = target;
  switch (thing.kind) {
    case "api-key":
      return !hooks.has(revokeKey)
        ? impossible("the API has no operation that revokes a key, and the target has no revoke_key hook")
        : {
            ...{ kind: "possible", how: "revoked by the revoke_key hook" },
            remove: () =>
              removedBy(() => hooks.ask(revokeKey, { key_id: thing.id, organization_id: thing.organizationId })),
          };
    case "message":
      return withKeys(target, "canceled", ["MessageNotCancelable"], (transport) =>
        cancelMessage(transport, { path: { id: thing.id } }),
      );
    case "webhook-endpoint":
      return withKeys(target, "deleted", ["NotFound"], (transport) =>
        deleteWebhookEndpoint(transport, { path: { id: thing.id } }),
      );
    case "organization":
      return !hooks.has(deleteOrganization)
        ? impossible("a hook made it, and the target has no delete_organization hook")
        : {
            ...{ kind: "possible", how: "deleted by the delete_organization hook" },
            remove: () => removedBy(() => removeOrganization(hooks, thing.id)),
          };
    case "sandbox-organization":
      return sandbox === null
        ? impossible("the kit has no token of the sandbox that made it: BYLAW_SANDBOX_TOKEN")
        : {
            ...{ kind: "possible", how: "deleted through the sandbox" },
            remove: () => removedBy(() => deleteFrom({ ...sandbox, timeout: timing.requestTimeout }, thing.id)),
          };
  }
}

/**
 * What is taken back through the API. Whose it is was perhaps not told, so each key is tried; where all of them are
 * answered one of those rows, it is gone already.
 */
function withKeys(
  target: Target,
  how: string,
  over: readonly ErrorRowName[],
  remove: (transport: Transport) => Promise<Answer<unknown>>,
): Removal {
  const { baseUrl, timing } = target;
  const keys = [target.key, secretOf(target, otherKey)].filter((key) => key !== null);
  if (keys.length === 0) return impossible("the kit has no key to remove it with: BYLAW_API_KEY");
  const withEach = async (): Promise<void> => {
    for (const token of keys) {
      const answer = await remove({ baseUrl, token, timeout: timing.requestTimeout });
      if (answer.ok) return;
      if (over.some((row) => rowAllows(rowNamed(row), answer.status))) continue;
      throw new Error(`the target refused: ${answer.status} ${answer.error.code}, ${answer.error.message}`);
    }
  };
  return { kind: "possible", how, remove: () => removedBy(withEach) };
}

async function deleteFrom(transport: Parameters<typeof deleteSandboxOrganization>[0], id: string): Promise<void> {
  const answer = await deleteSandboxOrganization(transport, { path: { id } });
  // What is gone already need not be deleted.
  if (answer.ok || rowAllows(rowNamed("SandboxNotFound"), answer.status)) return;
  throw new Error(`the sandbox refused: ${answer.status} ${answer.error.code}, ${answer.error.message}`);
}

async function removedBy(remove: () => Promise<unknown>): Promise<Removed> {
  try {
    await remove();
    return { ok: true };
  } catch (error) {
    const advice = error instanceof Blocked ? `; ${error.unblock}` : "";
    const message = error instanceof Error && error.message !== "" ? error.message : String(error);
    return { ok: false, why: onOneLine(message) + advice };
  }
}
