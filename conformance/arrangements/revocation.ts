import { revokeOrganizationKey } from "../../generated/client/sandbox-organizations.ts";
import { Blocked } from "../outcome/verdict.ts";
import { arrangement } from "./arrangement.ts";
import { member, noMembers } from "./hook-members.ts";
import type { HookDefinition } from "./requirement.ts";

/** A key, as far as it is known. */
interface KnownKey {
  readonly id: string | null;
  readonly name: string;
}

export const revokeKey: HookDefinition = {
  name: "revoke_key",
  says: "Revokes an API key.",
  unlocks: "revoked keys, and `bylaw clean`",
  input: {
    properties: {
      key_id: { type: "string", description: "Id of the key." },
      organization_id: member.organization,
    },
  },
  answer: noMembers,
};

/** A key that the kit itself revokes. */
export const revocation = arrangement({
  need: "revocation",
  sandboxOperation: "revokeOrganizationKey",
  does: "revoke a key",
  async sandbox({ ask, path }, key: KnownKey) {
    const at = { ...path, key_id: idOf(key) };
    await ask("revoke a key", (transport) => revokeOrganizationKey(transport, { path: at }));
  },
  hook: {
    definition: revokeKey,
    async ask(ask, key) {
      await ask({ key_id: idOf(key) });
    },
  },
});

function idOf({ id, name }: KnownKey): string {
  if (id !== null) return id;
  throw new Blocked(`the kit does not know the id of the ${name}`, "give the kit a sandbox (BYLAW_SANDBOX_TOKEN)");
}
