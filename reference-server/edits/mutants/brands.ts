import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { type Brand, brandEntry, isVerified } from "../../domain/registration/brand.ts";
import type { LedgerEntry } from "../../domain/wallet/wallet.ts";
import type { Brands, Ledger, UnitOfWork } from "../../store/unit-of-work.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { bookingAgainByClock } from "../later-entries.ts";
import { storing } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import { addingDetails, dataOf, inPlaceOf, onAnswer, onData, refusedWith, withData } from "../wire.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

/** Changes what units do with brands. */
const keepingBrands = (change: (brands: Brands, tx: UnitOfWork) => Partial<Brands>): PortChange =>
  working(() => (tx) => ({ brands: withMembers(tx.brands, change(tx.brands, tx)) }));

/** Changes what units do with money for brands. */
const charging = (append: (entry: LedgerEntry, ledger: Ledger) => ReturnType<Ledger["append"]>): PortChange =>
  working(() => (tx) => ({
    ledger: withMembers(tx.ledger, {
      append: (entry) => (entry.reference.startsWith("brand") ? append(entry, tx.ledger) : tx.ledger.append(entry)),
    }),
  }));

/** A wallet that seems to cover whatever is asked. */
const seemingRich: PortChange = working(() => (tx) => ({
  ledger: withMembers(tx.ledger, {
    async wallet() {
      const wallet = await tx.ledger.wallet();
      return { ...wallet, balance: wallet.balance + 1_000_000_000 };
    },
    async append(entry) {
      const { balance } = await tx.ledger.wallet();
      if (entry.kind !== "charge" || balance >= entry.amount) return tx.ledger.append(entry);
      return balance === 0 ? tx.ledger.wallet() : tx.ledger.append({ ...entry, amount: balance });
    },
  }),
}));

const isReseller = (tx: UnitOfWork, on: boolean): Partial<UnitOfWork> => ({
  organization: tx.organization && { ...tx.organization, isReseller: on },
});

/** Does something before a second brand is refused. */
const beforeRefusal = (change: (tx: UnitOfWork) => Promise<unknown>): PortChange =>
  keepingBrands((brands, tx) => ({
    async count() {
      const count = await brands.count();
      if (count > 0 && tx.organization?.isReseller === false) await change(tx);
      return count;
    },
  }));

/** The server decides on what it read a moment before. */
const decidingEarly = (look: (tx: UnitOfWork) => Partial<UnitOfWork>): PortChange => ({
  ports(ports) {
    const { store } = ports;
    return {
      ...ports,
      store: withMembers(store, {
        async atomically(organizationId, work) {
          const seen = await store.atomically(organizationId, async (tx) => ({
            count: await tx.brands.count(),
            wallet: await tx.ledger.wallet(),
          }));
          await pause(20);
          return store.atomically(organizationId, (tx) =>
            work(
              withMembers(tx, {
                brands: withMembers(tx.brands, { count: async () => seen.count }),
                ...look(tx),
              }),
            ),
          );
        },
      }),
    };
  },
});

/** Servers that register brands that they should not, charge for them wrongly, or know them badly. */
export const brandMutants: readonly Mutant[] = [
  mutantOf("BRD-01", "free", "charges nothing for a brand", [charging((_, ledger) => ledger.wallet())]),
  mutantOf("BRD-01", "cents", "takes cents for dollars", [
    charging((entry, ledger) => ledger.append({ ...entry, amount: entry.amount / 100 })),
  ]),
  mutantOf("BRD-01", "fee", "adds a fee", [
    charging((entry, ledger) => ledger.append({ ...entry, amount: entry.amount + 10_000 })),
  ]),
  mutantOf("BRD-01", "binary", "reckons in binary fractions of a dollar", [
    charging(async (entry, ledger) => {
      const { balance } = await ledger.wallet();
      const left = Math.trunc((balance / 1e6 - entry.amount / 1e6) * 1e6);
      return ledger.append({ ...entry, amount: balance - left });
    }),
  ]),
  mutantOf("BRD-01", "again", "charges again when a brand was verified", [
    keepingBrands((brands, tx) => ({
      async conclude({ id, identityStatus }) {
        await brands.conclude({ id, identityStatus });
        const brand = await brands.find(id);
        if (brand !== null && isVerified(brand))
          await tx.ledger.append({ ...brandEntry(brand), reference: randomUUID() });
      },
    })),
  ]),
  mutantOf("BRD-02", "credit", "lends what the wallet lacks for a brand", [seemingRich]),
  mutantOf("BRD-02", "kept", "keeps the brand that was not paid", [
    working(() => (tx) => ({
      ledger: withMembers(tx.ledger, {
        async wallet() {
          const wallet = await tx.ledger.wallet();
          const organizationId = tx.organization?.id ?? "";
          const brand = { id: randomUUID(), organizationId, name: "unpaid", identityStatus: "UNVERIFIED" } as const;
          if (wallet.balance < brandEntry({ ...brand, createdAt: 0 }).amount)
            await tx.brands.insert({ ...brand, createdAt: 0 }, 0);
          return wallet;
        },
      }),
    })),
  ]),
  wireMutant(
    "BRD-02",
    "details",
    "gives details of a wallet that covers no brand",
    addingDetails("createBrand", "InsufficientCredit"),
  ),
  wireMutant(
    "BRD-02",
    "forbidden",
    "forbids a brand that is not covered",
    inPlaceOf("createBrand", "InsufficientCredit", refuse.Forbidden("Pay first.")),
  ),
  mutantOf("BRD-03", "any", "lets everybody have brands", [working(() => (tx) => isReseller(tx, true))]),
  mutantOf("BRD-03", "verified", "counts brands that are verified only", [
    working(() => {
      const ids: string[] = [];
      return (tx) => ({
        brands: withMembers(tx.brands, {
          async count() {
            let count = 0;
            for (const id of ids) {
              const brand = await tx.brands.find(id);
              if (brand !== null && isVerified(brand)) count += 1;
            }
            return count;
          },
          async insert(brand, verifiedAt) {
            await tx.brands.insert(brand, verifiedAt);
            ids.push(brand.id);
          },
        }),
      });
    }),
  ]),
  wireMutant("BRD-03", "details", "gives details of a second brand", addingDetails("createBrand", "ResellerRequired")),
  wireMutant(
    "BRD-03",
    "conflict",
    "calls a second brand a conflict",
    inPlaceOf("createBrand", "ResellerRequired", refuse.Conflict("There is one.")),
  ),
  mutantOf("BRD-04", "charged", "charges a second brand that it refuses", [
    beforeRefusal(async ({ ledger }) =>
      ledger.append({ kind: "charge", amount: 5_000_000, reference: `attempt ${randomUUID()}`, at: 0 }),
    ),
  ]),
  mutantOf("BRD-04", "kept", "keeps a second brand that it refuses", [
    beforeRefusal(async ({ brands, organization }) =>
      brands.insert(
        {
          id: randomUUID(),
          organizationId: organization?.id ?? "",
          name: "x",
          identityStatus: "UNVERIFIED",
          createdAt: 0,
        },
        0,
      ),
    ),
  ]),
  mutantOf("BRD-05", "one", "knows no reseller mode", [working(() => (tx) => isReseller(tx, false))]),
  mutantOf("BRD-05", "free", "charges a reseller for the first brand only", [
    working(() => (tx) => ({
      ledger: withMembers(tx.ledger, {
        append: async (entry) =>
          entry.reference.startsWith("brand") && (await tx.brands.count()) > 0
            ? tx.ledger.wallet()
            : tx.ledger.append(entry),
      }),
    })),
  ]),
  wireMutant(
    "BRD-06",
    "at-once",
    "has a brand verified at once",
    onData("createBrand", (data) => ({ ...data, identity_status: constants.verifiedBrand })),
  ),
  wireMutant(
    "BRD-06",
    "vetted",
    "has a brand vetted at once",
    onData("createBrand", (data) => ({ ...data, identity_status: constants.vettedBrand })),
  ),
  wireMutant(
    "BRD-10",
    "forgets",
    "finds no brand",
    onAnswer("getBrand", (answer) =>
      answer.status < 300 ? refusedWith(answer, refuse.NotFound("There is no such brand.")) : answer,
    ),
  ),
  wireMutant(
    "BRD-10",
    "malformed",
    "finds no brand under a malformed id",
    inPlaceOf("getBrand", "ValidationFailed400", refuse.NotFound("There is no such brand.")),
  ),
  mutantOf("BRD-20", "race", "counts brands before it begins, and not again", [decidingEarly(() => ({}))]),
  mutantOf("BRD-20", "lent", "looks into the wallet before it begins, and not again", [
    decidingEarly(() => ({})),
    seemingRich,
  ]),
  mutantOf("BRD-21", "everybodys", "counts the brands of all organizations together", [
    working(() => {
      const counts = new Map<string | undefined, number>();
      return (tx) => ({
        brands: withMembers(tx.brands, {
          async count() {
            counts.set(tx.organization?.id, await tx.brands.count());
            return [...counts.values()].reduce((sum, count) => sum + count, 0);
          },
          async insert(brand, verifiedAt) {
            await tx.brands.insert(brand, verifiedAt);
            counts.set(tx.organization?.id, await tx.brands.count());
          },
        }),
      });
    }),
  ]),
  wireMutant("BRD-22", "latest", "shows the latest brand whichever is asked for", (serve) => {
    let latest: unknown = null;
    return async (request) => {
      const answer = await serve(request);
      const data = dataOf(answer);
      if (request.operation === "createBrand" && data !== null) latest = data;
      return request.operation === "getBrand" && data !== null ? withData(answer, latest) : answer;
    };
  }),
  mutantOf("TEN-10", "shown", "shows brands of all organizations", [
    {
      ports(ports) {
        const { store } = ports;
        const all = new Map<string, Brand>();
        const noting: PortChange = keepingBrands((brands) => ({
          async insert(brand, verifiedAt) {
            await brands.insert(brand, verifiedAt);
            all.set(brand.id, brand);
          },
        }));
        const brand: typeof store.brand = async (organizationId, id) =>
          (await store.brand(organizationId, id)) ?? all.get(id) ?? null;
        return storing(() => ({ brand })).ports(noting.ports(ports));
      },
    },
  ]),
  mutantOf("BRD-01", "nightly", "charges each brand again a day later", [
    bookingAgainByClock(
      ({ kind, reference, amount }) => (kind === "charge" && reference.startsWith("brand") ? { kind, amount } : null),
      86_400_000,
    ),
  ]),
];
