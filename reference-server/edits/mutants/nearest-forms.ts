import { constants } from "../../../generated/constants.ts";
import { type OperationId, operations } from "../../../generated/operations.ts";
import { timeOf } from "../../domain/clock.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import {
  dataOf,
  isRefusal,
  onRequest,
  type Serve,
  type Wire,
  type WireAnswer,
  type WireRequest,
  withData,
} from "../wire.ts";
import { bodyOf, withRequestBody } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

const keyHeader = operations.sendMessage.idempotencyHeader.toLowerCase();
const hasKey = ({ headers }: WireRequest): boolean => headers[keyHeader] !== undefined;

const bodyIn = (request: WireRequest): Readonly<Record<string, unknown>> => Object(bodyOf(request));
const callerIn = ({ headers }: WireRequest): string => String(headers.authorization);
const lacksConsent = (answer: WireAnswer): boolean => isRefusal(answer, "ConsentRequired");

/** Captures the consent of whom a send is to, on the way, and sends. */
async function sendAllTheSame(serve: Serve, request: WireRequest): Promise<WireAnswer> {
  const { method, path } = operations.captureConsent;
  const consent = withRequestBody(request, { phone_number: bodyIn(request).to, source: "edit" });
  await serve({ ...consent, method, path, operation: "captureConsent" });
  return serve(request);
}

/** Sends without consent to those who are meant; `note` is told of all calls and whether they succeeded. */
const consenting =
  (
    make: () => {
      readonly isMeant: (request: WireRequest) => boolean;
      readonly note?: (request: WireRequest, isDone: boolean) => void;
    },
  ): Wire =>
  (serve) => {
    const { isMeant, note } = make();
    return async (request) => {
      const answer = await serve(request);
      note?.(request, answer.status < 300);
      return request.operation === "sendMessage" && lacksConsent(answer) && isMeant(request)
        ? sendAllTheSame(serve, request)
        : answer;
    };
  };

/** The numbers in a batch of consents. */
function numbersIn(request: WireRequest): readonly unknown[] {
  const { records } = bodyIn(request);
  return request.operation === "captureConsentBatch" && Array.isArray(records)
    ? records.map((record) => Object(record).phone_number)
    : [];
}

/** Whose consent was captured in a batch can be sent to, for as long as `isMeant`. */
const consentingOnceInBatch = (placeOf: (request: WireRequest, number: unknown) => string): Wire =>
  consenting(() => {
    const places = new Set<string>();
    return {
      isMeant: (request) => places.has(placeOf(request, bodyIn(request).to)),
      note(request, isDone) {
        if (isDone) for (const number of numbersIn(request)) places.add(placeOf(request, number));
      },
    };
  });

/** Who was sent to, and was asked afterwards by this operation, can be sent to. */
const consentingOnceAsked = (operation: OperationId): Wire =>
  consenting(() => {
    const sent = new Set<unknown>();
    const asked = new Set<unknown>();
    return {
      isMeant: (request) => asked.has(bodyIn(request).to),
      note(request, isDone) {
        const { to, phone_number: number } = bodyIn(request);
        if (request.operation === "sendMessage" && isDone) sent.add(to);
        if (request.operation === operation && sent.has(number)) asked.add(number);
      },
    };
  });

/** Forgets lookups that were asked for with an idempotency key. */
const forgettingKeyed: PortChange = working(() => {
  const keyed = new Set<string>();
  return (tx) => {
    const inserted: string[] = [];
    return {
      lookups: withMembers(tx.lookups, {
        async insert(lookup) {
          inserted.push(lookup.id);
          await tx.lookups.insert(lookup);
        },
        async latest(number) {
          const found = await tx.lookups.latest(number);
          return found !== null && keyed.has(found.id) ? null : found;
        },
      }),
      answers: withMembers(tx.answers, {
        async keep(answer, now) {
          for (const id of inserted) keyed.add(id);
          await tx.answers.keep(answer, now);
        },
      }),
    };
  };
});

/** Forgets after a day who has opted in with others. */
const forgettingBatches: PortChange = working(({ world }) => {
  const together = new Set<string>();
  return (tx) => ({
    consents: withMembers(tx.consents, {
      async putAll(consents) {
        if (consents.length > 1) for (const { phoneNumber } of consents) together.add(phoneNumber);
        await tx.consents.putAll(consents);
      },
      async of(number) {
        const found = await tx.consents.of(number);
        const now = tx.organization === null ? 0 : timeOf(tx.organization.clock, world.now());
        const isOld = found !== null && now - found.capturedAt > 3_600_000;
        return isOld && together.has(number) ? null : found;
      },
    }),
  });
});

/** Sends to fixed lines where the call is meant, as if they were none. */
const sendingToFixed = (isMeant: (request: WireRequest) => boolean): Wire => {
  let last: WireAnswer | null = null;
  return (serve) => async (request) => {
    const answer = await serve(request);
    if (request.operation !== "sendMessage") return answer;
    if (answer.status < 300) last = answer;
    return isRefusal(answer, "LineTypeBlocked") && isMeant(request) ? (last ?? answer) : answer;
  };
};

/** Cancels nothing that was sent with a key. */
const cancellingKeyless: Wire = (serve) => {
  const keyed = new Set<unknown>();
  const nothing = "0190a0b0-0000-7000-8000-000000000000";
  return async (request) => {
    const { id = "" } = request.parameters;
    if (request.operation === "cancelMessage" && keyed.has(id))
      return serve({ ...request, path: request.path.replace(id, nothing), parameters: { id: nothing } });
    const answer = await serve(request);
    if (request.operation === "sendMessage" && hasKey(request)) keyed.add(dataOf(answer)?.id);
    return answer;
  };
};

/** Answers a retry of a lookup with another kind of line. */
const anotherLine: Wire = (serve) => {
  const known = new Set<string>();
  return async (request) => {
    const answer = await serve(request);
    const data = dataOf(answer);
    if (request.operation !== "createLookup" || data === null || !hasKey(request)) return answer;
    const call = `${callerIn(request)} ${request.headers[keyHeader]}`;
    if (!known.has(call)) {
      known.add(call);
      return answer;
    }
    const { mobileLine, voipLine } = constants;
    return withData(answer, { ...data, line_type: data.line_type === voipLine ? mobileLine : voipLine });
  };
};

/** Servers with a fault in one form of a call alone: with a key, in a batch, once more after a STOP. */
export const nearestFormMutants: readonly Mutant[] = [
  wireMutant(
    "MSG-04",
    "keyed",
    "asks for no consent where a send has a key",
    consenting(() => ({ isMeant: hasKey })),
  ),
  wireMutant("MSG-13", "keyed", "overlooks the line type where a send has a key", (serve) =>
    sendingToFixed(hasKey)(serve),
  ),
  mutantOf("MSG-21", "keyed", "goes by no lookup that was asked for with a key", [forgettingKeyed]),
  wireMutant("MSG-39", "keyed", "cancels nothing that was sent with a key", cancellingKeyless),
  mutantOf("CON-02", "day", "forgets within a day who has opted in with others", [forgettingBatches]),
  wireMutant(
    "CON-03",
    "opted-out",
    "sends to who has opted out once they were asked again",
    consentingOnceAsked("requestDoubleOptIn"),
  ),
  wireMutant(
    "CON-38",
    "opted-out",
    "sends to who has opted out once a form was made for them",
    consentingOnceAsked("createHostedForm"),
  ),
  wireMutant(
    "CON-04",
    "batch",
    "knows no STOP of whom a batch of consents named",
    consentingOnceInBatch((request, number) => `${callerIn(request)} ${number}`),
  ),
  wireMutant(
    "CON-08",
    "batch",
    "takes a consent to any organization for one to all where it was captured in a batch",
    consentingOnceInBatch((_, number) => String(number)),
  ),
  mutant(
    "LKP-06",
    "exact",
    "looks nothing up for the last of the money",
    "domain/lookups/lookup.ts",
    "balance >= price",
    "balance > price",
  ),
  mutant(
    "LKP-08",
    "keyed",
    "keeps what a lookup with a key cost that failed",
    "routes/lookups.ts",
    'await tx.ledger.append(lookupEntry("refund", { id, price, at: now }));',
    'if (caller.retry === null) await tx.ledger.append(lookupEntry("refund", { id, price, at: now }));',
  ),
  wireMutant("LKP-09", "type", "answers a retry with another kind of line", anotherLine),
  wireMutant(
    "NUM-14",
    "case",
    "reads fields of an update in any case",
    onRequest("updatePhoneNumber", (request) =>
      withRequestBody(
        request,
        Object.fromEntries(Object.entries(bodyIn(request)).map(([name, value]) => [name.toLowerCase(), value])),
      ),
    ),
  ),
  wireMutant(
    "NUM-14",
    "camel",
    "reads fields of an update in camel case, too",
    onRequest("updatePhoneNumber", (request) =>
      withRequestBody(
        request,
        Object.fromEntries(
          Object.entries(bodyIn(request)).map(([name, value]) => [
            name.replace(/[a-z][A-Z]/g, ([before = "", after = ""]) => `${before}_${after.toLowerCase()}`),
            value,
          ]),
        ),
      ),
    ),
  ),
];
