import type { Choices } from "../../generated/choices.ts";
import type * as wire from "../../generated/models/double-opt-ins.ts";
import type { DoubleOptInsHandlers } from "../../generated/server/double-opt-ins.ts";
import { timestamp } from "../domain/clock.ts";
import {
  type DoubleOptIn,
  type EndedDoubleOptIn,
  endEvent,
  isOpen,
  newDoubleOptIn,
  refuseToAsk,
} from "../domain/consent/double-opt-in.ts";
import { newEventId } from "../domain/events/new-event.ts";
import { type Caller, callerTime } from "../domain/organizations/caller.ts";
import type { World } from "../domain/world.ts";
import type { Store } from "../store/store.ts";
import type { UnitOfWork } from "../store/unit-of-work.ts";

export interface DoubleOptInsParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
}

export function doubleOptInsHandlers({ store, world, choices }: DoubleOptInsParts): DoubleOptInsHandlers<Caller> {
  const precision = choices.timestampPrecision;
  return {
    async requestDoubleOptIn({ body: { phone_number: phoneNumber, source } }, caller) {
      const { id: organizationId } = caller.organization;
      const now = callerTime(caller, world.now());
      const wanted = newDoubleOptIn({ id: world.newId(), organizationId, phoneNumber, source, now }, choices);
      const eventId = newEventId(world);
      return store.atomically(organizationId, async (tx) => {
        const refusal = refuseToAsk(await tx.consents.of(phoneNumber));
        if (refusal !== null) return refusal;
        const known = await tx.doubleOptIns.pending(phoneNumber);
        if (known !== null && isOpen(known, now)) return wireDoubleOptIn(known, precision);
        if (known !== null) await expire(tx, known, { id: eventId, createdAt: now }, choices);
        await tx.doubleOptIns.insert(wanted);
        return wireDoubleOptIn(wanted, precision);
      });
    },
  };
}

/** Ends double opt-ins that nobody answered in time, each once. */
export const expireDoubleOptIn =
  ({ store, world, choices }: DoubleOptInsParts) =>
  async (expired: DoubleOptIn, now: number): Promise<void> => {
    const eventId = newEventId(world);
    await store.atomically(expired.organizationId, async (tx) => {
      const known = await tx.doubleOptIns.pending(expired.phoneNumber);
      // It may have been answered, or ended by another process, since it was claimed.
      if (known?.id === expired.id) await expire(tx, known, { id: eventId, createdAt: now }, choices);
    });
  };

async function expire(
  tx: UnitOfWork,
  doubleOptIn: DoubleOptIn,
  event: Parameters<typeof endEvent>[1],
  choices: Choices,
): Promise<void> {
  const ended: EndedDoubleOptIn = { ...doubleOptIn, state: "expired" };
  await tx.doubleOptIns.end(ended);
  const told = endEvent(ended, event, choices);
  if (told !== null) await tx.enqueue(told, "subscribed");
}

const wireDoubleOptIn = (one: DoubleOptIn, precision: Choices["timestampPrecision"]): wire.DoubleOptIn => ({
  id: one.id,
  phone_number: one.phoneNumber,
  source: one.source,
  created_at: timestamp(one.createdAt, precision),
  expires_at: timestamp(one.expiresAt, precision),
});
