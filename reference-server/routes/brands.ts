import type { Choices } from "../../generated/choices.ts";
import type * as wire from "../../generated/models/brands.ts";
import type { BrandsHandlers } from "../../generated/server/brands.ts";
import { timestamp } from "../domain/clock.ts";
import { type Caller, callerTime } from "../domain/organizations/caller.ts";
import {
  type Brand,
  brandEntry,
  brandNotFound,
  newBrand,
  refuseBrand,
  verifiedAt,
} from "../domain/registration/brand.ts";
import type { World } from "../domain/world.ts";
import type { Store } from "../store/store.ts";
import { newCharge } from "./charge.ts";
import { once } from "./once.ts";

export interface BrandsParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
}

export function brandsHandlers({ store, world, choices }: BrandsParts): BrandsHandlers<Caller> {
  const precision = choices.timestampPrecision;
  return {
    async createBrand({ body: { name } }, caller) {
      const { id: organizationId } = caller.organization;
      const now = callerTime(caller, world.now());
      const brand = newBrand({ id: world.newId(), organizationId, name, createdAt: now });
      const charge = newCharge(world, choices);
      return once({ store, now, choices }, caller, async (tx) => {
        const organization = tx.organization ?? caller.organization;
        const refusal = refuseBrand(organization, await tx.brands.count(), await tx.ledger.wallet());
        if (refusal !== null) return refusal;
        await charge(tx, brandEntry(brand));
        await tx.brands.insert(brand, verifiedAt(brand, choices));
        return wireBrand(brand, precision);
      });
    },

    async getBrand({ path }, caller) {
      const brand = await store.brand(caller.organization.id, path.id);
      return brand === null ? brandNotFound() : wireBrand(brand, precision);
    },
  };
}

const wireBrand = (brand: Brand, precision: Choices["timestampPrecision"]): wire.Brand => ({
  id: brand.id,
  name: brand.name,
  identity_status: brand.identityStatus,
  created_at: timestamp(brand.createdAt, precision),
});
