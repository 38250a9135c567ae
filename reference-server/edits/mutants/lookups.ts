import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { referenceChoices } from "../../../generated/choices.ts";
import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { eventType } from "../../../generated/events.ts";
import { operations } from "../../../generated/operations.ts";
import type { KeptAnswer } from "../../domain/idempotency/kept-answer.ts";
import type { Lookup } from "../../domain/lookups/lookup.ts";
import { lookupEntry } from "../../domain/lookups/lookup.ts";
import type { Ledger } from "../../store/unit-of-work.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { keepingAnswersFor } from "../kept-answers.ts";
import { bookingAgainByClock } from "../later-entries.ts";
import { repeatingLater } from "../later-requests.ts";
import { storing } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { enqueueing, keepingMoney, working } from "../unit-changes.ts";
import {
  addingDetails,
  inPlaceOf,
  isRefusal,
  onAnswer,
  onData,
  onRequest,
  parsed,
  refusedWith,
  type Wire,
  type WireRequest,
} from "../wire.ts";
import { withRequestBody, withRequestHeader } from "../wire-requests.ts";
import { mutantOf, wireMutant } from "./mutant.ts";

/** Of Washington, for use in fiction. */
const supported = "+12025550123";
const price = Number(referenceChoices.lookupPriceMicros);
const hourMs = 3_600_000;
const keyHeader = operations.createLookup.idempotencyHeader.toLowerCase();

/** The number that a request asks for; empty where it names none. */
function numberIn({ bytes }: WireRequest): string {
  const { phone_number: number } = Object(parsed(bytes));
  return typeof number === "string" ? number : "";
}

/** Looks another number up in place of those that are meant. */
const takingFor = (isMeant: (number: string) => boolean): Wire =>
  onRequest("createLookup", (request) =>
    isMeant(numberIn(request)) ? withRequestBody(request, { phone_number: supported }) : request,
  );

const refusingFor = (isMeant: (number: string) => boolean): Wire =>
  onAnswer("createLookup", (answer, request) =>
    isMeant(numberIn(request)) ? refusedWith(answer, refuse.LookupUnsupportedRegion("Not there.")) : answer,
  );

/** Leaves out the entries that are meant. */
const leavingOut = (isMeant: (entry: Parameters<Ledger["append"]>[0], count: number) => boolean): PortChange =>
  keepingMoney(() => {
    let count = 0;
    return (ledger) => ({
      append: (entry) => {
        if (entry.kind === "charge" && entry.reference.startsWith("lookup")) count += 1;
        return isMeant(entry, count) ? ledger.wallet() : ledger.append(entry);
      },
    });
  });

/** Finds kept answers in another way; `note` is told what is kept. */
const findingAnswers = (
  change: () => {
    readonly find: (
      found: KeptAnswer | null,
      asked: { readonly organizationId: string; readonly key: string; readonly fingerprint: string },
    ) => KeptAnswer | null;
    readonly note?: (organizationId: string, kept: KeptAnswer) => void;
  },
): PortChange => ({
  ports(ports) {
    const { store } = ports;
    const { find, note = () => undefined } = change();
    return {
      ...ports,
      store: withMembers(store, {
        async keptAnswer(organizationId, retry, now) {
          const { key, fingerprint } = retry;
          const found = find(await store.keptAnswer(organizationId, retry, now), { organizationId, key, fingerprint });
          return found && { ...found, fingerprint: found.key === key ? found.fingerprint : fingerprint };
        },
        atomically: (organizationId, work) =>
          store.atomically(organizationId, (tx) =>
            work(
              withMembers(tx, {
                answers: withMembers(tx.answers, {
                  async keep(kept, now) {
                    await tx.answers.keep(kept, now);
                    note(organizationId, kept);
                  },
                }),
              }),
            ),
          ),
      }),
    };
  },
});

/** Servers that look numbers up in a wrong way, charge for it wrongly, or take retries for what they are not. */
export const lookupMutants: readonly Mutant[] = [
  mutantOf("LKP-01", "typeless", "never tells the kind of line", [
    { wire: onData("createLookup", ({ line_type: _, ...data }) => data) },
    { wire: onData("getLookup", ({ line_type: _, ...data }) => data) },
  ]),
  wireMutant(
    "LKP-01",
    "nameless",
    "gives a lookup no id",
    onData("createLookup", ({ id: _, ...data }) => data),
  ),
  wireMutant(
    "LKP-01",
    "some",
    "knows not all numbers of a city",
    refusingFor((number) => number.endsWith("124")),
  ),
  wireMutant(
    "LKP-02",
    "south",
    "knows numbers of the United States alone",
    refusingFor((number) => number.startsWith("+1416")),
  ),
  wireMutant(
    "LKP-02",
    "west",
    "knows no numbers of British Columbia",
    refusingFor((number) => number.startsWith("+1604")),
  ),
  wireMutant(
    "LKP-02",
    "north",
    "knows no numbers of the Yukon",
    refusingFor((number) => number.startsWith("+1867")),
  ),
  wireMutant(
    "LKP-03",
    "anywhere",
    "looks any number up",
    takingFor((number) => /^\+[2-9]/.test(number)),
  ),
  wireMutant(
    "LKP-03",
    "one",
    "looks numbers of Japan up",
    takingFor((number) => number.startsWith("+81")),
  ),
  wireMutant(
    "LKP-03",
    "invalid",
    "calls a number elsewhere invalid",
    inPlaceOf(
      "createLookup",
      "LookupUnsupportedRegion",
      refuse.ValidationFailed("Not valid.", { phone_number: "is not" }),
    ),
  ),
  wireMutant(
    "LKP-03",
    "details",
    "gives details of a number elsewhere",
    addingDetails("createLookup", "LookupUnsupportedRegion"),
  ),
  wireMutant(
    "LKP-12",
    "taken",
    "looks numbers of Jamaica up",
    takingFor((number) => number.startsWith("+1876")),
  ),
  wireMutant(
    "LKP-13",
    "taken",
    "looks up whatever has a digit or none",
    takingFor((number) => !/^\+[1-9]\d{9,}$/.test(number)),
  ),
  wireMutant("LKP-04", "charged", "charges for a number elsewhere as well", (serve) => async (request) => {
    const answer = await serve(request);
    if (request.operation === "createLookup" && isRefusal(answer, "LookupUnsupportedRegion"))
      await serve(withRequestBody(request, { phone_number: supported }));
    return answer;
  }),
  mutantOf("LKP-05", "free", "charges nothing", [
    leavingOut(({ kind, reference }) => kind === "charge" && reference.startsWith("lookup")),
  ]),
  mutantOf("LKP-05", "every-other", "charges every other lookup", [
    leavingOut(({ kind, reference }, count) => kind === "charge" && reference.startsWith("lookup") && count % 2 === 0),
  ]),
  mutantOf("LKP-06", "credit", "lends what the wallet lacks", [
    storing((store) => ({
      async wallet(organizationId) {
        const wallet = await store.wallet(organizationId);
        return { ...wallet, balance: wallet.balance + 1_000_000 };
      },
    })),
    keepingMoney(() => (ledger) => ({
      async wallet() {
        const wallet = await ledger.wallet();
        return { ...wallet, balance: wallet.balance + 1_000_000 };
      },
      async append(entry) {
        const { balance } = await ledger.wallet();
        if (entry.kind !== "charge" || balance >= entry.amount) return ledger.append(entry);
        return balance === 0 ? ledger.wallet() : ledger.append({ ...entry, amount: balance });
      },
    })),
  ]),
  mutantOf("LKP-06", "noted", "keeps a note of what was not covered", [
    storing((store) => ({
      async wallet(organizationId) {
        const wallet = await store.wallet(organizationId);
        const note = { kind: "credit", amount: 1, reference: `note ${randomUUID()}`, at: 0 } as const;
        if (wallet.balance < price) await store.atomically(organizationId, (tx) => tx.ledger.append(note));
        return wallet;
      },
    })),
  ]),
  wireMutant(
    "LKP-06",
    "details",
    "gives details of a wallet that is empty",
    addingDetails("createLookup", "InsufficientCredit"),
  ),
  wireMutant(
    "LKP-06",
    "forbidden",
    "forbids what is not covered",
    inPlaceOf("createLookup", "InsufficientCredit", refuse.Forbidden("Pay first.")),
  ),
  wireMutant(
    "LKP-07",
    "internal",
    "calls a failure of the platform its own",
    inPlaceOf("createLookup", "LookupFailed", refuse.InternalError("Failed.")),
  ),
  wireMutant("LKP-07", "details", "gives details of a failure", addingDetails("createLookup", "LookupFailed")),
  mutantOf("LKP-08", "kept", "keeps what a failed lookup cost", [leavingOut(({ kind }) => kind === "refund")]),
  mutantOf("LKP-08", "half", "returns half of what a failed lookup cost", [
    keepingMoney(() => (ledger) => ({
      append: (entry) => ledger.append(entry.kind === "refund" ? { ...entry, amount: entry.amount / 2 } : entry),
    })),
  ]),
  wireMutant(
    "LKP-09",
    "ignored",
    "ignores the key",
    onRequest("createLookup", (request) => withRequestHeader(request, keyHeader, undefined)),
  ),
  wireMutant("LKP-09", "conflict", "refuses whatever comes with a key again", (serve) => {
    const known = new Set<string>();
    return async (request) => {
      const place = `${request.headers.authorization} ${request.headers[keyHeader]}`;
      const isAgain = request.operation === "createLookup" && known.has(place);
      const answer = await serve(request);
      if (answer.status < 300 && request.headers[keyHeader] !== undefined) known.add(place);
      return isAgain ? refusedWith(answer, refuse.Conflict("It was done already.")) : answer;
    };
  }),
  mutantOf("LKP-10", "charged", "charges a retry again", [
    storing((store) => ({
      async keptAnswer(organizationId, retry, now) {
        const kept = await store.keptAnswer(organizationId, retry, now);
        const entry = lookupEntry("charge", { id: randomUUID(), price, at: now });
        if (kept) await store.atomically(organizationId, (tx) => tx.ledger.append(entry));
        return kept;
      },
    })),
  ]),
  mutantOf("LKP-14", "race", "looks for a first answer before it begins, and not again", [
    // Between the two it waits, as for a carrier.
    storing((store) => ({
      async wallet(organizationId) {
        await pause(30);
        return store.wallet(organizationId);
      },
    })),
    working(() => (tx) => ({ answers: withMembers(tx.answers, { find: async () => null }) })),
  ]),
  mutantOf("LKP-15", "shared", "knows keys of all organizations as one", [
    findingAnswers(() => {
      const all = new Map<string, KeptAnswer>();
      return {
        find: (found, { key }) => found ?? all.get(key) ?? null,
        note: (_organizationId, kept) => void all.set(kept.key, kept),
      };
    }),
  ]),
  mutantOf("LKP-16", "by-body", "takes an equal body for an equal key", [
    findingAnswers(() => {
      const all = new Map<string, KeptAnswer>();
      const place = (organizationId: string, fingerprint: string) => `${organizationId} ${fingerprint}`;
      return {
        find: (found, { organizationId, fingerprint }) => found ?? all.get(place(organizationId, fingerprint)) ?? null,
        note: (organizationId, kept) => void all.set(place(organizationId, kept.fingerprint), kept),
      };
    }),
  ]),
  wireMutant(
    "LKP-17",
    "another",
    "makes another lookup for another body with the same key",
    (serve) => async (request) => {
      const answer = await serve(request);
      const { details } = Object(Object(parsed(answer.bytes)).error);
      const isReused = request.operation === "createLookup" && Object.hasOwn(Object(details), keyHeader);
      return isReused ? serve(withRequestHeader(request, keyHeader, undefined)) : answer;
    },
  ),
  wireMutant(
    "LKP-11",
    "forgets",
    "finds no lookup",
    onAnswer("getLookup", (answer) =>
      answer.status < 300 ? refusedWith(answer, refuse.NotFound("There is no such lookup.")) : answer,
    ),
  ),
  wireMutant(
    "LKP-11",
    "conflict",
    "has another row for an unknown id",
    inPlaceOf("getLookup", "NotFound", refuse.Conflict("It is not there.")),
  ),
  wireMutant(
    "LKP-11",
    "malformed",
    "finds nothing under a malformed id",
    inPlaceOf("getLookup", "ValidationFailed400", refuse.NotFound("There is no such lookup.")),
  ),
  wireMutant(
    "LKP-18",
    "type",
    "tells another kind of line when asked later",
    onData("getLookup", (data) => ({ ...data, line_type: "PAGER" })),
  ),
  wireMutant(
    "LKP-18",
    "id",
    "shows another id when asked later",
    onData("getLookup", (data) => ({ ...data, id: randomUUID() })),
  ),
  mutantOf("TEN-11", "shown", "shows lookups of all organizations", [
    {
      ports(ports) {
        const { store } = ports;
        const all = new Map<string, Lookup>();
        return {
          ...ports,
          store: withMembers(store, {
            lookup: async (organizationId, id) => (await store.lookup(organizationId, id)) ?? all.get(id) ?? null,
            atomically: (organizationId, work) =>
              store.atomically(organizationId, (tx) =>
                work(
                  withMembers(tx, {
                    lookups: withMembers(tx.lookups, {
                      async insert(lookup) {
                        await tx.lookups.insert(lookup);
                        all.set(lookup.id, lookup);
                      },
                    }),
                  }),
                ),
              ),
          }),
        };
      },
    },
  ]),
  mutantOf("LKP-08", "hourly", "refunds a failed lookup again an hour later", [
    bookingAgainByClock(
      ({ kind, reference, amount }) =>
        kind === "refund" && reference.startsWith("lookup") ? { kind: "credit", amount } : null,
      hourMs,
    ),
  ]),
  mutantOf("LKP-08", "taken-back", "charges a failed lookup again a day after its refund", [
    bookingAgainByClock(
      ({ kind, reference, amount }) =>
        kind === "refund" && reference.startsWith("lookup") ? { kind: "charge", amount } : null,
      24 * hourMs,
    ),
  ]),
  mutantOf("LKP-09", "ten-minutes", "stores the response of a lookup for ten minutes only", [keepingAnswersFor(600)]),
  mutantOf("LKP-09", "a-minute", "stores the response of a lookup for one minute only", [keepingAnswersFor(60)]),
  mutantOf("LKP-10", "ten-minutes", "charges a lookup again if it is retried after ten minutes", [
    keepingAnswersFor(600),
  ]),
  mutantOf("LKP-10", "nightly", "charges each retried lookup again in the next night", [
    {
      wire: repeatingLater(
        ({ status }, request) =>
          request.operation === "createLookup" && request.headers[keyHeader] !== undefined && status < 300,
        20 * 3600,
      ),
    },
    keepingAnswersFor(3600),
  ]),
  mutantOf("LKP-20", "daily", "sends the event of each lookup again a day later", [
    enqueueing(() => async (event, to, tx) => {
      const count = await tx.enqueue(event, to);
      if (event.type === eventType.lookupCompleted)
        await tx.enqueue(
          { ...event, id: `${constants.eventIdPrefix}${randomUUID()}`, createdAt: event.createdAt + 24 * hourMs },
          to,
        );
      return count;
    }),
  ]),
];
