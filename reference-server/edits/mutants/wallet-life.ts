import { randomUUID } from "node:crypto";
import { operations } from "../../../generated/operations.ts";
import type { AutoTopUp } from "../../domain/organizations/auto-top-up.ts";
import { dueTopUp, topUpEntry } from "../../domain/wallet/top-up.ts";
import type { LedgerEntry } from "../../domain/wallet/wallet.ts";
import type { Ledger } from "../../store/unit-of-work.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { withMembers } from "../ports.ts";
import { keepingMoney, working } from "../unit-changes.ts";
import { parsed, type Wire, type WireAnswer, withData } from "../wire.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

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

/** Tops each wallet up of itself once: what follows a charge in its unit of work. */
const toppingUpOnce: PortChange = working(() => {
  const toppedUp = new Set<string | undefined>();
  return (tx) => {
    let isCharged = false;
    return {
      ledger: withMembers(tx.ledger, {
        append(entry) {
          const isOfItself = isCharged && entry.reference.startsWith("top-up");
          isCharged ||= entry.kind === "charge";
          if (isOfItself && toppedUp.has(tx.organization?.id)) return tx.ledger.wallet();
          if (isOfItself) toppedUp.add(tx.organization?.id);
          return tx.ledger.append(entry);
        },
      }),
    };
  };
});

/** Tops a wallet up as it was last told to, though that was disabled. */
const toppingUpDisabled: PortChange = working(() => {
  const last = new Map<string, AutoTopUp>();
  return ({ organization, ledger }) => {
    if (organization === null) return {};
    const { id, autoTopUp } = organization;
    if (autoTopUp !== null) last.set(id, autoTopUp);
    return {
      ledger: withMembers(ledger, {
        async append(entry) {
          const wallet = await ledger.append(entry);
          const isDisabled = entry.kind === "charge" && autoTopUp === null;
          const product = isDisabled ? dueTopUp(last.get(id) ?? null, wallet) : null;
          return product === null ? wallet : ledger.append(topUpEntry(randomUUID(), product, entry.at));
        },
      }),
    };
  };
});

/** Answers top-ups of a caller that come while one is under way as that one, and adds nothing for them. */
const toppingUpTogether: Wire = (serve) => {
  const underWay = new Map<string, Promise<WireAnswer>>();
  return async (request) => {
    if (request.operation !== "topUpWallet") return serve(request);
    const caller = String(request.headers.authorization);
    const first = underWay.get(caller);
    if (first !== undefined) {
      const { method, path } = operations.listTopUpProducts;
      const call = { operation: "listTopUpProducts", method, path, bytes: Buffer.alloc(0) } as const;
      const [{ status, bytes }, answer] = [await first, await serve({ ...request, ...call })];
      const data = { ...Object(Object(parsed(bytes)).data), id: randomUUID() };
      return { ...withData(answer, data), status };
    }
    const answer = serve(request);
    underWay.set(caller, answer);
    return answer.finally(() => underWay.delete(caller));
  };
};

/** Servers that keep wallets rightly until a top-up, or but for one of several. */
export const walletLifeMutants: readonly Mutant[] = [
  wireMutant("BIL-23", "together", "adds one of several top-ups that come at once", toppingUpTogether),
  mutantOf("BIL-25", "disabled", "tops a wallet up of itself though that was disabled", [toppingUpDisabled]),
  mutantOf("BIL-25", "once", "tops a wallet up of itself once", [toppingUpOnce]),
  mutant(
    "BIL-25",
    "brand",
    "tops no wallet up of itself that a brand has emptied",
    "routes/charge.ts",
    "const product = dueTopUp(autoTopUp, wallet);",
    'const product = entry.reference.startsWith("brand") ? null : dueTopUp(autoTopUp, wallet);',
  ),
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
  mutantOf("BIL-34", "bits", "keeps a wallet in 32 bits", [
    keepingMoney(() => (ledger) => ({
      async wallet() {
        const wallet = await ledger.wallet();
        return { ...wallet, balance: wallet.balance | 0 };
      },
    })),
  ]),
];
