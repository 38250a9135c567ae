import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import { scopeNamed } from "../../../generated/scopes.ts";
import type { Consent } from "../../domain/consent/consent.ts";
import type { Lookup } from "../../domain/lookups/lookup.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { remembered } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import { dataOf, isRefusal, onAnswer, onRequest, parsed, refusedWith, type Wire, withBody, withData } from "../wire.ts";
import { bodyOf, withRequestBody, withRequestHeader } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const gates = "domain/messages/gates.ts";
const consentGate = "return refuseWithoutConsent(facts.consent);";
const lineTypeGate = "if (lookup?.lineType !== constants.fixedLine) return null;";
const bypassGate = "!bypassesQuietHours || holds(bypassScope)";
const deferral = "return { ...send, scheduledAt: disturbance.until };";
const keyHeader = operations.createLookup.idempotencyHeader.toLowerCase();

/** Has the gate of a row stop a recipient's first send alone. */
const stoppingOnce =
  (row: "ConsentRequired" | "LineTypeBlocked" | "QuietHours" | "QuietHoursBypassForbidden"): Wire =>
  (serve) => {
    const stopped = new Set<string>();
    return async (request) => {
      const answer = await serve(request);
      if (request.operation !== "sendMessage" || !isRefusal(answer, row)) return answer;
      const { to, body, scheduled_at = null } = Object(bodyOf(request));
      const place = `${request.headers.authorization} ${to}`;
      if (!stopped.has(place)) {
        stopped.add(place);
        return answer;
      }
      const message = { to, body, scheduled_at, status: "scheduled", created_at: new Date().toISOString() };
      return withBody({ ...answer, status: 202 }, { success: true, data: { id: randomUUID(), ...message } });
    };
  };

/** Shows another time of the lookup where a fixed line is blocked. */
const onLookedUpAt = (change: (time: string) => string): Wire =>
  onAnswer("sendMessage", (answer) => {
    if (!isRefusal(answer, "LineTypeBlocked")) return answer;
    const { error } = Object(parsed(answer.bytes));
    const details = { ...error.details, looked_up_at: change(String(error.details.looked_up_at)) };
    return withBody(answer, { success: false, error: { ...error, details } });
  });

/** Servers whose gates stand before some sends and not before others. */
export const sendGateMutants: readonly Mutant[] = [
  mutant(
    "MSG-04",
    "later",
    "takes what is scheduled without consent",
    gates,
    consentGate,
    "return _send.scheduledAt !== null ? null : refuseWithoutConsent(facts.consent);",
  ),
  mutant(
    "MSG-04",
    "bypass",
    "takes a bypass of quiet hours for one of consent",
    gates,
    consentGate,
    "return _send.bypassesQuietHours ? null : refuseWithoutConsent(facts.consent);",
  ),
  wireMutant("MSG-04", "again", "takes a second send without consent", stoppingOnce("ConsentRequired")),
  mutant(
    "MSG-05",
    "later",
    "takes what is scheduled for who has opted out",
    gates,
    consentGate,
    'return _send.scheduledAt !== null && facts.consent?.state === "opted-out" ? null : refuseWithoutConsent(facts.consent);',
  ),
  mutant(
    "MSG-05",
    "hour",
    "forgets within an hour who has opted out",
    gates,
    consentGate,
    'return facts.consent?.state === "opted-out" && facts.consent.capturedAt < facts.now - 3_600_000 ? null : refuseWithoutConsent(facts.consent);',
  ),
  mutantOf("MSG-05", "twice", "takes back one of the consents that were captured of a recipient", [
    remembered(() => {
      const captured = new Map<string, number>();
      return working(() => (tx) => ({
        consents: withMembers(tx.consents, {
          async put(consent) {
            const place = `${consent.organizationId} ${consent.phoneNumber}`;
            const count = captured.get(place) ?? 0;
            if (consent.state === "opted-in") captured.set(place, count + 1);
            if (consent.state === "opted-in" || count < 2) await tx.consents.put(consent);
          },
        }),
      }));
    }),
  ]),
  mutant(
    "CON-01",
    "hour",
    "forgets within an hour who has opted in",
    gates,
    consentGate,
    'return refuseWithoutConsent(facts.consent?.state === "opted-in" && facts.consent.capturedAt < facts.now - 3_600_000 ? null : facts.consent);',
  ),
  mutantOf("CON-08", "anybody", "takes a consent to any organization for one to all", [
    working(() => {
      const known = new Map<string, Consent>();
      return (tx) => ({
        consents: withMembers(tx.consents, {
          of: async (phoneNumber) => (await tx.consents.of(phoneNumber)) ?? known.get(phoneNumber) ?? null,
          async put(consent) {
            known.set(consent.phoneNumber, consent);
            await tx.consents.put(consent);
          },
        }),
      });
    }),
  ]),
  mutantOf("MSG-10", "opted-out", "charges a fee for sends to who has opted out", [
    {
      ports(ports) {
        const { store } = ports;
        return {
          ...ports,
          store: withMembers(store, {
            async atomically(organizationId, work) {
              let isOut = false;
              const result = await store.atomically(organizationId, (tx) =>
                work(
                  withMembers(tx, {
                    consents: withMembers(tx.consents, {
                      async of(phoneNumber) {
                        const known = await tx.consents.of(phoneNumber);
                        isOut ||= known?.state === "opted-out";
                        return known;
                      },
                    }),
                  }),
                ),
              );
              const fee = { kind: "charge", amount: 1, reference: `fee ${randomUUID()}`, at: 0 } as const;
              if (isOut && Object(result).row === "ConsentRequired")
                await store.atomically(organizationId, (tx) => tx.ledger.append(fee));
              return result;
            },
          }),
        };
      },
    },
  ]),
  mutant(
    "MSG-13",
    "bypass",
    "takes a bypass of quiet hours for one of the line type",
    gates,
    lineTypeGate,
    "if (lookup?.lineType !== constants.fixedLine || _send.bypassesQuietHours) return null;",
  ),
  mutant(
    "MSG-13",
    "now",
    "looks at the line type of what is scheduled alone",
    gates,
    lineTypeGate,
    "if (lookup?.lineType !== constants.fixedLine || _send.scheduledAt === null) return null;",
  ),
  wireMutant("MSG-13", "again", "takes a second send to a fixed line", stoppingOnce("LineTypeBlocked")),
  mutantOf("MSG-15", "first", "names the first lookup of a number", [
    remembered(() => {
      const first = new Map<string, Lookup>();
      return working(() => (tx) => ({
        lookups: withMembers(tx.lookups, {
          async insert(lookup) {
            const place = `${lookup.organizationId} ${lookup.phoneNumber}`;
            if (!first.has(place)) first.set(place, lookup);
            await tx.lookups.insert(lookup);
          },
          async latest(phoneNumber) {
            const latest = await tx.lookups.latest(phoneNumber);
            return latest && (first.get(`${latest.organizationId} ${phoneNumber}`) ?? latest);
          },
        }),
      }));
    }),
  ]),
  wireMutant(
    "MSG-15",
    "epoch",
    "tells the beginning of 1970 for the time of the lookup",
    onLookedUpAt(() => new Date(0).toISOString()),
  ),
  wireMutant(
    "ENV-27",
    "lookup-without-offset",
    "shows the time of the lookup without an offset where a fixed line is blocked",
    onLookedUpAt((time) => time.replace("Z", "")),
  ),
  wireMutant(
    "ENV-27",
    "lookup-basic",
    "shows the time of the lookup with an offset that has no minutes where a fixed line is blocked",
    onLookedUpAt((time) => time.replace("Z", "+00")),
  ),
  mutantOf("MSG-20", "block", "takes numbers that begin like a fixed line's for fixed lines", [
    remembered((): PortChange => {
      const fixed = new Map<string, Lookup>();
      const place = (organizationId: string, phoneNumber: string) => `${organizationId} ${phoneNumber.slice(0, -2)}`;
      return working(() => (tx) => ({
        lookups: withMembers(tx.lookups, {
          async insert(lookup) {
            if (lookup.lineType === constants.fixedLine)
              fixed.set(place(lookup.organizationId, lookup.phoneNumber), lookup);
            await tx.lookups.insert(lookup);
          },
          latest: async (phoneNumber) =>
            (await tx.lookups.latest(phoneNumber)) ?? fixed.get(place(tx.organization?.id ?? "", phoneNumber)) ?? null,
        }),
      }));
    }),
  ]),
  mutant(
    "MSG-34",
    "now",
    "takes a bypass of who may not for what is sent at once",
    gates,
    bypassGate,
    "!bypassesQuietHours || (arguments[0] as Send).scheduledAt === null || holds(bypassScope)",
  ),
  mutant(
    "MSG-34",
    "wide",
    "takes a bypass of who may do other things",
    gates,
    bypassGate,
    `!bypassesQuietHours || holds("${scopeNamed.webhooksWrite}") || holds(bypassScope)`,
  ),
  wireMutant("MSG-34", "again", "takes a second bypass of who may not", stoppingOnce("QuietHoursBypassForbidden")),
  wireMutant("MSG-24", "again", "takes a second send in quiet hours", stoppingOnce("QuietHours")),
  wireMutant(
    "MSG-31",
    "half-hours",
    "takes offsets of half hours for whole ones",
    onRequest("sendMessage", (request) => {
      const { scheduled_at: at, ...others } = Object(bodyOf(request));
      return typeof at === "string"
        ? withRequestBody(request, { ...others, scheduled_at: at.replace(/([+-]\d\d):30$/, "$1:00") })
        : request;
    }),
  ),
  wireMutant(
    "MSG-31",
    "offset",
    "tells a time with an offset, and takes none that has one",
    (serve) => async (request) => {
      const { scheduled_at: at } = Object(bodyOf(request));
      const answer = await serve(request);
      if (request.operation !== "sendMessage") return answer;
      if (typeof at === "string" && /[+-]\d\d:\d\d$/.test(at))
        return refusedWith(answer, refuse.ValidationFailed("Not in UTC.", { scheduled_at: "must end with Z" }));
      if (!isRefusal(answer, "QuietHours")) return answer;
      const { error } = Object(parsed(answer.bytes));
      const details = { ...error.details, next_send_at: error.details.next_send_at.replace(/Z$/, "+00:00") };
      return withBody(answer, { success: false, error: { ...error, details } });
    },
  ),
  mutant(
    "MSG-33",
    "within-a-day",
    "sends at once in quiet hours that lie within a day",
    gates,
    deferral,
    "return quietHours.start < quietHours.end ? null : { ...send, scheduledAt: disturbance.until };",
  ),
  mutant(
    "MSG-56",
    "within-a-day",
    "defers by an hour too much where quiet hours lie within a day",
    gates,
    deferral,
    "return { ...send, scheduledAt: disturbance.until + (quietHours.start < quietHours.end ? 3_600_000 : 0) };",
  ),
  mutant(
    "MSG-38",
    "deferred",
    "defers what disturbs nobody",
    gates,
    "if (disturbance === null) return null;",
    'if (disturbance === null) return quietHours.mode === "defer" && send.scheduledAt === null ? { ...send, scheduledAt: now + 3_600_000 } : null;',
  ),
  wireMutant(
    "MSG-01",
    "fraction",
    "takes no time without a fraction of a second",
    onAnswer("sendMessage", (answer, request) =>
      /:\d\dZ$/.test(Object(bodyOf(request)).scheduled_at)
        ? refusedWith(answer, refuse.ValidationFailed("Not precise.", { scheduled_at: "needs milliseconds" }))
        : answer,
    ),
  ),
  mutantOf("MSG-40", "fee", "charges for cancelling once more", [
    working(() => (tx) => ({
      messages: withMembers(tx.messages, {
        async find(id) {
          const message = await tx.messages.find(id);
          const fee = { kind: "charge", amount: 1, reference: `fee ${randomUUID()}`, at: 0 } as const;
          if (message?.status === "canceled") await tx.ledger.append(fee);
          return message;
        },
      }),
    })),
  ]),
  wireMutant(
    "LKP-16",
    "case",
    "takes keys that differ in case for one",
    onRequest("createLookup", (request) =>
      withRequestHeader(request, keyHeader, textOf(request.headers[keyHeader])?.toLowerCase()),
    ),
  ),
  wireMutant(
    "LKP-16",
    "beginning",
    "takes keys that begin alike for one",
    onRequest("createLookup", (request) =>
      withRequestHeader(request, keyHeader, textOf(request.headers[keyHeader])?.slice(0, 64)),
    ),
  ),
  wireMutant("LKP-18", "latest", "shows the latest lookup of a number whichever is asked for", (serve) => {
    const latest = new Map<unknown, unknown>();
    return async (request) => {
      const answer = await serve(request);
      const data = dataOf(answer);
      if (data !== null && request.operation === "createLookup") latest.set(data.phone_number, data);
      return data !== null && request.operation === "getLookup"
        ? withData(answer, latest.get(data.phone_number) ?? data)
        : answer;
    };
  }),
  mutantOf("LKP-06", "key", "lends to whoever sends a key", [
    {
      file: "routes/lookups.ts",
      find: "const uncovered = refuseUncovered(await store.wallet(organizationId), price);",
      replace: "const uncovered = caller.retry ? null : refuseUncovered(await store.wallet(organizationId), price);",
    },
    {
      file: "routes/lookups.ts",
      find: "const refusal = refuseUncovered(await tx.ledger.wallet(), price);",
      replace:
        "const wallet = await tx.ledger.wallet(); const refusal = caller.retry ? null : refuseUncovered(wallet, price);",
    },
    {
      file: "routes/lookups.ts",
      find: "await charge(tx, charged);",
      replace: "if (wallet.balance >= price) await charge(tx, charged);",
    },
  ]),
];

const textOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;
