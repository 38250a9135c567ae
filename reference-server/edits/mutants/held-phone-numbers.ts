import { refuse } from "../../../generated/error-rows.ts";
import { components } from "../../../generated/schemas/phone-numbers.ts";
import type { PhoneNumber } from "../../domain/phone-numbers/phone-number.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { withMembers } from "../ports.ts";
import { keepingNumbers, working } from "../unit-changes.ts";
import {
  addingDetails,
  inPlaceOf,
  isRefusal,
  onAnswer,
  onRequest,
  parsed,
  refusedWith,
  type WireRequest,
} from "../wire.ts";
import { withRequestBody } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";
import { toAllNumbers } from "./to-all-numbers.ts";

const supported = Object.keys(Object(components.UpdatePhoneNumberRequest?.properties));

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

/** Servers that keep phone numbers, or let them go, in a wrong way. */
export const heldPhoneNumberMutants: readonly Mutant[] = [
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
      Object(parsed(bytes)).status_url === undefined
        ? answer
        : refusedWith(answer, refuse.InvalidInput("status_url cannot be changed.")),
    ),
  ),
  mutant(
    "NUM-12",
    "lot",
    "assigns the first ten numbers of an order alone",
    "routes/phone-numbers.ts",
    "const numbers = numbersOf(order, wanted, ids, campaign);\n        await phoneNumbers.insert(numbers);",
    "const numbers = numbersOf(order, wanted, ids, campaign);\n        await phoneNumbers.insert(numbers.slice(0, 10));",
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
    addingDetails("updatePhoneNumber", "InvalidInput"),
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
  mutant(
    "NUM-17",
    "carrier",
    "keeps numbers that are to be returned to their carrier",
    "routes/phone-numbers.ts",
    "await phoneNumbers.remove(number.id);",
    "if (!toCarrier) await phoneNumbers.remove(number.id);",
  ),
  mutantOf("NUM-38", "lost", "answers an update and does nothing", [
    keepingNumbers(() => ({ update: async () => undefined })),
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
    addingDetails("releasePhoneNumber", "Forbidden"),
  ),
  mutantOf("NUM-17", "kept", "answers a release and keeps the number", [
    keepingNumbers(() => ({ remove: async () => undefined })),
  ]),
  mutantOf("NUM-40", "all", "lets all numbers of an organization go at once", [
    toAllNumbers((numbers, known) => ({
      async remove(id) {
        for (const one of [id, ...known]) await numbers.remove(one);
      },
    })),
  ]),
  ...(
    [
      ["campaign", "campaigns", { campaignId: null }],
      ["label", "labels", { label: null }],
    ] as const
  ).map(([name, what, lost]) =>
    mutantOf("NUM-40", name, `takes their ${what} from the numbers that were ordered with one that is released`, [
      working(() => {
        const orders = new Map<string, readonly string[]>();
        return ({ phoneNumbers }) => ({
          phoneNumbers: withMembers(phoneNumbers, {
            async insert(numbers) {
              const ids = numbers.map(({ id }) => id);
              for (const id of ids) orders.set(id, ids);
              await phoneNumbers.insert(numbers);
            },
            async remove(id) {
              await phoneNumbers.remove(id);
              for (const other of orders.get(id) ?? []) {
                const number = await phoneNumbers.find(other);
                if (number !== null) await phoneNumbers.update({ ...number, ...lost });
              }
            },
          }),
        });
      }),
    ]),
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
  mutantOf("TEN-14", "elsewhere", "finds numbers that were released and that another organization has had since", [
    rememberingNumbers((all, organizationId, id) => {
      const number = all.get(id) ?? null;
      const isElsewhere = [...all.values()].some(
        (other) => other.phoneNumber === number?.phoneNumber && other.organizationId !== organizationId,
      );
      return number?.organizationId === organizationId && isElsewhere ? number : null;
    }),
  ]),
];
