import { refuse } from "../../../generated/error-rows.ts";
import type { Consent } from "../../domain/consent/consent.ts";
import { consentBy, type DoubleOptIn } from "../../domain/consent/double-opt-in.ts";
import type { DoubleOptIns, UnitOfWork } from "../../store/unit-of-work.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import { isRefusal, onRequest, refusedWith } from "../wire.ts";
import { bodyOf, withRequestBody } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

/** What units do with double opt-ins, and with consents on their account. */
const asking = (change: () => (tx: UnitOfWork) => Partial<DoubleOptIns>): PortChange =>
  working(() => {
    const changed = change();
    return (tx) => ({ doubleOptIns: withMembers(tx.doubleOptIns, changed(tx)) });
  });

const isConfirmed = ({ state }: DoubleOptIn): boolean => state === "confirmed";

/** Consents of numbers that have confirmed a double opt-in, as units see them. */
const seeingConfirmed = (
  placeOf: (confirmed: Pick<DoubleOptIn, "organizationId" | "phoneNumber">) => string,
  change: (known: Consent | null, confirmed: DoubleOptIn) => Consent | null,
): PortChange =>
  working(() => {
    const confirmed = new Map<string, DoubleOptIn>();
    return (tx) => ({
      doubleOptIns: withMembers(tx.doubleOptIns, {
        async end(ended) {
          if (isConfirmed(ended)) confirmed.set(placeOf(ended), ended);
          await tx.doubleOptIns.end(ended);
        },
      }),
      consents: withMembers(tx.consents, {
        async of(phoneNumber) {
          const known = await tx.consents.of(phoneNumber);
          const one = confirmed.get(placeOf({ organizationId: tx.organization?.id ?? "", phoneNumber }));
          return one === undefined ? known : change(known, one);
        },
      }),
    });
  });

/** Servers whose double opt-in is none. */
export const doubleOptInMutants: readonly Mutant[] = [
  mutantOf("CON-03", "at-once", "takes the question for its answer", [
    asking(() => (tx) => ({
      async insert(asked) {
        await tx.doubleOptIns.insert(asked);
        await tx.consents.put(consentBy(asked, asked.createdAt));
      },
    })),
  ]),
  mutantOf("CON-03", "twice", "takes who is asked a second time for one who has consented", [
    asking(() => (tx) => ({
      async pending(phoneNumber) {
        const asked = await tx.doubleOptIns.pending(phoneNumber);
        if (asked !== null) await tx.consents.put(consentBy(asked, asked.createdAt));
        return asked;
      },
    })),
  ]),
  mutantOf("CON-03", "lapsed", "takes silence for a yes once the time for an answer is over", [
    asking(() => (tx) => ({
      async end(ended) {
        await tx.doubleOptIns.end(ended);
        const isSilent = ended.state === "expired" && (await tx.consents.of(ended.phoneNumber)) === null;
        if (isSilent) await tx.consents.put(consentBy(ended, ended.expiresAt));
      },
    })),
  ]),
  mutantOf("CON-03", "anew", "takes who is asked anew, after the first time has expired, for one who has consented", [
    asking(() => {
      const expired = new Set<string>();
      return (tx) => ({
        async end(ended) {
          if (!isConfirmed(ended)) expired.add(`${ended.organizationId} ${ended.phoneNumber}`);
          await tx.doubleOptIns.end(ended);
        },
        async insert(asked) {
          await tx.doubleOptIns.insert(asked);
          if (
            expired.has(`${asked.organizationId} ${asked.phoneNumber}`) &&
            (await tx.consents.of(asked.phoneNumber)) === null
          )
            await tx.consents.put(consentBy(asked, asked.createdAt));
        },
      });
    }),
  ]),
  mutantOf("CON-03", "everybody", "takes one recipient's answer for that of all who were asked", [
    asking(() => {
      const asked: DoubleOptIn[] = [];
      return (tx) => ({
        async insert(one) {
          asked.push(one);
          await tx.doubleOptIns.insert(one);
        },
        async end(ended) {
          await tx.doubleOptIns.end(ended);
          const own = asked.filter(
            ({ organizationId }) => isConfirmed(ended) && organizationId === tx.organization?.id,
          );
          for (const one of own) await tx.consents.put(consentBy(one, one.createdAt));
        },
      });
    }),
  ]),
  ...(["requestDoubleOptIn", "createHostedForm"] as const).map((operation) =>
    wireMutant("CON-05", operation, `does not serve ${operation} to a dormant plan`, (serve) => {
      const dormant = new Set<string | undefined>();
      return async (request) => {
        const answer = await serve(request);
        const { authorization } = request.headers;
        if (isRefusal(answer, "PlanRequired")) dormant.add(authorization);
        return request.operation === operation && dormant.has(authorization)
          ? refusedWith(answer, refuse.PlanRequired("Take a plan."))
          : answer;
      };
    }),
  ),
  mutantOf("CON-30", "deaf", "forgets that a recipient has confirmed", [
    asking(() => (tx) => ({
      async end(ended) {
        await tx.doubleOptIns.end(ended);
        if (isConfirmed(ended)) await tx.consents.put({ ...consentBy(ended, ended.createdAt), state: "opted-out" });
      },
    })),
  ]),
  mutant(
    "CON-31",
    "anything",
    "takes whatever is answered for a yes",
    "domain/consent/reply.ts",
    'state === "opted-in" && doubleOptIn !== null',
    'state !== "opted-out" && doubleOptIn !== null',
  ),
  mutantOf("CON-32", "never", "never lets a double opt-in expire", [
    asking(() => (tx) => ({
      async pending(phoneNumber) {
        const asked = await tx.doubleOptIns.pending(phoneNumber);
        return asked && { ...asked, expiresAt: Number.MAX_SAFE_INTEGER };
      },
      async end(ended) {
        if (ended.state !== "expired") await tx.doubleOptIns.end(ended);
      },
    })),
  ]),
  mutantOf("CON-32", "restores", "notes silence as an opt-out, which YES takes back", [
    asking(() => (tx) => ({
      async end(ended) {
        await tx.doubleOptIns.end(ended);
        if (ended.state === "expired")
          await tx.consents.put({ ...consentBy(ended, ended.expiresAt), state: "opted-out" });
      },
    })),
  ]),
  mutantOf("CON-33", "shared", "has a recipient confirm to every organization", [
    seeingConfirmed(
      ({ phoneNumber }) => phoneNumber,
      (known, confirmed) => known ?? consentBy(confirmed, confirmed.createdAt),
    ),
  ]),
  mutantOf("CON-34", "for-good", "knows no way back from a confirmation", [
    seeingConfirmed(
      ({ organizationId, phoneNumber }) => `${organizationId} ${phoneNumber}`,
      (_known, confirmed) => consentBy(confirmed, confirmed.createdAt),
    ),
  ]),
  wireMutant(
    "CON-35",
    "whatever",
    "asks whomever it is told to",
    onRequest("requestDoubleOptIn", (request) => {
      const body = bodyOf(request);
      const { phone_number: number } = Object(body);
      const isOdd = typeof number === "string" && !/^\+[1-9]/.test(number);
      return isOdd ? withRequestBody(request, { ...Object(body), phone_number: "+12125550149" }) : request;
    }),
  ),
];
