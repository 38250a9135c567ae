import { randomUUID } from "node:crypto";
import { operations } from "../../../generated/operations.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import { dataOf, isRefusal, onData, type Wire, type WireRequest, withBody, withData } from "../wire.ts";
import { bodyOf, withId, withRequestBody, withRequestHeader } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const keyHeader = operations.sendMessage.idempotencyHeader.toLowerCase();
const nobodys = "0190a0b0-0000-7000-8000-000000000000";

const bodyIn = (request: WireRequest): Readonly<Record<string, unknown>> => Object(bodyOf(request));
const callerIn = ({ headers }: WireRequest): string => String(headers.authorization);

/** Opens the portal to a caller once this operation was refused to them. */
const openingAfterRefusal =
  (operation: WireRequest["operation"]): Wire =>
  (serve) => {
    const wereRefused = new Set<string>();
    return async (request) => {
      const answer = await serve(request);
      if (request.operation === operation && answer.status >= 400) wereRefused.add(callerIn(request));
      return isRefusal(answer, "NoBillingCustomer") && wereRefused.has(callerIn(request))
        ? withBody({ ...answer, status: 200 }, { success: true, data: { url: "https://billing.invalid/" } })
        : answer;
    };
  };

/** Changes calls for numbers that came by a bulk order. */
const onBulkNumbers =
  (operation: WireRequest["operation"], change: (request: WireRequest) => WireRequest): Wire =>
  (serve) => {
    const ids = new Set<unknown>();
    return async (request) => {
      const isMeant = request.operation === operation && ids.has(request.parameters.id);
      const answer = await serve(isMeant ? change(request) : request);
      const numbers: unknown = dataOf(answer)?.phone_numbers;
      if (request.operation === "bulkOrderPhoneNumbers" && Array.isArray(numbers))
        for (const number of numbers) ids.add(Object(number).id);
      return answer;
    };
  };

/** Keeps of a batch of consents those that are meant. */
const keepingOfBatch =
  (isKept: (index: number, size: number) => boolean): Wire =>
  (serve) =>
  (request) => {
    const { records } = bodyIn(request);
    if (request.operation !== "captureConsentBatch" || !Array.isArray(records)) return serve(request);
    return serve(withRequestBody(request, { records: records.filter((_, index) => isKept(index, records.length)) }));
  };

/** Tells numbers by their last seven digits. */
const tellingBySubscriber: PortChange = working(() => {
  const known = new Map<string, string>();
  return (tx) => {
    const place = (number: string): string => `${tx.organization?.id} ${number.slice(-7)}`;
    return {
      consents: withMembers(tx.consents, {
        async put(consent) {
          known.set(place(consent.phoneNumber), consent.phoneNumber);
          await tx.consents.put(consent);
        },
        of: async (number) => tx.consents.of(known.get(place(number)) ?? number),
      }),
    };
  };
});

/** Cancels nothing that was put off until quiet hours are over. */
const cancellingUndeferred: Wire = (serve) => {
  const deferred = new Set<unknown>();
  return async (request) => {
    if (request.operation === "cancelMessage" && deferred.has(request.parameters.id))
      return serve(withId(request, nobodys));
    const answer = await serve(request);
    const { id, scheduled_at } = dataOf(answer) ?? {};
    const isDeferred = typeof scheduled_at === "string" && bodyIn(request).scheduled_at === undefined;
    if (request.operation === "sendMessage" && isDeferred) deferred.add(id);
    return answer;
  };
};

/** Shows what was sent with a key and canceled as delivered once time has gone by. */
const deliveringKeyed: Wire = (serve) => {
  const keyed = new Set<unknown>();
  const canceled = new Set<unknown>();
  const delivered = new Set<unknown>();
  return async (request) => {
    const answer = await serve(request);
    const data = dataOf(answer);
    if (request.operation === "sendMessage" && request.headers[keyHeader] !== undefined) keyed.add(data?.id);
    if (request.operation === "cancelMessage" && keyed.has(data?.id)) canceled.add(data?.id);
    if (request.path.endsWith("/advance")) for (const id of canceled) delivered.add(id);
    return request.operation === "getMessage" && delivered.has(data?.id)
      ? withData(answer, { ...data, status: "delivered" })
      : answer;
  };
};

/** What is known of a send when it comes again. */
interface FirstSend {
  readonly id: unknown;
  /** Sends with other keys that were taken since. */
  others: number;
  isCanceled: boolean;
}

/** Takes a send with a key that comes again for another one, where it is meant. */
const forgettingKeys =
  (isMeant: (first: FirstSend, request: WireRequest) => boolean): Wire =>
  (serve) => {
    const sends = new Map<string, FirstSend>();
    return async (request) => {
      if (request.operation === "cancelMessage")
        for (const one of sends.values()) one.isCanceled ||= one.id === request.parameters.id;
      const key = request.headers[keyHeader];
      if (request.operation !== "sendMessage" || key === undefined) return serve(request);
      const place = `${callerIn(request)} ${key}`;
      const first = sends.get(place);
      if (first !== undefined)
        return serve(isMeant(first, request) ? withRequestHeader(request, keyHeader, randomUUID()) : request);
      const answer = await serve(request);
      for (const one of sends.values()) one.others += 1;
      sends.set(place, { id: dataOf(answer)?.id, others: 0, isCanceled: false });
      return answer;
    };
  };

const creations = "routes/webhooks.ts";

/** Servers with a fault in one form of a call alone: after a refusal, deferred, in a large batch, for the last of the money. */
export const furtherFormMutants: readonly Mutant[] = [
  wireMutant("BIL-08", "top-up", "opens the portal once a top-up was refused", openingAfterRefusal("topUpWallet")),
  wireMutant("BIL-08", "charge", "opens the portal once a lookup was refused", openingAfterRefusal("createLookup")),
  mutant(
    "BIL-23",
    "auto",
    "keeps a fee of top-ups while auto top-up is enabled",
    "routes/billing.ts",
    "await tx.ledger.append(topUpEntry(id, product, now));",
    "const entry = topUpEntry(id, product, now); const fee = (tx.organization?.autoTopUp ?? null) === null ? 0 : 10_000; await tx.ledger.append({ ...entry, amount: entry.amount - fee });",
  ),
  mutant(
    "BRD-02",
    "exact",
    "registers no brand for the last of the money",
    "domain/registration/brand.ts",
    "balance < price",
    "balance <= price",
  ),
  wireMutant(
    "CON-02",
    "tenth",
    "keeps nine of ten consents or more",
    keepingOfBatch((index, size) => size < 10 || index < 9),
  ),
  wireMutant(
    "CON-02",
    "hundredth",
    "keeps 99 consents of a batch",
    keepingOfBatch((index) => index < 99),
  ),
  wireMutant(
    "CON-02",
    "twentieth",
    "loses every twentieth consent of a batch",
    keepingOfBatch((index) => index % 20 !== 19),
  ),
  mutant(
    "MSG-01",
    "exact",
    "sends nothing for the last of the money",
    "domain/messages/gates.ts",
    "wallet.balance >= cost",
    "wallet.balance > cost",
  ),
  mutantOf("MSG-51", "escaped", "escapes the body of a message as HTML does", [
    {
      wire: onData("getMessage", (data) => ({
        ...data,
        body: String(data.body).replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
      })),
    },
  ]),
  mutantOf("MSG-04", "subscriber", "tells recipients by their last seven digits", [tellingBySubscriber]),
  mutant(
    "MSG-36",
    "scheduled",
    "heeds no bypass of what is scheduled",
    "domain/messages/gates.ts",
    "quietHours === null || send.bypassesQuietHours",
    "quietHours === null || (send.bypassesQuietHours && send.scheduledAt === null)",
  ),
  wireMutant("MSG-39", "deferred", "cancels nothing that was deferred", cancellingUndeferred),
  wireMutant("MSG-46", "keyed", "sends what was canceled if it has a key", deliveringKeyed),
  wireMutant(
    "MSG-64",
    "now",
    "forgets keys of what is sent at once",
    forgettingKeys((_, request) => bodyIn(request).scheduled_at === undefined),
  ),
  wireMutant(
    "MSG-64",
    "canceled",
    "forgets the key of what was canceled",
    forgettingKeys(({ isCanceled }) => isCanceled),
  ),
  wireMutant(
    "MSG-64",
    "last",
    "knows the last key alone",
    forgettingKeys(({ others }) => others > 0),
  ),
  wireMutant(
    "NUM-12",
    "bulk",
    "does not find the numbers of bulk orders",
    onBulkNumbers("getPhoneNumber", (request) => withId(request, nobodys)),
  ),
  wireMutant(
    "NUM-17",
    "bulk",
    "keeps numbers of bulk orders",
    onBulkNumbers("releasePhoneNumber", (request) => ({ ...request, method: "GET", operation: "getPhoneNumber" })),
  ),
  wireMutant(
    "NUM-22",
    "bulk",
    "finds no number of a bulk order that is to send for a campaign",
    onBulkNumbers("attachCampaign", (request) => withId(request, nobodys)),
  ),
  mutantOf("WHE-04", "refused", "counts refused endpoints too", [
    {
      file: creations,
      find: "const nowOf = (caller: Caller) => callerTime(caller, world.now());",
      replace:
        "const nowOf = (caller: Caller) => callerTime(caller, world.now()); const refusals = new Map<string, number>();",
    },
    {
      file: creations,
      find: 'if (says !== null) return refuseFields([{ pointer: "/url", says }], choices);',
      replace:
        'if (says !== null) { refusals.set(caller.organization.id, (refusals.get(caller.organization.id) ?? 0) + 1); return refuseFields([{ pointer: "/url", says }], choices); }',
    },
    {
      file: creations,
      find: "const refusal = refuseFurther(await tx.endpoints.countActive());",
      replace:
        "const refusal = refuseFurther((await tx.endpoints.countActive()) + (refusals.get(organizationId) ?? 0));",
    },
  ]),
];
