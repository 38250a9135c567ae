import type { Choices } from "../../generated/choices.ts";
import { newEventId } from "../domain/events/new-event.ts";
import { balanceEvents } from "../domain/wallet/balance-events.ts";
import { dueTopUp, topUpEntry } from "../domain/wallet/top-up.ts";
import type { LedgerEntry } from "../domain/wallet/wallet.ts";
import type { World } from "../domain/world.ts";
import type { UnitOfWork } from "../store/unit-of-work.ts";

/**
 * Charges a wallet that covers it, within a unit of work: tells of a balance that comes low or to nothing, and tops the
 * wallet up where it does so of itself. Made before the unit, for one charge: its ids are the same however often the
 * unit is tried.
 */
export function newCharge(
  world: Pick<World, "newId">,
  choices: Pick<Choices, "keyEvents" | "lowBalanceMicros">,
): (tx: UnitOfWork, entry: LedgerEntry) => Promise<void> {
  const ids = { low: newEventId(world), zero: newEventId(world) };
  const topUpId = world.newId();
  return async (tx, entry) => {
    const wallet = await tx.ledger.append(entry);
    if (tx.organization === null) return;
    const { id: organizationId, autoTopUp } = tx.organization;
    for (const event of balanceEvents({ organizationId, entry, wallet }, ids, choices))
      await tx.enqueue(event, "subscribed");
    const product = dueTopUp(autoTopUp, wallet);
    if (product !== null) await tx.ledger.append(topUpEntry(topUpId, product, entry.at));
  };
}
