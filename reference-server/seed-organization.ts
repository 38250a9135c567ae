import type { Choices } from "../generated/choices.ts";
import { scopes } from "../generated/scopes.ts";
import { newKey, newKeySecret } from "./domain/keys/api-keys.ts";
import { newCustomer } from "./domain/organizations/organization.ts";
import { microsInCent, openingEntries } from "./domain/wallet/wallet.ts";
import type { World } from "./domain/world.ts";
import type { Store } from "./store/store.ts";

const microsInDollar = 100 * microsInCent;

/** What the wallet of a first organization holds where nobody says otherwise, in US dollars. */
export const usualSeedCredit = 10;

/**
 * A first organization with a key that holds every scope and with money, in US dollars, for what is charged: there is no
 * other way into an empty server.
 */
export async function seedOrganization(store: Store, world: World, choices: Choices, credit = usualSeedCredit) {
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
  const opening = openingEntries({ balance: Math.round(credit * microsInDollar), spend: 0 }, world.now(), world);
  await store.atomically(organization.id, async (tx) => {
    await tx.keys.insert(newKey(wanted, secret));
    for (const entry of opening) await tx.ledger.append(entry);
  });
  return { organization_id: organization.id, api_key: secret.plaintext };
}
