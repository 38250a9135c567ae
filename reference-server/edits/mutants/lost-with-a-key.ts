import type { WebhookEndpoint } from "../../domain/endpoints/webhook-endpoint.ts";
import type { Endpoints } from "../../store/unit-of-work.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import { mutantOf } from "./mutant.ts";

/** Does something to the endpoints that an organization has when one of its keys is revoked. */
const whenRevoked = (lose: (endpoint: WebhookEndpoint, endpoints: Endpoints) => Promise<void>): PortChange =>
  working(() => {
    const made = new Map<string, string>();
    return (tx) => ({
      endpoints: withMembers(tx.endpoints, {
        async insert(endpoint) {
          made.set(endpoint.id, endpoint.organizationId);
          await tx.endpoints.insert(endpoint);
        },
      }),
      keys: withMembers(tx.keys, {
        async update(id, key) {
          await tx.keys.update(id, key);
          if (key.revokedAt === null) return;
          for (const [endpointId, organizationId] of made) {
            const endpoint = organizationId === key.organizationId ? await tx.endpoints.find(endpointId) : null;
            if (endpoint !== null) await lose(endpoint, tx.endpoints);
          }
        },
      }),
    });
  });

/** Servers that take what an organization has for a key's own, and lose it when that is revoked. */
export const lostWithKeyMutants: readonly Mutant[] = [
  mutantOf("TEN-30", "revoked", "deletes the endpoints that there are when a key is revoked", [
    whenRevoked((endpoint, endpoints) =>
      endpoints.update({ ...endpoint, active: false, deletedAt: endpoint.updatedAt }),
    ),
  ]),
  mutantOf("WHE-14", "revoked", "switches off the endpoints that there are when a key is revoked", [
    whenRevoked((endpoint, endpoints) => endpoints.update({ ...endpoint, active: false })),
  ]),
];
