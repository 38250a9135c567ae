import type * as wire from "../../generated/models/api-keys.ts";
import type { ApiKeysHandlers } from "../../generated/server/api-keys.ts";
import {
  type ApiKey,
  freshKey,
  keyNotFound,
  keyRevoked,
  newKeySecret,
  refuseGrant,
  refuseRotation,
} from "../domain/api-keys.ts";
import { type Caller, callerTime } from "../domain/caller.ts";
import { timestamp } from "../domain/clock.ts";
import type { World } from "../domain/world.ts";
import type { Store } from "../store/store.ts";

export interface ApiKeysParts {
  readonly store: Store;
  readonly world: World;
}

export function apiKeysHandlers({ store, world }: ApiKeysParts): ApiKeysHandlers<Caller> {
  return {
    async createApiKey({ body }, caller) {
      const refusal = refuseGrant(caller, body.scopes);
      if (refusal) return refusal;
      const secret = newKeySecret(world);
      const owner = { organizationId: caller.organization.id, now: callerTime(caller, world.now()) };
      const key = freshKey(owner, { label: body.label ?? "", scopes: body.scopes }, secret, world);
      await store.insertKey(key);
      return { ...wireKey(key), plaintext: secret.plaintext };
    },

    async getApiKey({ path }, caller) {
      const key = await store.key(caller.organization.id, path.id);
      return key === null ? keyNotFound() : wireKey(key);
    },

    async rotateApiKey({ path }, caller) {
      const organizationId = caller.organization.id;
      const refusal = refuseRotation(caller, await store.key(organizationId, path.id));
      if (refusal) return refusal;
      const secret = newKeySecret(world);
      const rotated = await store.replaceSecret(organizationId, path.id, secret);
      // Scopes never change and revocation is final, so all that can have come between is that it was revoked.
      return rotated === null ? keyRevoked() : { ...wireKey(rotated), plaintext: secret.plaintext };
    },
  };
}

const wireKey = (key: ApiKey): wire.ApiKey => ({
  id: key.id,
  org_id: key.organizationId,
  label: key.label,
  prefix: key.prefix,
  scopes: key.scopes,
  created_at: timestamp(key.createdAt),
  last_used_at: key.lastUsedAt === null ? null : timestamp(key.lastUsedAt),
  revoked_at: key.revokedAt === null ? null : timestamp(key.revokedAt),
});
