import { randomUUID } from "node:crypto";
import { referenceChoices } from "../../../generated/choices.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import { components } from "../../../generated/schemas/phone-numbers.ts";
import type { PhoneNumber } from "../../domain/phone-numbers/phone-number.ts";
import type { Ledger, PhoneNumbers } from "../../store/unit-of-work.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { storing } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import {
  inPlaceOf,
  isRefusal,
  onAnswer,
  onData,
  onRequest,
  parsed,
  refusedWith,
  type Serve,
  type Wire,
  type WireAnswer,
  type WireRequest,
  withBody,
} from "../wire.ts";
import { withRequestBody } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const routes = "routes/phone-numbers.ts";
const domain = "domain/phone-numbers/phone-number.ts";
const rent = Number(referenceChoices.numberRentMicros);
const supported = Object.keys(Object(components.UpdatePhoneNumberRequest?.properties));

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

/** Changes what units do with numbers. */
const keepingNumbers = (change: () => (numbers: PhoneNumbers) => Partial<PhoneNumbers>): PortChange =>
  working(() => {
    const changed = change();
    return (tx) => ({ phoneNumbers: withMembers(tx.phoneNumbers, changed(tx.phoneNumbers)) });
  });

/** Changes what units do with money. */
const keepingMoney = (change: () => (ledger: Ledger) => Partial<Ledger>): PortChange =>
  working(() => {
    const changed = change();
    return (tx) => ({ ledger: withMembers(tx.ledger, changed(tx.ledger)) });
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

/** The answer with other details of its refusal, or other data beside it. */
function withError(answer: WireAnswer, more: { readonly details?: unknown; readonly data?: unknown }): WireAnswer {
  const { error, ...others } = Object(parsed(answer.bytes));
  const { details, ...beside } = more;
  return withBody(answer, { ...others, error: details === undefined ? error : { ...error, details }, ...beside });
}

const withDetails = (
  operation: "orderPhoneNumbers" | "updatePhoneNumber" | "releasePhoneNumber",
  row: "InsufficientCredit" | "InsufficientInventoryOnOrder" | "InvalidInput" | "Forbidden",
): Wire =>
  onAnswer(operation, (answer) =>
    isRefusal(answer, row) ? withError(answer, { details: { phone_number: "is why" } }) : answer,
  );

/** Changes what a refused order tells of its numbers. */
const shortageOf = (change: (data: Record<string, unknown>, wanted: readonly string[]) => unknown): Wire =>
  onAnswer("orderPhoneNumbers", (answer, request) =>
    isRefusal(answer, "InsufficientInventoryOnOrder")
      ? withError(answer, { data: change(Object(memberOf(answer.bytes, "data")), orderedIn(request)) })
      : answer,
  );

/** What of an update's body there is a field for. */
function supportedPart({ bytes }: WireRequest): Record<string, unknown> {
  return Object.fromEntries(Object.entries(Object(parsed(bytes))).filter(([name]) => supported.includes(name)));
}

const plain = (request: WireRequest): WireRequest => ({ ...request, path: request.path.replace(/\?.*$/, "") });

/** Knows all numbers that were ever assigned, whoever held them. */
const rememberingNumbers = (
  find: (all: ReadonlyMap<string, PhoneNumber>, organizationId: string, id: string) => PhoneNumber | null,
): PortChange => ({
  ports(ports) {
    const { store } = ports;
    const all = new Map<string, PhoneNumber>();
    return {
      ...ports,
      store: withMembers(store, {
        phoneNumber: async (organizationId, id) =>
          (await store.phoneNumber(organizationId, id)) ?? find(all, organizationId, id),
        atomically: (organizationId, work) =>
          store.atomically(organizationId, (tx) =>
            work(
              withMembers(tx, {
                phoneNumbers: withMembers(tx.phoneNumbers, {
                  async insert(numbers) {
                    await tx.phoneNumbers.insert(numbers);
                    for (const number of numbers) all.set(number.id, number);
                  },
                  find: async (id) => (await tx.phoneNumbers.find(id)) ?? find(all, organizationId, id),
                }),
              }),
            ),
          ),
      }),
    };
  },
});

/** Does to all numbers of an organization what is done to one of them. */
const toAllNumbers = (
  change: (numbers: PhoneNumbers, others: readonly string[]) => Partial<PhoneNumbers>,
): PortChange =>
  working(() => {
    const owned = new Map<string | undefined, readonly string[]>();
    return ({ organization, phoneNumbers }) => {
      const known = owned.get(organization?.id) ?? [];
      const { insert } = phoneNumbers;
      return {
        phoneNumbers: withMembers(phoneNumbers, {
          ...change(phoneNumbers, known),
          async insert(numbers) {
            await insert(numbers);
            owned.set(organization?.id, [...known, ...numbers.map(({ id }) => id)]);
          },
        }),
      };
    };
  });

/** Servers that sell, keep or let go phone numbers in a wrong way. */
export const phoneNumberMutants: readonly Mutant[] = [
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
  mutantOf("NUM-03", "assigned", "assigns the numbers of an order before it looks into the wallet", [
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
    withDetails("orderPhoneNumbers", "InsufficientCredit"),
  ),
  mutantOf("NUM-04", "lends", "lends what the wallet lacks for a bulk order", [lending]),
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
    withDetails("orderPhoneNumbers", "InsufficientInventoryOnOrder"),
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
      isRefusal(answer, "InsufficientInventory")
        ? withError(answer, { data: { available_count: 1, unavailable: [] } })
        : answer,
    ),
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
    keepingNumbers(() => (numbers) => ({
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
    "NUM-12",
    "forgets",
    "finds no number",
    onAnswer("getPhoneNumber", (answer) =>
      answer.status < 300 ? refusedWith(answer, refuse.NotFound("There is no such number.")) : answer,
    ),
  ),
  wireMutant(
    "NUM-12",
    "conflict",
    "has another row for an unknown number",
    inPlaceOf("getPhoneNumber", "NotFound", refuse.Conflict("It is not there.")),
  ),
  wireMutant(
    "NUM-12",
    "malformed",
    "finds nothing under a malformed id",
    inPlaceOf("getPhoneNumber", "ValidationFailed400", refuse.NotFound("There is no such number.")),
  ),
  wireMutant(
    "NUM-13",
    "status-url",
    "takes no address for what became of messages",
    onAnswer("updatePhoneNumber", (answer, { bytes }) =>
      memberOf(bytes, "status_url") === undefined
        ? answer
        : refusedWith(answer, refuse.InvalidInput("status_url cannot be changed.")),
    ),
  ),
  wireMutant(
    "NUM-14",
    "ignored",
    "ignores fields of an update that it does not know",
    onRequest("updatePhoneNumber", (request) => withRequestBody(request, supportedPart(request))),
  ),
  wireMutant(
    "NUM-14",
    "state",
    "ignores the state of a number in an update",
    onRequest("updatePhoneNumber", (request) => {
      const { status: _, ...body } = Object(parsed(request.bytes));
      return withRequestBody(request, body);
    }),
  ),
  wireMutant(
    "NUM-14",
    "invalid",
    "calls a field that it does not know invalid",
    inPlaceOf("updatePhoneNumber", "InvalidInput", refuse.ValidationFailed("Not valid.", { field: "is not known" })),
  ),
  wireMutant(
    "NUM-14",
    "details",
    "gives details of a field that it does not know",
    withDetails("updatePhoneNumber", "InvalidInput"),
  ),
  wireMutant("NUM-15", "applied", "does of a refused update what it can", (serve) => async (request) => {
    const answer = await serve(request);
    if (request.operation === "updatePhoneNumber" && isRefusal(answer, "InvalidInput"))
      await serve(withRequestBody(request, supportedPart(request)));
    return answer;
  }),
  wireMutant("NUM-15", "second", "takes an update that it has refused before", (serve) => {
    const known = new Set<string>();
    return async (request) => {
      const answer = await serve(request);
      if (request.operation !== "updatePhoneNumber" || !isRefusal(answer, "InvalidInput")) return answer;
      const place = `${request.path} ${request.bytes}`;
      if (known.has(place)) return serve(withRequestBody(request, supportedPart(request)));
      known.add(place);
      return answer;
    };
  }),
  mutantOf("NUM-38", "lost", "answers an update and does nothing", [
    keepingNumbers(() => () => ({ update: async () => undefined })),
  ]),
  wireMutant(
    "NUM-38",
    "emptied",
    "empties what an update leaves out",
    onRequest("updatePhoneNumber", (request) =>
      withRequestBody(request, {
        ...{ label: null, inbound_url: null, status_url: null },
        ...Object(parsed(request.bytes)),
      }),
    ),
  ),
  mutantOf("NUM-39", "all", "updates all numbers of an organization", [
    toAllNumbers((numbers, known) => ({
      async update(updated) {
        await numbers.update(updated);
        for (const id of known) {
          const other = await numbers.find(id);
          if (other !== null) await numbers.update({ ...other, label: updated.label });
        }
      },
    })),
  ]),
  wireMutant(
    "NUM-16",
    "granted",
    "returns numbers to their carrier for whoever may write them",
    onRequest("releasePhoneNumber", plain),
  ),
  wireMutant("NUM-16", "gone", "lets a number go that it refuses to return", (serve) => async (request) => {
    const answer = await serve(request);
    if (request.operation === "releasePhoneNumber" && request.path.includes("?") && isRefusal(answer, "Forbidden"))
      await serve(plain(request));
    return answer;
  }),
  wireMutant(
    "NUM-16",
    "details",
    "gives details of what a key may not return",
    withDetails("releasePhoneNumber", "Forbidden"),
  ),
  mutantOf("NUM-17", "kept", "answers a release and keeps the number", [
    keepingNumbers(() => () => ({ remove: async () => undefined })),
  ]),
  mutantOf("NUM-40", "all", "lets all numbers of an organization go at once", [
    toAllNumbers((numbers, known) => ({
      async remove(id) {
        for (const one of [id, ...known]) await numbers.remove(one);
      },
    })),
  ]),
  wireMutant("NUM-42", "ignored", "overlooks a campaign that it does not know", (serve) => (request) => {
    const isMeant = request.operation === "orderPhoneNumbers" || request.operation === "updatePhoneNumber";
    const { campaign_id: campaign, ...body } = Object(parsed(request.bytes));
    return serve(isMeant && campaign !== undefined ? withRequestBody(request, body) : request);
  }),
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
  mutant(
    "NUM-10",
    "any",
    "orders numbers for campaigns that are not active",
    domain,
    'if (campaign.status !== constants.activeCampaign) return refuse.CampaignNotActive("The campaign is not active.");',
    "",
  ),
  mutant(
    "NUM-10",
    "expired",
    "orders numbers for campaigns that have expired",
    domain,
    "campaign.status !== constants.activeCampaign",
    "campaign.status === constants.pendingCampaign",
  ),
  wireMutant(
    "NUM-10",
    "missing",
    "does not find a campaign that is not active",
    inPlaceOf("orderPhoneNumbers", "CampaignNotActive", refuse.NotFound("There is no such campaign.")),
  ),
  mutant(
    "NUM-11",
    "any",
    "orders numbers for campaigns of brands that are not verified",
    domain,
    "return refuseUnverified(brand);",
    "return null;",
  ),
  wireMutant(
    "NUM-11",
    "inactive",
    "calls a campaign inactive whose brand is not verified",
    inPlaceOf("orderPhoneNumbers", "BrandNotVerified", refuse.CampaignNotActive("It is not active.")),
  ),
  wireMutant(
    "NUM-44",
    "none",
    "meets no order with a campaign",
    onAnswer("orderPhoneNumbers", (answer, { bytes }) =>
      answer.status < 300 && memberOf(bytes, "campaign_id") !== undefined
        ? refusedWith(answer, refuse.CampaignNotActive("Not yet."))
        : answer,
    ),
  ),
  wireMutant(
    "NUM-45",
    "none",
    "takes no campaign in an update",
    onAnswer("updatePhoneNumber", (answer, { bytes }) =>
      answer.status < 300 && memberOf(bytes, "campaign_id") !== undefined
        ? refusedWith(answer, refuse.InvalidInput("campaign_id cannot be changed."))
        : answer,
    ),
  ),
  wireMutant(
    "NUM-46",
    "invalid",
    "calls a campaign invalid that is not active",
    inPlaceOf(
      "updatePhoneNumber",
      "CampaignNotActive",
      refuse.ValidationFailed("Not valid.", { campaign_id: "is not active" }),
    ),
  ),
  mutantOf("TEN-08", "shown", "shows numbers of all organizations", [
    rememberingNumbers((all, _organizationId, id) => all.get(id) ?? null),
  ]),
  mutantOf("TEN-14", "remembered", "finds numbers that were released", [
    rememberingNumbers((all, organizationId, id) => {
      const number = all.get(id) ?? null;
      return number?.organizationId === organizationId ? number : null;
    }),
  ]),
];
