import { constants } from "../../../generated/constants.ts";
import { operations } from "../../../generated/operations.ts";
import type { Consent } from "../../domain/consent/consent.ts";
import type { Mutant } from "../edit.ts";
import { remembered } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { seeing } from "../seen.ts";
import { working } from "../unit-changes.ts";
import { type Wire, type WireAnswer, withHeaders } from "../wire.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const gates = "domain/messages/gates.ts";
const reply = "domain/consent/reply.ts";
const answerOnce = "http/answer-once.ts";
const authorize = "http/authorize.ts";
const idempotencyKey = operations.createLookup.idempotencyHeader.toLowerCase();

/** Answers a call with an idempotency key that it has answered before, whatever else has changed since. */
const answeringEarly =
  (isMeant: (request: Parameters<ReturnType<Wire>>[0], before: string | undefined) => boolean): Wire =>
  (serve) => {
    const kept = new Map<string, { readonly answer: WireAnswer; readonly by: string | undefined }>();
    return async (request) => {
      const key = request.headers[idempotencyKey];
      if (key === undefined) return serve(request);
      const name = `${request.operation} ${key} ${request.bytes}`;
      const before = kept.get(name);
      if (before !== undefined && isMeant(request, before.by)) return before.answer;
      const answer = await serve(request);
      if (answer.status < 300) kept.set(name, { answer, by: request.headers.authorization });
      return answer;
    };
  };

/** Servers whose parts do well each, and not together. */
export const pairedStateMutants: readonly Mutant[] = [
  mutant(
    "MSG-05",
    "reopened",
    "heeds no STOP of who has come back by START",
    reply,
    "const state = saidBy(text);",
    `const state = saidBy(text);
  if (state === "opted-out" && consent?.source === "reply") return { consent: null, doubleOptIn: null };`,
  ),
  mutant(
    "CON-04",
    "asked",
    "takes a STOP for the answer to a double opt-in alone where one is pending",
    reply,
    "const state = saidBy(text);",
    `const state = saidBy(text);
  if (state === "opted-out" && doubleOptIn !== null && consent !== null)
    return { consent: null, doubleOptIn: { ...doubleOptIn, state: "expired" } };`,
  ),
  mutantOf("CON-34", "both", "heeds no STOP of who has confirmed what was captured as well", [
    remembered(() => {
      const confirmed = new Set<string>();
      const captured = new Set<string>();
      return working(() => ({ doubleOptIns, consents }) => ({
        doubleOptIns: withMembers(doubleOptIns, {
          async end(ended) {
            if (ended.state === "confirmed") confirmed.add(ended.phoneNumber);
            await doubleOptIns.end(ended);
          },
        }),
        consents: withMembers(consents, {
          async put(consent: Consent) {
            const { phoneNumber, state } = consent;
            if (state === "opted-out" && captured.has(phoneNumber)) return;
            if (state === "opted-in" && confirmed.has(phoneNumber)) captured.add(phoneNumber);
            await consents.put(consent);
          },
        }),
      }));
    }),
  ]),
  mutant(
    "MSG-04",
    "defers",
    "asks for no consent to what it defers",
    gates,
    "return refuseWithoutConsent(facts.consent);",
    `const { quietHours } = facts;
  if (quietHours?.mode === "defer" && disturbs(_send.to, facts.now, quietHours) !== null) return null;
  return refuseWithoutConsent(facts.consent);`,
  ),
  mutant(
    "MSG-05",
    "defers",
    "defers in quiet hours what is for who has opted out",
    gates,
    "return refuseWithoutConsent(facts.consent);",
    `const { quietHours } = facts;
  const isOut = facts.consent?.state === "opted-out";
  if (isOut && quietHours?.mode === "defer" && disturbs(_send.to, facts.now, quietHours) !== null)
    return null;
  return refuseWithoutConsent(facts.consent);`,
  ),
  mutant(
    "MSG-34",
    "defers",
    "overlooks a bypass where it would but defer",
    gates,
    "if (!bypassesQuietHours || holds(bypassScope)) return null;",
    'if (!bypassesQuietHours || holds(bypassScope) || arguments[1].quietHours?.mode === "defer") return null;',
  ),
  mutantOf("LKP-09", "poor", "asks for credit before it looks for what a retry was answered", [
    {
      file: answerOnce,
      find: "const before = await find();",
      replace: `const { balance } = await store.wallet(caller.organization.id);
    if (balance < 1_000) return handle(exchange);
    const before = await find();`,
    },
  ]),
  mutantOf("LKP-09", "outage", "asks its platform before it looks for what a retry was answered", [
    {
      file: answerOnce,
      find: "const before = await find();",
      replace: `if (caller.organization.outages.lookup > 0) return handle(exchange);
    const before = await find();`,
    },
  ]),
  wireMutant(
    "AUTH-05",
    "kept",
    "answers a retry before it asks whether its key is revoked",
    answeringEarly((request, by) => request.headers.authorization === by),
  ),
  wireMutant("AUTH-12", "kept", "answers a retry before it asks for the scope", (serve) =>
    seeing(
      (seen) => (inner) =>
        answeringEarly((request, by) => {
          const [one, other] = [request, { ...request, headers: { ...request.headers, authorization: by } }];
          const organization = seen.callerOf(one)?.organization;
          return organization !== undefined && organization === seen.callerOf(other)?.organization;
        })(inner),
    )(serve),
  ),
  wireMutant(
    "AUTH-21",
    "kept",
    "answers a retry before it looks at whom it is for",
    answeringEarly(
      (request, by) =>
        request.headers.authorization === by &&
        request.headers[constants.targetOrganizationHeader.toLowerCase()] !== undefined,
    ),
  ),
  wireMutant("ENV-14", "retry", "answers a retry under the id of the first request", (serve) => {
    const ids = new Map<string, string>();
    const header = constants.requestIdHeader.toLowerCase();
    return async (request) => {
      const answer = await serve(request);
      const key = request.headers[idempotencyKey];
      if (key === undefined || answer.status >= 300) return answer;
      const name = `${request.operation} ${key} ${request.headers.authorization}`;
      const id = ids.get(name) ?? String(answer.headers[header]);
      ids.set(name, id);
      return withHeaders(answer, { [header]: id });
    };
  }),
  mutant(
    "AUTH-26",
    "session",
    "has no floor for the plans of signed-in users",
    authorize,
    "if (!hasFloor || !isDormant(callerOf(exchange).organization.plan)) return null;",
    'if (!hasFloor || callerOf(exchange).kind === "session" || !isDormant(callerOf(exchange).organization.plan)) return null;',
  ),
  mutantOf("CON-30", "renewed", "takes no answer of who was asked before and did not reply", [
    remembered(() => {
      const expired = new Set<string>();
      return working(() => ({ doubleOptIns, consents }) => ({
        doubleOptIns: withMembers(doubleOptIns, {
          async end(ended) {
            if (ended.state === "expired") expired.add(ended.phoneNumber);
            await doubleOptIns.end(ended);
          },
        }),
        consents: withMembers(consents, {
          async put(consent: Consent) {
            if (consent.state === "opted-in" && consent.source !== "reply" && expired.has(consent.phoneNumber)) return;
            await consents.put(consent);
          },
        }),
      }));
    }),
  ]),
  mutantOf("CON-23", "confirmed", "keeps what a double opt-in has confirmed of who is erased", [
    remembered(() => {
      const confirmed = new Set<string>();
      return working(() => ({ doubleOptIns, consents }) => ({
        doubleOptIns: withMembers(doubleOptIns, {
          async end(ended) {
            if (ended.state === "confirmed") confirmed.add(ended.phoneNumber);
            await doubleOptIns.end(ended);
          },
        }),
        consents: withMembers(consents, {
          async remove(phoneNumber: string) {
            if (!confirmed.has(phoneNumber)) await consents.remove(phoneNumber);
          },
        }),
      }));
    }),
  ]),
  mutant(
    "WHO-02",
    "endpoint",
    "ends the time of the previous secret when an endpoint's is rotated",
    "routes/webhooks.ts",
    "const rotated = rotatedEndpoint(endpoint, secret, now);",
    `const rotated = rotatedEndpoint(endpoint, secret, now);
        const all = await tx.secrets.find();
        if (all !== null) await tx.secrets.put({ ...all, previous: [] });`,
  ),
];
