import type { Choices } from "../generated/choices.ts";
import { scopes } from "../generated/scopes.ts";
import { newKey, newKeySecret } from "./domain/keys/api-keys.ts";
import { newCustomer } from "./domain/organizations/organization.ts";
import type { World } from "./domain/world.ts";
import type { Store } from "./store/store.ts";

/** A first organization with a key that holds every scope: there is no other way into an empty server. */
export async function seedOrganization(store: Store, world: World, choices: Choices) {
  const organization = newCustomer(world);
  const secret = newKeySecret(world, choices);
  const wanted = {
    id: world.newId(),
    organizationId: organization.id,
    label: "first key",
    scopes,
    createdAt: world.now(),
  };
  await store.insertOrganization(organization);
  await store.atomically(organization.id, (tx) => tx.keys.insert(newKey(wanted, secret)));
  return { organization_id: organization.id, api_key: secret.plaintext };
}
