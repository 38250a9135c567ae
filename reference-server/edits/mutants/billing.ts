import { randomUUID } from "node:crypto";
import { referenceChoices } from "../../../generated/choices.ts";
import { type ErrorRowName, errorRows, refuse } from "../../../generated/error-rows.ts";
import type { OperationId } from "../../../generated/operations.ts";
import { microsInCent } from "../../domain/wallet/wallet.ts";
import type { Ledger } from "../../store/unit-of-work.ts";
import type { Mutant, PortChange, WireChange } from "../edit.ts";
import { bookingAgainByClock } from "../later-entries.ts";
import { repeatingLater } from "../later-requests.ts";
import { storing } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import {
  addingDetails,
  dataOf,
  inPlaceOf,
  isRefusal,
  onAnswer,
  onData,
  onRequest,
  refusedWith,
  withBody,
} from "../wire.ts";
import { bodyOf, withRequestBody } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

type Entry = Parameters<Ledger["append"]>[0];

const isTopUp = ({ kind, reference }: Entry): boolean => kind === "credit" && reference.startsWith("top-up");

/** Books other entries in place of those that top a wallet up. */
const toppingUp = (change: () => (entry: Entry, ledger: Ledger) => ReturnType<Ledger["append"]>): PortChange =>
  working(() => {
    const changed = change();
    return (tx) => ({
      ledger: withMembers(tx.ledger, {
        append: (entry) => (isTopUp(entry) ? changed(entry, tx.ledger) : tx.ledger.append(entry)),
      }),
    });
  });

/** Where a refusal of a billing operation should have no details. */
const bare = [
  ["topUpWallet", "BelowMinimumCredit"],
  ["setAutoTopUp", "BelowMinimumCredit"],
  ["setAutoTopUp", "NoPlan"],
  ["topUpWallet", "NoPlanForTopUp"],
  ["setAutoTopUp", "Conflict"],
  ["openBillingPortal", "NoBillingCustomer"],
  ["openBillingPortal", "BillingPortalUnavailable"],
] as const satisfies readonly (readonly [OperationId, ErrorRowName])[];

const isEnabling = (body: unknown): boolean => Object(body).enabled === true;

const products = "domain/wallet/top-up.ts";
const handlers = "routes/billing.ts";
const lookupPrice = Number(referenceChoices.lookupPriceMicros);

/** Charges the rest of a wallet that does not cover a lookup. */
const chargingRest: PortChange = storing((store) => ({
  async wallet(organizationId) {
    const wallet = await store.wallet(organizationId);
    if (wallet.balance > 0 && wallet.balance < lookupPrice)
      await store.atomically(organizationId, (tx) =>
        tx.ledger.append({ kind: "charge", amount: wallet.balance, reference: `rest ${randomUUID()}`, at: 0 }),
      );
    return wallet;
  },
}));

/** Refuses a lookup that the wallet does not cover with another status. */
const uncoveredWith400: WireChange = {
  wire: onAnswer("createLookup", (answer) =>
    isRefusal(answer, "InsufficientCredit") ? { ...answer, status: 400 } : answer,
  ),
};

/** Servers that take money in, or refuse to, in a wrong way. */
export const billingMutants: readonly Mutant[] = [
  mutant(
    "BIL-01",
    "off-by-one",
    "takes top-ups that are a cent below the least amount",
    products,
    "product.amount < minTopUpCents",
    "product.amount < minTopUpCents - 1",
  ),
  mutant(
    "BIL-01",
    "any",
    "takes top-ups of any amount",
    handlers,
    "const product = productFor(body.product_id, organization);",
    "const product = productFor(body.product_id, { ...organization, minTopUpCents: null });",
  ),
  wireMutant(
    "BIL-01",
    "invalid",
    "calls a top-up that is too little invalid",
    inPlaceOf(
      "topUpWallet",
      "BelowMinimumCredit",
      refuse.ValidationFailed("Too little.", { product_id: "is too little" }),
    ),
  ),
  mutant(
    "BIL-02",
    "any",
    "enables auto top-up by any amount",
    handlers,
    "const product = wanted && productFor(wanted.productId, organization);",
    "const product = wanted && productFor(wanted.productId, { ...organization, minTopUpCents: null });",
  ),
  wireMutant(
    "BIL-02",
    "credit",
    "says that the wallet does not cover what is too little",
    inPlaceOf("setAutoTopUp", "BelowMinimumCredit", refuse.InsufficientCredit("Too little.")),
  ),
  mutant(
    "BIL-03",
    "least",
    "has a least amount under pay-as-you-go",
    products,
    "minTopUpCents !== null && product.amount < minTopUpCents",
    "product.amount < (minTopUpCents ?? 1_000)",
  ),
  wireMutant(
    "BIL-04",
    "missing",
    "answers auto top-up without a plan as it does top-ups",
    inPlaceOf("setAutoTopUp", "NoPlan", refuse.NoPlanForTopUp("There is no plan.")),
  ),
  mutant(
    "BIL-04",
    "anybody",
    "enables auto top-up without a plan",
    handlers,
    "const refusal = refuseAutoWithoutPlan(organization);",
    'const refusal = refuseAutoWithoutPlan({ ...organization, plan: "growth" });',
  ),
  wireMutant(
    "BIL-05",
    "payment",
    "answers a top-up without a plan as it does auto top-up",
    inPlaceOf("topUpWallet", "NoPlanForTopUp", refuse.NoPlan("There is no plan.")),
  ),
  wireMutant(
    "BIL-05",
    "not-found",
    "says of a missing plan that something is not found",
    inPlaceOf("topUpWallet", "NoPlanForTopUp", refuse.NotFound("There is no plan.")),
  ),
  mutant(
    "BIL-05",
    "anybody",
    "takes top-ups without a plan",
    handlers,
    "const refusal = refuseWithoutPlan(organization);",
    'const refusal = refuseWithoutPlan({ ...organization, plan: "growth" });',
  ),
  wireMutant(
    "BIL-06",
    "conflict",
    "says of auto top-up that it is enabled when it has just been",
    onAnswer("setAutoTopUp", (answer) =>
      isEnabling(dataOf(answer)) ? refusedWith(answer, refuse.Conflict("It is enabled.")) : answer,
    ),
  ),
  mutant(
    "BIL-07",
    "twice",
    "enables auto top-up as often as it is asked to",
    handlers,
    'isAgain && (isEnabled || choices.disabledAgain === "conflict")',
    "isAgain && !isEnabled",
  ),
  mutant(
    "BIL-07",
    "toggles",
    "disables auto top-up when it is enabled again",
    handlers,
    "const isAgain = isEnabled === (wanted !== null);",
    "const isAgain = isEnabled === (wanted !== null); if (isAgain) await tx.setAutoTopUp(null);",
  ),
  wireMutant(
    "BIL-07",
    "invalid",
    "calls it invalid to enable auto top-up again",
    inPlaceOf("setAutoTopUp", "Conflict", refuse.ValidationFailed("It is enabled.", { enabled: "is so already" })),
  ),
  mutantOf("BIL-08", "anybody", "opens the portal to who has never paid", [
    storing((store) => ({
      async wallet(organizationId) {
        const wallet = await store.wallet(organizationId);
        return { ...wallet, entries: wallet.entries + 1 };
      },
    })),
  ]),
  wireMutant(
    "BIL-08",
    "payment",
    "asks who has never paid to pay",
    inPlaceOf("openBillingPortal", "NoBillingCustomer", refuse.InsufficientCredit("Pay first.")),
  ),
  wireMutant(
    "BIL-09",
    "internal",
    "calls it its own failure that the portal does not open",
    inPlaceOf("openBillingPortal", "BillingPortalUnavailable", refuse.InternalError("Failed.")),
  ),
  wireMutant(
    "BIL-09",
    "pretends",
    "says that the portal has opened where it has not",
    onAnswer("openBillingPortal", (answer) =>
      isRefusal(answer, "BillingPortalUnavailable")
        ? withBody({ ...answer, status: 200 }, { success: true, data: { url: "https://billing.invalid/" } })
        : answer,
    ),
  ),
  ...bare.map(([to, row]) =>
    wireMutant("BIL-10", `${to}-${row}`, `gives details of ${errorRows[row].code} from ${to}`, addingDetails(to, row)),
  ),
  mutantOf("BIL-11", "lost", "takes top-ups and credits nothing", [
    toppingUp(() => (_entry, ledger) => ledger.wallet()),
  ]),
  mutant(
    "BIL-12",
    "forgets",
    "forgets the consent of who cannot be paid for",
    "routes/messages.ts",
    "if (send instanceof Refusal) return send;",
    'if (send instanceof Refusal) { if (send.row === "InsufficientCredit") await tx.consents.remove(wanted.to); return send; }',
  ),
  // The status is wrong as well. It must not hide the fault in the wallet.
  mutantOf(
    "BIL-12",
    "status",
    "charges the rest of a wallet for an uncovered lookup, and refuses the lookup with status 400",
    [uncoveredWith400, chargingRest],
  ),
  mutantOf("BIL-11", "status", "takes top-ups and credits nothing, and refuses uncovered lookups with status 400", [
    toppingUp(() => (_entry, ledger) => ledger.wallet()),
    uncoveredWith400,
  ]),
  mutantOf("BIL-12", "rest", "charges the rest of a wallet for an uncovered lookup", [chargingRest]),
  mutant(
    "BIL-20",
    "exact",
    "takes no top-up that is exactly the least amount",
    products,
    "product.amount < minTopUpCents",
    "product.amount <= minTopUpCents",
  ),
  mutant(
    "BIL-21",
    "credited",
    "credits a top-up that it refuses",
    handlers,
    "const product = productFor(body.product_id, organization);\nif (product instanceof Refusal) return product;",
    'const product = productFor(body.product_id, organization); if (product instanceof Refusal) { const entry = { kind: "credit", amount: 10_000, reference: world.newId(), at: 0 } as const; await store.atomically(organization.id, (tx) => tx.ledger.append(entry)); return product; }',
  ),
  mutant(
    "BIL-22",
    "enabled",
    "enables the auto top-up that it refuses",
    handlers,
    "const product = wanted && productFor(wanted.productId, organization);\nif (product instanceof Refusal) return product;",
    "const product = wanted && productFor(wanted.productId, organization); if (product instanceof Refusal) { await store.atomically(organization.id, (tx) => tx.setAutoTopUp(wanted)); return product; }",
  ),
  mutantOf("BIL-23", "fee", "keeps a fee of each top-up", [
    toppingUp(() => (entry, ledger) => ledger.append({ ...entry, amount: entry.amount - microsInCent })),
  ]),
  mutantOf("BIL-23", "twice", "credits a top-up twice", [
    toppingUp(() => async (entry, ledger) => {
      await ledger.append(entry);
      return ledger.append({ ...entry, reference: `${entry.reference} again` });
    }),
  ]),
  mutantOf("BIL-23", "equal", "takes a second top-up of an amount for the first one", [
    toppingUp(() => {
      const known = new Set<string>();
      return async (entry, ledger) => {
        const { spend, balance } = await ledger.wallet();
        const place = `${balance + spend} ${entry.amount}`;
        if (known.has(place)) return ledger.wallet();
        known.add(`${balance + spend + entry.amount} ${entry.amount}`);
        return ledger.append(entry);
      };
    }),
  ]),
  mutantOf("BIL-24", "second", "opens the portal after a second payment only", [
    storing((store) => ({
      async wallet(organizationId) {
        const wallet = await store.wallet(organizationId);
        return { ...wallet, entries: Math.max(0, wallet.entries - 1) };
      },
    })),
  ]),
  mutant(
    "BIL-25",
    "never",
    "never tops up after a charge",
    "routes/charge.ts",
    "const product = dueTopUp(autoTopUp, wallet);",
    "const product = dueTopUp(null, wallet);",
  ),
  mutant(
    "BIL-25",
    "always",
    "tops up after every charge",
    products,
    "if (autoTopUp === null || balance >= autoTopUp.threshold * microsInCent) return null;",
    "if (autoTopUp === null) return null;",
  ),
  mutant(
    "BIL-25",
    "exact",
    "tops up a wallet that holds exactly the threshold",
    products,
    "balance >= autoTopUp.threshold * microsInCent",
    "balance > autoTopUp.threshold * microsInCent",
  ),
  mutant(
    "BIL-26",
    "later",
    "pays of itself after a charge only, which an empty wallet does not cover",
    handlers,
    "const due = dueTopUp(wanted, await tx.ledger.wallet());",
    "const due = dueTopUp(null, await tx.ledger.wallet());",
  ),
  mutantOf("BIL-27", "stays", "says that auto top-up is disabled, and it is not", [
    working(() => (tx) => ({
      setAutoTopUp: async (autoTopUp) => (autoTopUp === null ? undefined : tx.setAutoTopUp(autoTopUp)),
    })),
  ]),
  wireMutant("BIL-27", "refuses", "does not disable auto top-up", (serve) => async (request) => {
    const answer = await serve(request);
    const isDisabling = request.operation === "setAutoTopUp" && !isEnabling(bodyOf(request)) && answer.status < 300;
    return isDisabling ? refusedWith(answer, refuse.Conflict("It stays enabled.")) : answer;
  }),
  wireMutant(
    "BIL-28",
    "any",
    "takes whatever is named for its smallest product",
    onRequest("topUpWallet", (request) =>
      String(Object(bodyOf(request)).product_id).startsWith("usd_")
        ? request
        : withRequestBody(request, { product_id: "usd_5" }),
    ),
  ),
  mutantOf("BIL-29", "everybody", "credits a top-up to whoever had one before as well", [
    {
      ports(ports) {
        const { store } = ports;
        const known = new Set<string>();
        const bonus = { kind: "credit", amount: microsInCent, at: 0 } as const;
        return {
          ...ports,
          store: withMembers(store, {
            async wallet(organizationId) {
              known.add(organizationId);
              return store.wallet(organizationId);
            },
            async insertOrganization(organization) {
              await store.insertOrganization(organization);
              known.add(organization.id);
            },
            async atomically(organizationId, work) {
              let isToppedUp = false;
              const result = await store.atomically(organizationId, (tx) =>
                work(
                  withMembers(tx, {
                    ledger: withMembers(tx.ledger, {
                      async append(entry) {
                        isToppedUp ||= isTopUp(entry);
                        return tx.ledger.append(entry);
                      },
                    }),
                  }),
                ),
              );
              for (const other of isToppedUp ? known : [])
                if (other !== organizationId && (await store.organization(other)) !== null)
                  await store.atomically(other, (tx) => tx.ledger.append({ ...bonus, reference: randomUUID() }));
              return result;
            },
          }),
        };
      },
    },
  ]),
  wireMutant(
    "BIL-30",
    "small",
    "says of who tops up by little that there is no plan",
    onAnswer("topUpWallet", (answer) =>
      dataOf(answer)?.product_id === "usd_5" ? refusedWith(answer, refuse.NoPlanForTopUp("There is no plan.")) : answer,
    ),
  ),
  wireMutant(
    "BIL-30",
    "auto",
    "says of who enables auto top-up that there is no plan",
    onAnswer("setAutoTopUp", (answer) =>
      isEnabling(dataOf(answer)) ? refusedWith(answer, refuse.NoPlan("There is no plan.")) : answer,
    ),
  ),
  wireMutant(
    "BIL-33",
    "path",
    "shows where the portal is without its host",
    onData("openBillingPortal", () => ({ url: "/portal" })),
  ),
  ...(
    [
      ["createBrand", "a brand"],
      ["createLookup", "a lookup"],
      ["orderPhoneNumbers", "an order"],
      ["bulkOrderPhoneNumbers", "a bulk order"],
    ] as const
  ).map(([id, what]) =>
    wireMutant(
      "BIL-12",
      `${id}-nightly`,
      `performs ${what} in the night after it refused it for lack of credit`,
      repeatingLater((answer, { operation }) => operation === id && isRefusal(answer, "InsufficientCredit"), 20 * 3600),
    ),
  ),
  mutantOf("BIL-23", "nightly", "books each top-up again in the night after it", [
    bookingAgainByClock((entry) => (isTopUp(entry) ? entry : null), 20 * 3_600_000),
  ]),
  mutantOf("BIL-25", "daily", "tops a wallet up again a day after it topped itself up", [
    bookingAgainByClock((entry) => (isTopUp(entry) ? entry : null), 86_400_000),
  ]),
];
