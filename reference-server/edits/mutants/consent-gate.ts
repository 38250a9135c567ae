import { randomUUID } from "node:crypto";
import { refuse } from "../../../generated/error-rows.ts";
import type { Consent } from "../../domain/consent/consent.ts";
import type { Mutant, PortChange } from "../edit.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import { inPlaceOf, isRefusal, onAnswer, parsed, type Wire, withBody } from "../wire.ts";
import { normalizingRecipient } from "../wire-requests.ts";
import { mutant, mutantOf, wireMutant } from "./mutant.ts";

/** What units know of a recipient's consent. */
const knowing = (change: (known: Consent | null, phoneNumber: string) => Consent | null): PortChange =>
  working(() => (tx) => ({
    consents: withMembers(tx.consents, {
      of: async (phoneNumber) => change(await tx.consents.of(phoneNumber), phoneNumber),
    }),
  }));

/** Refusals for lack of consent, with another status or error. */
const onConsentRefusal = (
  change: (answer: Parameters<typeof withBody>[0], error: object) => ReturnType<typeof withBody>,
): Wire =>
  onAnswer("sendMessage", (answer) =>
    isRefusal(answer, "ConsentRequired") ? change(answer, Object(Object(parsed(answer.bytes)).error)) : answer,
  );

const optedIn = (phoneNumber: string): Consent => ({
  organizationId: "",
  phoneNumber,
  state: "opted-in",
  source: "assumed",
  capturedAt: 0,
});

/** Numbers that a request spelled in another way than E.164, as long as the request lasts. */
const spelledNumbers = new Set<string>();

/** A server that compares the text of a request with the numbers that have opted out. */
const spelled: readonly Mutant[] = [
  mutantOf("MSG-05", "spelled", "sends to a recipient who has opted out if the number has blanks", [
    { wire: normalizingRecipient((phoneNumber) => spelledNumbers.add(phoneNumber)) },
    knowing((known, phoneNumber) =>
      spelledNumbers.delete(phoneNumber) && known !== null ? { ...known, state: "opted-in" } : known,
    ),
  ]),
];

/** Servers that take no heed of consent, or say so in a wrong way. */
export const consentGateMutants: readonly Mutant[] = [
  mutantOf("MSG-04", "open", "takes a recipient of whom it knows nothing for one who consents", [
    knowing((known, phoneNumber) => known ?? optedIn(phoneNumber)),
  ]),
  wireMutant(
    "MSG-04",
    "forbidden",
    "forbids sends to who has not opted in",
    inPlaceOf("sendMessage", "ConsentRequired", refuse.Forbidden("No consent.")),
  ),
  mutantOf("MSG-12", "canada", "gates recipients of the United States alone", [
    knowing((known, phoneNumber) => (phoneNumber.startsWith("+1416") ? (known ?? optedIn(phoneNumber)) : known)),
  ]),
  mutantOf("MSG-05", "deaf", "sends on to who has opted out", [
    knowing((known) => known && { ...known, state: "opted-in" }),
  ]),
  ...spelled,
  mutant("CON-04", "polite", "does not know STOP", "domain/consent/reply.ts", '"STOP"', '"HALT"'),
  mutantOf("CON-04", "everybody", "takes one recipient's STOP for everybody's", [
    working(() => {
      let isStopped = false;
      return (tx) => ({
        consents: withMembers(tx.consents, {
          async of(phoneNumber) {
            const known = await tx.consents.of(phoneNumber);
            return known && isStopped ? { ...known, state: "opted-out" } : known;
          },
          async put(consent) {
            isStopped = consent.state === "opted-out";
            await tx.consents.put(consent);
          },
        }),
      });
    }),
  ]),
  ...([403, 422] as const).map((status) =>
    wireMutant(
      "MSG-06",
      String(status),
      `refuses for lack of consent with ${status}`,
      onConsentRefusal((answer) => ({ ...answer, status })),
    ),
  ),
  ...([503, 409] as const).map((status) =>
    wireMutant(
      "MSG-07",
      String(status),
      `refuses for lack of consent with ${status}`,
      onConsentRefusal((answer) => ({ ...answer, status })),
    ),
  ),
  wireMutant("MSG-08", "two", "has another status for who opted out", (serve) => {
    const sent = new Set<string>();
    return async (request) => {
      const answer = await serve(request);
      if (request.operation !== "sendMessage") return answer;
      const { to } = Object(parsed(request.bytes));
      const place = `${request.headers.authorization} ${to}`;
      if (answer.status < 300) sent.add(place);
      // Who was sent to before has opted out since.
      return isRefusal(answer, "ConsentRequired") && sent.has(place) ? { ...answer, status: 471 } : answer;
    };
  }),
  wireMutant(
    "MSG-09",
    "details",
    "gives details of the lack of consent",
    onConsentRefusal((answer, error) =>
      withBody(answer, { success: false, error: { ...error, details: { to: "no" } } }),
    ),
  ),
  mutantOf("MSG-10", "fee", "charges a fee for sends that are refused", [
    {
      ports(ports) {
        const { store } = ports;
        return {
          ...ports,
          store: withMembers(store, {
            async atomically(organizationId, work) {
              const result = await store.atomically(organizationId, work);
              const isMeant = Object(result).row === "ConsentRequired";
              const fee = { kind: "charge", amount: 1, reference: `fee ${randomUUID()}`, at: 0 } as const;
              if (isMeant) await store.atomically(organizationId, (tx) => tx.ledger.append(fee));
              return result;
            },
          }),
        };
      },
    },
  ]),
  mutantOf("MSG-11", "noted", "keeps a note of sends that are refused", [
    {
      ports(ports) {
        const { store } = ports;
        return {
          ...ports,
          store: withMembers(store, {
            async atomically(organizationId, work) {
              const result = await store.atomically(organizationId, work);
              const note = { ...optedIn("+12025550100"), organizationId, capturedAt: Date.now() };
              const isMeant = Object(result).row === "ConsentRequired";
              if (isMeant)
                await store.atomically(organizationId, (tx) => tx.consents.put({ ...note, source: randomUUID() }));
              return result;
            },
          }),
        };
      },
    },
  ]),
  mutantOf("CON-01", "forgets", "forgets every other consent", [
    knowing((known) => (known && Number(known.phoneNumber.at(-1)) % 2 === 1 ? null : known)),
  ]),
];
