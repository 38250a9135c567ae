import { randomUUID } from "node:crypto";
import { referenceChoices } from "../../../generated/choices.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { storing } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { keepingMoney, keepingNumbers, working } from "../unit-changes.ts";
import {
  addingDetails,
  inPlaceOf,
  isRefusal,
  onAnswer,
  onData,
  parsed,
  refusedWith,
  type Serve,
  type Wire,
  type WireAnswer,
  type WireRequest,
  withBody,
  withData,
} from "../wire.ts";
import { withRequestBody } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const routes = "routes/phone-numbers.ts";
const rent = Number(referenceChoices.numberRentMicros);

const memberOf = (bytes: Buffer, name: string): unknown => Object(parsed(bytes))[name];

/** The numbers that a request or an answer's data names. */
const numbersIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
const orderedIn = ({ bytes }: WireRequest): readonly string[] => numbersIn(memberOf(bytes, "phone_numbers"));

/** Numbers that can be ordered by whoever makes this request. */
async function freeNumbers(serve: Serve, request: WireRequest, count: number): Promise<readonly string[]> {
  const { path } = operations.searchPhoneNumbers;
  const { bytes } = await serve(withRequestBody({ ...request, path, operation: "searchPhoneNumbers" }, {}));
  return numbersIn(Object(memberOf(bytes, "data")).phone_numbers).slice(0, count);
}

/** Gives what is ordered to whoever orders it, as if nobody held it. */
async function givingAnyway(serve: Serve, request: WireRequest): Promise<WireAnswer> {
  const wanted = orderedIn(request);
  const found = await freeNumbers(serve, request, wanted.length);
  const answer = await serve(withRequestBody(request, { phone_numbers: found }));
  let text = answer.bytes.toString();
  for (const [index, number] of found.entries()) text = text.replaceAll(number, wanted[index] ?? number);
  return { ...answer, bytes: Buffer.from(text) };
}

/** Does something else with orders that cannot be met because another one was under way. */
const onLostRace =
  (change: (serve: Serve, request: WireRequest, answer: WireAnswer) => Promise<WireAnswer>): Wire =>
  (serve) => {
    const underWay = new Map<string, number>();
    return async (request) => {
      if (request.operation !== "orderPhoneNumbers") return serve(request);
      const place = orderedIn(request).join();
      const others = underWay.get(place) ?? 0;
      underWay.set(place, others + 1);
      const answer = await serve(request);
      underWay.set(place, (underWay.get(place) ?? 1) - 1);
      const isLost = others > 0 && isRefusal(answer, "InsufficientInventoryOnOrder");
      return isLost ? change(serve, request, answer) : answer;
    };
  };

/** Charges nothing for numbers that somebody has let go. */
const lettingHaveAgain = working(() => {
  const released = new Set<string>();
  return ({ phoneNumbers, ledger }) => {
    let areReleased = false;
    return {
      phoneNumbers: withMembers(phoneNumbers, {
        async remove(id) {
          const number = await phoneNumbers.find(id);
          if (number !== null) released.add(number.phoneNumber);
          return phoneNumbers.remove(id);
        },
        insert(numbers) {
          areReleased = numbers.every(({ phoneNumber }) => released.has(phoneNumber));
          return phoneNumbers.insert(numbers);
        },
      }),
      ledger: withMembers(ledger, {
        append: (entry) => (areReleased ? ledger.wallet() : ledger.append(entry)),
      }),
    };
  };
});

/** Changes entries for orders; null for none. They are counted from 1. */
const charging = (amountOf: (amount: number, count: number) => number): PortChange =>
  keepingMoney(() => {
    let count = 0;
    return (ledger) => ({
      append(entry) {
        if (!entry.reference.startsWith("phone-number order")) return ledger.append(entry);
        count += 1;
        const amount = amountOf(entry.amount, count);
        return amount === 0 ? ledger.wallet() : ledger.append({ ...entry, amount });
      },
    });
  });

/** Lends what the wallet lacks for an order. */
const lending = keepingMoney(() => (ledger) => ({
  async wallet() {
    const wallet = await ledger.wallet();
    return { ...wallet, balance: wallet.balance + 1_000 * rent };
  },
  async append(entry) {
    const { balance } = await ledger.wallet();
    if (entry.kind !== "charge" || balance >= entry.amount) return ledger.append(entry);
    return balance === 0 ? ledger.wallet() : ledger.append({ ...entry, amount: balance });
  },
}));

/** Changes what a refused order tells of its numbers. */
const shortageOf = (
  change: (data: Record<string, unknown>, wanted: readonly string[], caller: string) => unknown,
): Wire =>
  onAnswer("orderPhoneNumbers", (answer, request) =>
    isRefusal(answer, "InsufficientInventoryOnOrder")
      ? withData(
          answer,
          change(Object(memberOf(answer.bytes, "data")), orderedIn(request), String(request.headers.authorization)),
        )
      : answer,
  );

/** Servers that sell phone numbers in a wrong way. */
export const phoneNumberOrderMutants: readonly Mutant[] = [
  wireMutant("NUM-01", "reserved", "keeps what it showed for whoever searched first", (serve) => {
    const reserved = new Map<string, string>();
    return async (request) => {
      const who = String(request.headers.authorization);
      const isTaken = (number: string): boolean => (reserved.get(number) ?? who) !== who;
      const answer = await serve(request);
      if (request.operation === "searchPhoneNumbers")
        for (const number of numbersIn(Object(memberOf(answer.bytes, "data")).phone_numbers))
          if (!reserved.has(number)) reserved.set(number, who);
      if (request.operation !== "orderPhoneNumbers" || !orderedIn(request).some(isTaken)) return answer;
      const data = { available_count: 0, unavailable: orderedIn(request).filter(isTaken) };
      return refusedWith(answer, refuse.InsufficientInventoryOnOrder("Reserved.", { data }));
    };
  }),
  mutantOf("NUM-30", "charged", "charges for a search", [
    storing((store) => ({
      async numberStock(organizationId) {
        const entry = { kind: "charge", amount: 1, reference: `search ${randomUUID()}`, at: 0 } as const;
        await store.atomically(organizationId, (tx) => tx.ledger.append(entry));
        return store.numberStock(organizationId);
      },
    })),
  ]),
  wireMutant(
    "NUM-31",
    "national",
    "shows numbers without their calling code",
    onData("searchPhoneNumbers", ({ phone_numbers: numbers }) => ({
      phone_numbers: numbersIn(numbers).map((number) => number.slice(2)),
    })),
  ),
  mutantOf("NUM-02", "free", "charges nothing for an order", [charging(() => 0)]),
  mutantOf("NUM-02", "every-other", "charges every other order", [
    charging((amount, count) => (count % 2 === 0 ? 0 : amount)),
  ]),
  mutant(
    "NUM-02",
    "campaign",
    "charges nothing for an order with a campaign",
    routes,
    "await charge(tx, rentEntry(order, numbers.length));",
    "if (campaign === null) await charge(tx, rentEntry(order, numbers.length));",
  ),
  mutantOf("NUM-02", "again", "charges nothing for numbers that were held before", [lettingHaveAgain]),
  mutantOf("NUM-33", "again", "charges nothing for a bulk order of numbers that were held before", [lettingHaveAgain]),
  mutantOf("NUM-32", "once", "charges one rent however many numbers there are", [charging(() => rent)]),
  mutantOf("NUM-32", "one-less", "charges one rent less where there are several", [
    charging((amount) => (amount > rent ? amount - rent : amount)),
  ]),
  mutant(
    "NUM-33",
    "free",
    "charges nothing for a bulk order",
    routes,
    "await charge(tx, rentEntry(order, quantity));",
    "",
  ),
  mutantOf("NUM-03", "lends", "lends what the wallet lacks for an order", [lending]),
  mutantOf("NUM-03", "too-early", "assigns the numbers of an order before it looks into the wallet", [
    {
      file: routes,
      find: "const numbers = numbersOf(order, wanted, ids, campaign); await phoneNumbers.insert(numbers);",
      replace: "",
    },
    {
      file: routes,
      find: "const uncovered = refuseUncoveredRent(await ledger.wallet(), order.rent, wanted.length);",
      replace: `const numbers = numbersOf(order, wanted, ids, campaign);
        await phoneNumbers.insert(numbers);
        const uncovered = refuseUncoveredRent(await ledger.wallet(), order.rent, wanted.length);`,
    },
  ]),
  wireMutant(
    "NUM-03",
    "details",
    "gives details of a wallet that does not cover an order",
    addingDetails("orderPhoneNumbers", "InsufficientCredit"),
  ),
  mutantOf("NUM-04", "lends", "lends what the wallet lacks for a bulk order", [lending]),
  mutant(
    "NUM-04",
    "exact",
    "meets no bulk order that would leave nothing in the wallet",
    routes,
    "const uncovered = refuseUncoveredRent(await ledger.wallet(), order.rent, quantity);",
    `const has = await ledger.wallet();
        const uncovered = refuseUncoveredRent({ ...has, balance: has.balance - 1 }, order.rent, quantity);`,
  ),
  wireMutant(
    "NUM-04",
    "forbidden",
    "forbids a bulk order that is not covered",
    inPlaceOf("bulkOrderPhoneNumbers", "InsufficientCredit", refuse.Forbidden("Pay first.")),
  ),
  wireMutant(
    "NUM-05",
    "missing",
    "does not find the numbers of an order that another one holds",
    inPlaceOf("orderPhoneNumbers", "InsufficientInventoryOnOrder", refuse.NotFound("There is no such number.")),
  ),
  wireMutant(
    "NUM-05",
    "details",
    "gives details of an order that cannot be met",
    addingDetails("orderPhoneNumbers", "InsufficientInventoryOnOrder"),
  ),
  mutant(
    "NUM-06",
    "partial",
    "assigns what there is of an order that it refuses",
    routes,
    "if (unavailable.length > 0) return shortOrder(wanted.length - unavailable.length, unavailable);",
    `if (unavailable.length > 0) {
          const free = wanted.filter((number) => !unavailable.includes(number));
          await phoneNumbers.insert(numbersOf(order, free, ids, campaign));
          return shortOrder(free.length, unavailable);
        }`,
  ),
  mutant(
    "NUM-06",
    "charged",
    "charges for an order that it refuses",
    routes,
    "if (unavailable.length > 0) return shortOrder(wanted.length - unavailable.length, unavailable);",
    `if (unavailable.length > 0) {
          await ledger.append(rentEntry(order, wanted.length));
          return shortOrder(wanted.length - unavailable.length, unavailable);
        }`,
  ),
  mutant(
    "NUM-06",
    "partial-bulk",
    "assigns what there is of a bulk order that it refuses",
    routes,
    "if (found.length < quantity) return shortBulkOrder();",
    `if (found.length < quantity) {
          await phoneNumbers.insert(numbersOf(order, found, ids));
          return shortBulkOrder();
        }`,
  ),
  wireMutant(
    "NUM-07",
    "silent",
    "does not say how many numbers of an order can be had",
    shortageOf(({ available_count: _, ...data }) => data),
  ),
  wireMutant(
    "NUM-07",
    "text",
    "writes how many numbers of an order can be had as a text",
    shortageOf((data) => ({ ...data, available_count: String(data.available_count) })),
  ),
  wireMutant(
    "NUM-07",
    "national",
    "lists numbers without their plus sign",
    shortageOf((data) => ({ ...data, unavailable: numbersIn(data.unavailable).map((one) => one.slice(1)) })),
  ),
  wireMutant(
    "NUM-08",
    "all",
    "lists all numbers of an order as unavailable",
    shortageOf((data, wanted) => ({ ...data, unavailable: wanted })),
  ),
  wireMutant(
    "NUM-08",
    "first",
    "lists the first number alone that cannot be had",
    shortageOf((data) => ({ ...data, unavailable: numbersIn(data.unavailable).slice(0, 1) })),
  ),
  wireMutant("NUM-08", "own", "leaves out of unavailable what the caller holds itself", (serve) => {
    const held = new Map<string, string>();
    const withoutOwn = shortageOf((data, _wanted, caller) => ({
      ...data,
      unavailable: numbersIn(data.unavailable).filter((number) => held.get(number) !== caller),
    }))(serve);
    return async (request) => {
      const answer = await withoutOwn(request);
      if (request.operation === "orderPhoneNumbers" && answer.status < 300)
        for (const number of orderedIn(request)) held.set(number, String(request.headers.authorization));
      return answer;
    };
  }),
  wireMutant(
    "NUM-08",
    "none",
    "lists none of the numbers that cannot be had",
    shortageOf((data) => ({ ...data, unavailable: [] })),
  ),
  wireMutant(
    "NUM-09",
    "data",
    "tells of a bulk order how many numbers there are",
    onAnswer("bulkOrderPhoneNumbers", (answer) =>
      isRefusal(answer, "InsufficientInventory") ? withData(answer, { available_count: 1, unavailable: [] }) : answer,
    ),
  ),
  mutant(
    "NUM-34",
    "last",
    "leaves one number of what it offers in bulk",
    "routes/phone-numbers.ts",
    "if (found.length < quantity) return shortBulkOrder();",
    "if ((await availableNumbers(stock.numbers(areaCode), phoneNumbers.held, quantity + 1)).length <= quantity) return shortBulkOrder();",
  ),
  wireMutant(
    "NUM-34",
    "invalid",
    "calls a bulk order of more than there is invalid",
    inPlaceOf(
      "bulkOrderPhoneNumbers",
      "InsufficientInventory",
      refuse.ValidationFailed("Too many.", { quantity: "is too much" }),
    ),
  ),
  wireMutant("NUM-35", "shared", "gives a number to everybody who orders it", (serve) => async (request) => {
    const answer = await serve(request);
    const isShort = request.operation === "orderPhoneNumbers" && isRefusal(answer, "InsufficientInventoryOnOrder");
    return isShort ? givingAnyway(serve, request) : answer;
  }),
  wireMutant("NUM-36", "both", "gives a number to all who order it at once", onLostRace(givingAnyway)),
  wireMutant(
    "NUM-36",
    "charged",
    "charges who was too late",
    onLostRace(async (serve, request, answer) => {
      await givingAnyway(serve, request);
      return answer;
    }),
  ),
  mutantOf("NUM-37", "pending", "shows the numbers of an order as pending", [
    keepingNumbers((numbers) => ({
      insert: (list) => numbers.insert(list.map((number) => ({ ...number, status: "pending" }))),
    })),
  ]),
  wireMutant(
    "NUM-37",
    "other",
    "shows another number under the id that an order gave",
    onData("getPhoneNumber", (data) => ({ ...data, phone_number: "+12025550100" })),
  ),
  wireMutant(
    "NUM-43",
    "taken",
    "takes an order of nothing",
    onAnswer("orderPhoneNumbers", (answer) =>
      isRefusal(answer, "ValidationFailed")
        ? { ...withBody(answer, { success: true, data: { phone_numbers: [] } }), status: 201 }
        : answer,
    ),
  ),
];
