import { randomUUID } from "node:crypto";
import type { LedgerEntry } from "../../domain/wallet/wallet.ts";
import type { Ledger } from "../../store/unit-of-work.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { withMembers } from "../ports.ts";
import { mutantOf } from "./mutant.ts";

/** Puts other entries into the ledger of an organization that has topped its wallet up before. */
const oncePaidIn = (append: (entry: LedgerEntry, ledger: Ledger) => ReturnType<Ledger["append"]>): PortChange => ({
  ports(ports) {
    const { store } = ports;
    const paidIn = new Set<string>();
    return {
      ...ports,
      store: withMembers(store, {
        atomically: (organizationId, work) =>
          store.atomically(organizationId, (tx) =>
            work(
              withMembers(tx, {
                ledger: withMembers(tx.ledger, {
                  append(entry) {
                    if (paidIn.has(organizationId)) return append(entry, tx.ledger);
                    if (entry.reference.startsWith("top-up")) paidIn.add(organizationId);
                    return tx.ledger.append(entry);
                  },
                }),
              }),
            ),
          ),
      }),
    };
  },
});

/** Charges whoever topped up last for what others pay, too. */
const chargingBeside: PortChange = {
  ports(ports) {
    const { store } = ports;
    let last: string | null = null;
    return {
      ...ports,
      store: withMembers(store, {
        async atomically(organizationId, work) {
          let charge: LedgerEntry | null = null;
          const result = await store.atomically(organizationId, (tx) =>
            work(
              withMembers(tx, {
                ledger: withMembers(tx.ledger, {
                  append(entry) {
                    if (entry.reference.startsWith("top-up")) last = organizationId;
                    if (entry.kind === "charge") charge = { ...entry, reference: randomUUID() };
                    return tx.ledger.append(entry);
                  },
                }),
              }),
            ),
          );
          const other = last === organizationId ? null : last;
          if (charge !== null && other !== null) {
            const beside: LedgerEntry = charge;
            await store.atomically(other, (tx) => tx.ledger.append(beside));
          }
          return result;
        },
      }),
    };
  },
};

/** Servers that keep wallets rightly until a top-up. */
export const walletLifeMutants: readonly Mutant[] = [
  mutantOf("BIL-95", "beside", "charges who topped up last for what another organization pays, too", [chargingBeside]),
  mutantOf("LKP-08", "topped-up", "gives who has topped up nothing back for a failed lookup", [
    oncePaidIn((entry, ledger) => (entry.kind === "refund" ? ledger.wallet() : ledger.append(entry))),
  ]),
  mutantOf("LKP-05", "topped-up", "looks up for nothing for who has topped up", [
    oncePaidIn((entry, ledger) =>
      entry.kind === "charge" && entry.reference.startsWith("lookup") ? ledger.wallet() : ledger.append(entry),
    ),
  ]),
  mutantOf("BRD-01", "topped-up", "gives who has topped up a discount on brands", [
    oncePaidIn((entry, ledger) =>
      ledger.append(entry.reference.startsWith("brand") ? { ...entry, amount: entry.amount / 2 } : entry),
    ),
  ]),
];
