import { timeOf } from "../domain/clock.ts";
import type { LedgerEntry } from "../domain/wallet/wallet.ts";
import type { PortChange } from "./edit.ts";
import { withMembers } from "./ports.ts";

/** Milliseconds after which such an entry is in the ledger. */
const bookedAfter = 150;

/** Has some entries come into the ledger of an organization a while after what they are for; what they take is held until then. */
export const bookingLater = (isMeant: (entry: LedgerEntry) => boolean): PortChange => ({
  ports(ports) {
    const { store } = ports;
    const held = new Map<string, number>();
    const hold = (id: string, amount: number): unknown => held.set(id, (held.get(id) ?? 0) + amount);
    const heldBy = ({ kind, amount }: LedgerEntry): number => (kind === "charge" ? amount : 0);
    const members: Partial<typeof store> = {
      async atomically(organizationId, work) {
        let entries: LedgerEntry[] = [];
        const result = await store.atomically(organizationId, (tx) => {
          // A unit may be done again.
          for (const entry of entries) hold(organizationId, -heldBy(entry));
          entries = [];
          const wallet = async () => {
            const { balance, ...others } = await tx.ledger.wallet();
            return { ...others, balance: balance - (held.get(organizationId) ?? 0) };
          };
          const append = (entry: LedgerEntry) => {
            if (!isMeant(entry)) return tx.ledger.append(entry);
            entries.push(entry);
            hold(organizationId, heldBy(entry));
            return wallet();
          };
          return work(withMembers(tx, { ledger: withMembers(tx.ledger, { wallet, append }) }));
        });
        for (const entry of entries) {
          const book = async () => {
            let isHeld = true;
            await store.atomically(organizationId, async (later) => {
              const wallet = await later.ledger.append(entry);
              // At once, and once: nobody finds it both held and taken.
              if (isHeld) hold(organizationId, -heldBy(entry));
              isHeld = false;
              return wallet;
            });
          };
          // The organization may be gone by then, and the server too.
          setTimeout(() => void book().catch(() => undefined), bookedAfter).unref();
        }
        return result;
      },
    };
    return { ...ports, store: withMembers(store, members) };
  },
});

/** Has some entries come into the ledger so many milliseconds later by the organization's clock; until then they count for nothing. */
export const bookingByClock = (isMeant: (entry: LedgerEntry) => boolean, after: number): PortChange => ({
  ports(ports) {
    const { store, world } = ports;
    const held = new Map<string, readonly LedgerEntry[]>();
    const bookDue = async (id: string): Promise<void> => {
      const organization = held.has(id) ? await store.organization(id) : null;
      if (organization === null) return;
      const bookedUntil = timeOf(organization.clock, world.now()) - after;
      const entries = held.get(id) ?? [];
      held.delete(id);
      for (const entry of entries)
        if (entry.at <= bookedUntil) await store.atomically(id, (tx) => tx.ledger.append(entry));
        else held.set(id, [...(held.get(id) ?? []), entry]);
    };
    const members: Partial<typeof store> = {
      async wallet(id) {
        await bookDue(id);
        return store.wallet(id);
      },
      async resources(id) {
        await bookDue(id);
        return store.resources(id);
      },
      async atomically(id, work) {
        await bookDue(id);
        return store.atomically(id, (tx) =>
          work(
            withMembers(tx, {
              ledger: withMembers(tx.ledger, {
                async append(entry) {
                  if (!isMeant(entry)) return tx.ledger.append(entry);
                  held.set(id, [...(held.get(id) ?? []), entry]);
                  return tx.ledger.wallet();
                },
              }),
            }),
          ),
        );
      },
    };
    return { ...ports, store: withMembers(store, members) };
  },
});

/**
 * Appends a further entry to the ledger some milliseconds after an entry, by the organization's clock. It has its own
 * reference. A charge that the wallet does not cover then is not appended.
 */
export const bookingAgainByClock = (
  further: (entry: LedgerEntry) => Pick<LedgerEntry, "kind" | "amount"> | null,
  afterMs: number,
): PortChange => ({
  ports(ports) {
    const { store, world } = ports;
    const dueByOrganization = new Map<string, readonly LedgerEntry[]>();
    const bookDue = async (id: string): Promise<void> => {
      const organization = dueByOrganization.has(id) ? await store.organization(id) : null;
      if (organization === null) return;
      const bookedUntil = timeOf(organization.clock, world.now()) - afterMs;
      const entries = dueByOrganization.get(id) ?? [];
      const isDue = ({ at }: LedgerEntry): boolean => at <= bookedUntil;
      dueByOrganization.set(
        id,
        entries.filter((entry) => !isDue(entry)),
      );
      for (const entry of entries.filter(isDue))
        await store.atomically(id, async ({ ledger }) => {
          const wallet = await ledger.wallet();
          return entry.kind === "charge" && wallet.balance < entry.amount ? wallet : ledger.append(entry);
        });
    };
    const members: Partial<typeof store> = {
      async wallet(id) {
        await bookDue(id);
        return store.wallet(id);
      },
      async resources(id) {
        await bookDue(id);
        return store.resources(id);
      },
      atomically: (id, work) =>
        store.atomically(id, (tx) => {
          const append = (entry: LedgerEntry) => {
            const more = further(entry);
            const reference = `${entry.reference} later`;
            const earlier = (dueByOrganization.get(id) ?? []).filter((one) => one.reference !== reference);
            if (more !== null) dueByOrganization.set(id, [...earlier, { ...more, reference, at: entry.at }]);
            return tx.ledger.append(entry);
          };
          return work(withMembers(tx, { ledger: withMembers(tx.ledger, { append }) }));
        }),
    };
    return { ...ports, store: withMembers(store, members) };
  },
});
