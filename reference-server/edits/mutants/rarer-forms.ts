import { randomUUID } from "node:crypto";
import { refuse } from "../../../generated/error-rows.ts";
import { type OperationId, operations } from "../../../generated/operations.ts";
import type { Mutant } from "../edit.ts";
import { seeing } from "../seen.ts";
import {
  dataOf,
  isRefusal,
  onAnswer,
  onData,
  onRequest,
  parsed,
  refusedWith,
  type Wire,
  type WireAnswer,
  type WireRequest,
  withBody,
  withData,
} from "../wire.ts";
import { bodyOf, queryOf, withId, withKey, withRequestBody, withRequestHeader } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const keyHeader = operations.sendMessage.idempotencyHeader.toLowerCase();

const callerIn = ({ headers }: WireRequest): string => String(headers.authorization);
const bodyIn = (request: WireRequest): Readonly<Record<string, unknown>> => Object(bodyOf(request));

/** Answers in another way what the caller, or somebody, was answered before; what is noted of a call is asked for later. */
const remembering =
  <Note>(
    change: (answer: WireAnswer, request: WireRequest, notes: Map<string, Note>) => WireAnswer | Promise<WireAnswer>,
  ): Wire =>
  (serve) => {
    const notes = new Map<string, Note>();
    return async (request) => change(await serve(request), request, notes);
  };

/** Refuses the third success of an operation on one path. */
const twiceAtMost = (operation: OperationId): Wire =>
  remembering<number>((answer, request, counts) => {
    if (request.operation !== operation || answer.status >= 300) return answer;
    const place = `${callerIn(request)} ${request.path}`;
    const count = (counts.get(place) ?? 0) + 1;
    counts.set(place, count);
    return count > 2 ? refusedWith(answer, refuse.Conflict("That was done already.")) : answer;
  });

/** Shows in each lookup what the latest of its number has found. */
const showingLatest: Wire = remembering<unknown>((answer, request, latest) => {
  const data = dataOf(answer);
  const place = `${callerIn(request)} ${data?.phone_number}`;
  if (request.operation === "createLookup" && data !== null) latest.set(place, data.line_type);
  return request.operation === "getLookup" && data !== null && latest.has(place)
    ? withData(answer, { ...data, line_type: latest.get(place) })
    : answer;
});

/** Turns around what stands on a page behind the first. */
const turningLaterPages: Wire = onAnswer("listMessages", (answer, request) => {
  const body = Object(parsed(answer.bytes));
  const isLater = answer.status < 300 && queryOf(request).has("cursor") && Array.isArray(body.data);
  return isLater ? withBody(answer, { ...body, data: body.data.toReversed() }) : answer;
});

/** Tells keys of sends by how they begin. */
const keysBySome = (characters: number): Wire =>
  onRequest("sendMessage", (request) => {
    const key = request.headers[keyHeader];
    return typeof key === "string" ? withRequestHeader(request, keyHeader, key.slice(0, characters)) : request;
  });

/** Changes the members of updates of numbers. */
const onUpdate = (change: (members: Readonly<Record<string, unknown>>) => object): Wire =>
  onRequest("updatePhoneNumber", (request) => withRequestBody(request, change(bodyIn(request))));

const withoutQuery = (value: unknown): unknown => (typeof value === "string" ? value.replace(/\?.*/, "") : value);

/** Lets go of all numbers of an order with the first of them. */
const releasingOrders: Wire = (serve) => {
  const orders = new Map<string, readonly string[]>();
  return async (request) => {
    const answer = await serve(request);
    const numbers: unknown = dataOf(answer)?.phone_numbers;
    if (request.operation === "orderPhoneNumbers" && Array.isArray(numbers)) {
      const ids = numbers.map((number) => String(Object(number).id));
      for (const id of ids) orders.set(id, ids);
    }
    if (request.operation === "releasePhoneNumber" && answer.status < 300)
      for (const id of orders.get(request.parameters.id ?? "") ?? [])
        if (id !== request.parameters.id) await serve(withId(request, id));
    return answer;
  };
};

/** Opens no portal for who has paid by auto top-up alone. */
const unawareOfAutoTopUp: Wire = remembering<OperationId>((answer, request, paidBy) => {
  const caller = callerIn(request);
  if (request.operation === "topUpWallet" && answer.status < 300) paidBy.set(caller, "topUpWallet");
  if (request.operation === "setAutoTopUp" && answer.status < 300 && !paidBy.has(caller))
    paidBy.set(caller, "setAutoTopUp");
  return request.operation === "openBillingPortal" && paidBy.get(caller) === "setAutoTopUp"
    ? refusedWith(answer, refuse.NoBillingCustomer("The organization has never paid."))
    : answer;
});

/** Shows who was refused a lookup, in a way that is meant, metrics without a bucket. */
const countingRefusals = (isMeant: (answer: WireAnswer) => boolean): Wire =>
  remembering<boolean>((answer, request, refused) => {
    if (request.operation === "createLookup" && isMeant(answer)) refused.set(callerIn(request), true);
    if (request.operation !== "getLookupMetrics" || !isRefusal(answer, "MetricNotAvailable")) return answer;
    const meta = { total: 0, limit: 50, offset: 0 };
    return refused.has(callerIn(request))
      ? { ...withBody(answer, { success: true, data: [], meta }), status: 200 }
      : answer;
  });

/** Tells anybody of an event that is past retention. */
const tellingOfExpired: Wire = seeing((seen) => (serve) => async (request) => {
  const answer = await serve(request);
  const owner = request.operation === "replayDelivery" ? seen.otherOwner(request) : undefined;
  const key = owner === undefined ? undefined : seen.widestKeyOf(owner);
  if (key === undefined) return answer;
  const theirs = await serve(withKey(request, key));
  return isRefusal(theirs, "EventExpired") ? theirs : answer;
});

/** Gives a second endpoint the secret that the first was rotated to. */
const sharingSecrets: Wire = remembering<{ readonly id: unknown; readonly secret: unknown }>(
  (answer, request, firsts) => {
    const data = dataOf(answer);
    if (request.operation !== "rotateEndpointSecret" || data === null) return answer;
    const first = firsts.get(callerIn(request));
    if (first === undefined) firsts.set(callerIn(request), { id: data.id, secret: data.secret });
    return first === undefined || first.id === data.id ? answer : withData(answer, { ...data, secret: first.secret });
  },
);

/** Answers the registration of a second brand, of the name of the first, as that of the first, under another id. */
const onceByName: Wire = remembering<WireAnswer>((answer, request, brands) => {
  if (request.operation !== "createBrand") return answer;
  const place = `${callerIn(request)} ${bodyIn(request).name}`;
  if (answer.status < 300) brands.set(place, answer);
  const first = brands.get(place);
  return isRefusal(answer, "ResellerRequired") && first !== undefined
    ? withData(first, { ...dataOf(first), id: randomUUID() })
    : answer;
});

/** Servers with a fault in a form of a call that few clients meet: again, on a later page, beside something else. */
export const rarerFormMutants: readonly Mutant[] = [
  wireMutant(
    "KEYC-38",
    "one-line",
    "writes labels in one line",
    onRequest("createApiKey", (request) => {
      const { label, ...others } = bodyIn(request);
      const isBroken = typeof label === "string" && /[\t\n]/.test(label);
      return isBroken ? withRequestBody(request, { ...others, label: label.replace(/[\t\n]/g, " ") }) : request;
    }),
  ),
  mutant(
    "BIL-01",
    "enabled",
    "takes top-ups of any amount while auto top-up is enabled",
    "routes/billing.ts",
    "const product = productFor(body.product_id, organization);",
    "const product = productFor(body.product_id, organization.autoTopUp === null ? organization : { ...organization, minTopUpCents: null });",
  ),
  wireMutant("BIL-24", "own", "opens no portal for who has paid by auto top-up alone", unawareOfAutoTopUp),
  wireMutant("BRD-03", "name", "registers a second brand of the name of the first", onceByName),
  wireMutant("CON-22", "third", "does not erase a contact a third time", twiceAtMost("eraseContact")),
  wireMutant(
    "CON-27",
    "small",
    "knows no plus sign that is encoded in small letters",
    (serve) => (request) => serve({ ...request, path: request.path.replace("/contacts/%2b", "/contacts/x") }),
  ),
  mutant(
    "EVT-12",
    "501",
    "records as a success what its receiver has not implemented",
    "domain/deliveries/retry-schedule.ts",
    "status !== null && status >= 200 && status <= 299",
    "status === 501 || (status !== null && status >= 200 && status <= 299)",
  ),
  mutant(
    "KEYC-22",
    "first",
    "looks whether the first of the scopes is held",
    "domain/keys/api-keys.ts",
    "const unheld = scopes.find((scope) => !holds(caller, scope));",
    "const unheld = scopes.slice(0, 1).find((scope) => !holds(caller, scope));",
  ),
  wireMutant("LKP-18", "older", "shows in a lookup what the latest of its number has found", showingLatest),
  wireMutant(
    "MET-07",
    "refused",
    "has metrics of who was refused a lookup",
    countingRefusals(({ status }) => status >= 400),
  ),
  wireMutant(
    "MET-07",
    "uncovered",
    "has metrics of who was refused a lookup for credit",
    countingRefusals((answer) => isRefusal(answer, "InsufficientCredit")),
  ),
  wireMutant(
    "MET-07",
    "region",
    "has metrics of who was refused a lookup for where the number is",
    countingRefusals((answer) => isRefusal(answer, "LookupUnsupportedRegion")),
  ),
  wireMutant(
    "MSG-51",
    "lines",
    "shows a text on one line",
    onData("getMessage", (data) => ({ ...data, body: String(data.body).replace(/\s+/g, " ") })),
  ),
  wireMutant("MSG-62", "pages", "turns around what stands on later pages", turningLaterPages),
  wireMutant("MSG-67", "long", "tells keys by their first 32 characters", keysBySome(32)),
  mutant(
    "NUM-03",
    "exact",
    "assigns no number for the last of the money",
    "domain/phone-numbers/phone-number.ts",
    "balance >= rent * count",
    "balance > rent * count",
  ),
  wireMutant(
    "NUM-14",
    "blank",
    "overlooks blanks around the names of fields",
    onUpdate((members) => Object.fromEntries(Object.entries(members).map(([name, value]) => [name.trim(), value]))),
  ),
  wireMutant(
    "NUM-38",
    "query",
    "forgets the query of addresses",
    onUpdate((members) => Object.fromEntries(Object.entries(members).map(([name, v]) => [name, withoutQuery(v)]))),
  ),
  wireMutant(
    "NUM-38",
    "crossed",
    "takes each of two addresses for the other",
    onUpdate(({ inbound_url, status_url, ...others }) =>
      inbound_url === undefined || status_url === undefined
        ? { ...others, inbound_url, status_url }
        : { ...others, inbound_url: status_url, status_url: inbound_url },
    ),
  ),
  wireMutant(
    "NUM-38",
    "both",
    "empties both addresses with the one for inbound messages",
    onUpdate((members) => (members.inbound_url === null ? { ...members, status_url: null } : members)),
  ),
  wireMutant(
    "NUM-38",
    "campaign",
    "lets go of the campaign of a number that is updated without one",
    onUpdate((members) => ({ campaign_id: null, ...members })),
  ),
  wireMutant("NUM-40", "order", "lets go of all numbers of an order with one of them", releasingOrders),
  mutantOf("TEN-03", "late", "looks at the age of a delivery before it looks whose it is", [
    {
      file: "store/events/records.ts",
      find: `statement((db, given: Given<OwnId>) =>
  db
    .selectFrom("delivery_attempts")
    .select(columns.delivery_attempts)
    .where("id", "=", given("id"))
    .where("organization_id", "=", given("organizationId")),
)`,
      replace: `statement((db, given: Given<OwnId>) =>
  db
    .selectFrom("delivery_attempts")
    .select(columns.delivery_attempts)
    .where("id", "=", given("id"))
    .where((is) => is.or([is("organization_id", "=", given("organizationId")), is("id", "=", given("id"))])),
)`,
    },
    {
      file: "domain/deliveries/replay.ts",
      find: "if (attempt === null || endpoint === null) return deliveryNotFound();",
      replace:
        "if (attempt === null) return deliveryNotFound(); if (attempt.occurredAt < retainedSince) return eventExpired(); if (endpoint === null) return deliveryNotFound();",
    },
  ]),
  wireMutant("TEN-03", "expired-later", "tells another organization that an event is past retention", tellingOfExpired),
  mutant(
    "USR-01",
    "empty",
    "takes an empty timezone for none",
    "domain/profiles/profile.ts",
    "timezone === undefined || isTimezone(timezone)",
    'timezone === undefined || timezone === "" || isTimezone(timezone)',
  ),
  wireMutant("WHR-04", "shared", "rotates a second endpoint to the secret of the first", sharingSecrets),
];
