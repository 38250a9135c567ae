import type { Choices } from "../../generated/choices.ts";
import type * as wire from "../../generated/models/api-keys.ts";
import type { ApiKeysHandlers } from "../../generated/server/api-keys.ts";
import { timestamp } from "../domain/clock.ts";
import { keyEvent } from "../domain/events/new-event.ts";
import {
  type ApiKey,
  keyNotFound,
  newKey,
  newKeySecret,
  refuseGrant,
  refuseRotation,
  rotatedKey,
} from "../domain/keys/api-keys.ts";
import { type Caller, callerTime } from "../domain/organizations/caller.ts";
import type { World } from "../domain/world.ts";
import type { Store } from "../store/store.ts";

export interface ApiKeysParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
}

export function apiKeysHandlers({ store, world, choices }: ApiKeysParts): ApiKeysHandlers<Caller> {
  const precision = choices.timestampPrecision;
  return {
    async createApiKey({ body }, caller) {
      const refusal = refuseGrant(caller, body.scopes, choices);
      if (refusal) return refusal;
      const secret = newKeySecret(world, choices);
      const wanted = {
        id: world.newId(),
        organizationId: caller.organization.id,
        label: body.label ?? "",
        scopes: body.scopes,
        createdAt: callerTime(caller, world.now()),
      };
      const key = newKey(wanted, secret);
      const event = keyEvent("created", key, key.createdAt, world, choices);
      await store.atomically(key.organizationId, async (tx) => {
        await tx.keys.insert(key);
        if (event !== null) await tx.enqueue(event, "subscribed");
      });
      return { ...wireKey(key, precision), plaintext: secret.plaintext };
    },

    async getApiKey({ path }, caller) {
      const key = await store.key(caller.organization.id, path.id);
      return key === null ? keyNotFound() : wireKey(key, precision);
    },

    async rotateApiKey({ path }, caller) {
      const secret = newKeySecret(world, choices);
      const nextId = choices.rotatedId === "same" ? path.id : world.newId();
      const now = callerTime(caller, world.now());
      return store.atomically(caller.organization.id, async (tx) => {
        const key = await tx.keys.find(path.id);
        const refusal = refuseRotation(caller, key);
        if (key === null || refusal) return refusal ?? keyNotFound();
        const rotated = rotatedKey(key, secret, nextId);
        const event = keyEvent("rotated", rotated, now, world, choices);
        await tx.keys.update(path.id, rotated);
        if (event !== null) await tx.enqueue(event, "subscribed");
        return { ...wireKey(rotated, precision), plaintext: secret.plaintext };
      });
    },
  };
}

function wireKey(key: ApiKey, precision: Choices["timestampPrecision"]): wire.ApiKey {
  return {
    id: key.id,
    org_id: key.organizationId,
    label: key.label,
    prefix: key.prefix,
    scopes: key.scopes,
    created_at: timestamp(key.createdAt, precision),
    last_used_at: key.lastUsedAt === null ? null : timestamp(key.lastUsedAt, precision),
    revoked_at: key.revokedAt === null ? null : timestamp(key.revokedAt, precision),
  };
}
