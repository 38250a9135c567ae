import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type BucketName, buckets } from "../../../generated/limits.ts";
import type { OperationId } from "../../../generated/operations.ts";
import type { RuleId } from "../../../generated/rules.ts";
import { dueTopUp, topUpEntry } from "../../domain/wallet/top-up.ts";
import type { LedgerEntry } from "../../domain/wallet/wallet.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { countingOneAtATime, drawsFrom, remembering, storing } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { dataOf, isRefusal, type Wire, type WireAnswer, withData } from "../wire.ts";
import { withRequestBody } from "../wire-requests.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

/** Counts one call of several at once on a limit. */
const countingOne = (bucket: BucketName) => [countingOneAtATime((draw) => drawsFrom(draw, bucket))];

/** Answers all calls of an operation that a caller makes at once as the first of them. */
const answeringAlike =
  (operation: OperationId): Wire =>
  (serve) => {
    const underWay = new Map<string, Promise<WireAnswer>>();
    return async (request) => {
      if (request.operation !== operation) return serve(request);
      const caller = String(request.headers.authorization);
      const first = underWay.get(caller);
      if (first !== undefined) return first;
      const answer = serve(request);
      underWay.set(caller, answer);
      return answer.finally(() => underWay.delete(caller));
    };
  };

/** Refuses to enable auto top-up again, and has it enabled as it was asked to all the same. */
const takingRefused: Wire = (serve) => {
  const enabled = new Map<string, string>();
  return async (request) => {
    const answer = await serve(request);
    if (request.operation !== "setAutoTopUp") return answer;
    const caller = String(request.headers.authorization);
    const wish = request.bytes.toString();
    if (answer.status < 300) enabled.set(caller, wish);
    if (!isRefusal(answer, "Conflict") || enabled.get(caller) === wish) return answer;
    await serve(withRequestBody(request, { enabled: false }));
    await serve(request);
    return answer;
  };
};

/** Admits single consents that arrive while a batch is counted. */
const countingBatchesAlone: PortChange = storing((store) => {
  const busy = new Set<string>();
  return {
    async draw(organizationId, draw) {
      if (!drawsFrom(draw, "consentRecords")) return store.draw(organizationId, draw);
      if (draw.draws.every(({ units }) => units === 1))
        return busy.has(organizationId) ? { admitted: true } : store.draw(organizationId, draw);
      busy.add(organizationId);
      await pause(20);
      const drawn = await store.draw(organizationId, draw);
      busy.delete(organizationId);
      return drawn;
    },
  };
});

/** Loses entries of the ledger while other units of work of the organization wait. */
const losingEntries = (isLost: (entry: LedgerEntry) => boolean): PortChange =>
  storing((store) => {
    const units = new Map<string, number>();
    return {
      async atomically(organizationId, work) {
        units.set(organizationId, (units.get(organizationId) ?? 0) + 1);
        await pause(10);
        try {
          return await store.atomically(organizationId, (tx) =>
            work(
              withMembers(tx, {
                ledger: withMembers(tx.ledger, {
                  append: (entry) =>
                    isLost(entry) && (units.get(organizationId) ?? 0) > 1
                      ? tx.ledger.wallet()
                      : tx.ledger.append(entry),
                }),
              }),
            ),
          );
        } finally {
          units.set(organizationId, (units.get(organizationId) ?? 1) - 1);
        }
      },
    };
  });

/** Looks at the wallet some time after a charge, and tops it up some time after that. */
const toppingUpLater: PortChange = storing((store) => ({
  async atomically(organizationId, work) {
    let charge: LedgerEntry | null = null;
    const result = await store.atomically(organizationId, (tx) => {
      charge = null;
      return work(
        withMembers(tx, {
          ledger: withMembers(tx.ledger, {
            append(entry) {
              if (entry.reference.startsWith("top-up") && charge !== null) return tx.ledger.wallet();
              if (entry.kind === "charge") charge = entry;
              return tx.ledger.append(entry);
            },
          }),
        }),
      );
    });
    const made = charge as LedgerEntry | null;
    if (made === null) return result;
    await pause(20);
    const organization = await store.organization(organizationId);
    const product = dueTopUp(organization?.autoTopUp ?? null, await store.wallet(organizationId));
    await pause(20);
    if (product !== null)
      await store.atomically(organizationId, (tx) => tx.ledger.append(topUpEntry(randomUUID(), product, made.at)));
    return result;
  },
}));

const lookups = "routes/lookups.ts";

/** Pending calls of one operation, by caller. */
function callsUnderWay(operation: OperationId) {
  const calls = new Map<string, Promise<WireAnswer>>();
  return {
    of: (caller: string): Promise<WireAnswer> | undefined => calls.get(caller),
    watch:
      (serve: Parameters<Wire>[0]): Parameters<Wire>[0] =>
      async (request) => {
        if (request.operation !== operation) return serve(request);
        const caller = String(request.headers.authorization);
        const answer = serve(request);
        calls.set(caller, answer);
        return answer.finally(() => calls.delete(caller));
      },
  };
}

/** Fulfills a bulk order with the numbers of a pending order. */
const meetingTwice: Wire = (serve) => {
  const orders = callsUnderWay("orderPhoneNumbers");
  const watched = orders.watch(serve);
  return async (request) => {
    if (request.operation !== "bulkOrderPhoneNumbers") return watched(request);
    const order = orders.of(String(request.headers.authorization));
    const answer = await serve(request);
    if (order === undefined || !isRefusal(answer, "InsufficientInventory")) return answer;
    const met = await order;
    return met.status < 300 ? met : answer;
  };
};

/** Turns reseller mode off while a brand is registered. */
const turningOff: Wire = (serve) => {
  const brands = callsUnderWay("createBrand");
  const watched = brands.watch(serve);
  return async (request) => {
    if (request.operation !== "updateOrganization") return watched(request);
    const brand = brands.of(String(request.headers.authorization));
    const answer = await serve(request);
    if (brand === undefined || !isRefusal(answer, "ResellerHasBrands")) return answer;
    const unchanged = await serve(withRequestBody(request, {}));
    return withData(unchanged, { ...dataOf(unchanged), is_reseller: false });
  };
};

/** The rule on each tier of the send ladder. */
const tierRules = ["LIM-01", "LIM-03", "LIM-04", "LIM-05"] as const satisfies readonly RuleId[];

/** Servers that do wrong by calls that arrive at once. */
export const atOnceMutants: readonly Mutant[] = [
  mutantOf("LIM-15", "at-once", "counts one of several consents at once", countingOne("consentRecords")),
  mutantOf("LIM-19", "at-once", "counts one of several erasures at once", countingOne("contactErasures")),
  wireMutant("NUM-34", "at-once", "meets all bulk orders at once alike", answeringAlike("bulkOrderPhoneNumbers")),
  wireMutant(
    "BIL-07",
    "other-values",
    "takes other values of auto top-up that it refuses to enable again",
    takingRefused,
  ),
  wireMutant("BIL-07", "at-once", "enables auto top-up for all who ask at once", answeringAlike("setAutoTopUp")),
  mutantOf("LIM-06", "concurrent", "counts one of several concurrent sends", countingOne("messageSendsPerMinute")),
  ...tierRules.map((rule, index) =>
    mutantOf(rule, "at-once", `counts one of several concurrent sends on tier ${index + 1}`, [
      countingOneAtATime(
        ({ draws }) =>
          draws.some(
            ({ bucket, size }) =>
              bucket === "messageSendsPerSecond" &&
              size.capacity === buckets.messageSendsPerSecond.tiers[index]?.capacity,
          ),
        200,
      ),
    ]),
  ),
  mutantOf("LIM-16", "single-at-once", "counts no consent that arrives while a batch is counted", [
    countingBatchesAlone,
  ]),
  mutantOf("LKP-05", "at-once", "charges one of several concurrent lookups", [
    losingEntries(({ kind, reference }) => kind === "charge" && reference.startsWith("lookup")),
  ]),
  mutantOf("LKP-08", "at-once", "refunds one of several concurrent lookups that fail", [
    losingEntries(({ kind, reference }) => kind === "refund" && reference.startsWith("lookup")),
  ]),
  mutantOf("BIL-23", "beside", "loses a top-up while the wallet is charged", [
    losingEntries(({ reference }) => reference.startsWith("top-up")),
  ]),
  mutantOf("BIL-25", "at-once", "tops a wallet up for each concurrent charge below the threshold", [toppingUpLater]),
  mutantOf("BIL-35", "other-charges", "does not see other charges while a lookup is under way", [
    remembering(lookups, 'import { once } from "./once.ts";', "const paidForLookups = new Map<string, number>();"),
    {
      file: lookups,
      find: "const uncovered = refuseUncovered(await store.wallet(organizationId), price);",
      replace: `const early = await store.wallet(organizationId);
        const held = early.balance + (paidForLookups.get(organizationId) ?? 0);
        const uncovered = refuseUncovered(early, price);`,
    },
    {
      file: lookups,
      find: "const lineType = await lineTypes.of(organizationId, phoneNumber);",
      replace: `await new Promise((resolve) => setTimeout(resolve, 100));
        const lineType = await lineTypes.of(organizationId, phoneNumber);`,
    },
    {
      file: lookups,
      find: "const refusal = refuseUncovered(await tx.ledger.wallet(), price);",
      replace: `const seen = held - (paidForLookups.get(organizationId) ?? 0);
        const refusal = refuseUncovered({ ...(await tx.ledger.wallet()), balance: seen }, price);`,
    },
    {
      file: lookups,
      find: "await charge(tx, charged);",
      replace: `if (refuseUncovered(await tx.ledger.wallet(), price) === null) await charge(tx, charged);
        paidForLookups.set(organizationId, (paidForLookups.get(organizationId) ?? 0) + price);`,
    },
  ]),
  wireMutant("NUM-34", "beside-order", "fulfills a bulk order with the numbers of a concurrent order", meetingTwice),
  wireMutant("ORG-03", "at-once", "turns reseller mode off while a brand is registered", turningOff),
];
