import type { Choices } from "../../generated/choices.ts";
import type * as wire from "../../generated/models/lookups.ts";
import type { LookupsHandlers } from "../../generated/server/lookups.ts";
import { timestamp } from "../domain/clock.ts";
import { isOfUnitedStatesOrCanada } from "../domain/lookups/calling-region.ts";
import type { LineTypes } from "../domain/lookups/line-type.ts";
import {
  type Lookup,
  lookupEntry,
  lookupEvent,
  lookupFailed,
  lookupNotFound,
  refuseUncovered,
  unsupportedRegion,
} from "../domain/lookups/lookup.ts";
import { type Caller, callerTime } from "../domain/organizations/caller.ts";
import type { World } from "../domain/world.ts";
import type { Store } from "../store/store.ts";
import { newCharge } from "./charge.ts";
import { once } from "./once.ts";

export interface LookupsParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
  readonly lineTypes: LineTypes;
}

export function lookupsHandlers({ store, world, choices, lineTypes }: LookupsParts): LookupsHandlers<Caller> {
  const precision = choices.timestampPrecision;
  const price = Number(choices.lookupPriceMicros);
  return {
    async createLookup({ body }, caller) {
      const { phone_number: phoneNumber } = body;
      if (!isOfUnitedStatesOrCanada(phoneNumber)) return unsupportedRegion();
      const { id: organizationId } = caller.organization;
      // Nobody is asked for what cannot be paid; whether it still can be is seen when it is charged.
      const uncovered = refuseUncovered(await store.wallet(organizationId), price);
      if (uncovered !== null) return uncovered;
      const lineType = await lineTypes.of(organizationId, phoneNumber);
      const [id, now] = [world.newId(), callerTime(caller, world.now())];
      const lookup = lineType && { id, organizationId, phoneNumber, lineType, lookedUpAt: now };
      const event = lookup && lookupEvent(lookup, world, choices);
      const charge = newCharge(world, choices);
      return once({ store, now, choices }, caller, async (tx) => {
        const refusal = refuseUncovered(await tx.ledger.wallet(), price);
        if (refusal !== null) return refusal;
        const charged = lookupEntry("charge", { id, price, at: now });
        if (lookup === null) {
          // What is given back at once is no reason to top the wallet up, nor to tell of its balance.
          await tx.ledger.append(charged);
          await tx.ledger.append(lookupEntry("refund", { id, price, at: now }));
          return lookupFailed();
        }
        await charge(tx, charged);
        await tx.lookups.insert(lookup);
        if (event !== null) await tx.enqueue(event, "subscribed");
        return wireLookup(lookup, precision);
      });
    },

    async getLookup({ path }, caller) {
      const lookup = await store.lookup(caller.organization.id, path.lookup_id);
      return lookup === null ? lookupNotFound() : wireLookup(lookup, precision);
    },
  };
}

const wireLookup = (lookup: Lookup, precision: Choices["timestampPrecision"]): wire.Lookup => ({
  id: lookup.id,
  phone_number: lookup.phoneNumber,
  line_type: lookup.lineType,
  looked_up_at: timestamp(lookup.lookedUpAt, precision),
});
