import type { LegalAcceptancesHandlers } from "../../generated/server/legal-acceptances.ts";
import { timestamp } from "../domain/clock.ts";
import { type Caller, callerTime, userIdOf } from "../domain/organizations/caller.ts";
import type { World } from "../domain/world.ts";
import type { Store } from "../store/store.ts";

export interface LegalAcceptancesParts {
  readonly store: Store;
  readonly world: World;
}

export function legalAcceptancesHandlers({ store, world }: LegalAcceptancesParts): LegalAcceptancesHandlers<Caller> {
  return {
    async createLegalAcceptance({ body: { document, version } }, caller) {
      const { id: organizationId } = caller.organization;
      const acceptedAt = callerTime(caller, world.now());
      const acceptance = { id: world.newId(), organizationId, userId: userIdOf(caller), document, version, acceptedAt };
      await store.atomically(organizationId, (tx) => tx.legalAcceptances.insert(acceptance));
      return { id: acceptance.id, document, version, accepted_at: timestamp(acceptedAt) };
    },
  };
}
