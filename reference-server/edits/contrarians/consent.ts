import { refuse } from "../../../generated/error-rows.ts";
import type { Contrarian } from "../edit.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import { dataOf, isRefusal, onAnswer, onRequest, parsed, refusedWith, withData } from "../wire.ts";
import { withRequestBody } from "../wire-requests.ts";

/** Another status of the client class that no row of the catalog has. */
const otherStatus = 451;

/** A body with each consent in it as the reference names its members. */
function usual(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(usual);
  if (typeof body !== "object" || body === null) return body;
  if (!("contact" in body))
    return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, usual(value)]));
  const { contact, how: source, ...others } = Object(body);
  return { ...others, phone_number: Object(contact).phone, source };
}

/** What a consent is for, on the server that wants to know. */
const channel = "sms";

/**
 * A consent of a number and its channel alone as the reference wants it; any other without the source, for which the
 * reference refuses it.
 */
function strictly(consent: unknown): unknown {
  if (typeof consent !== "object" || consent === null || Array.isArray(consent)) return consent;
  const { channel: given, source: _, ...others } = Object(consent);
  const isKnown = given === channel && !("source" in consent) && Object.keys(others).join() === "phone_number";
  return isKnown ? { ...others, source: "unknown" } : others;
}

/** Servers that answer the questions on consent in other ways. */
export const consentContrarians: readonly Contrarian[] = [
  {
    id: "Q87-legal",
    does: "refuses a send without consent for legal reasons",
    answers: "Q87",
    changes: [
      {
        wire: onAnswer("sendMessage", (answer) =>
          isRefusal(answer, "ConsentRequired") ? { ...answer, status: otherStatus } : answer,
        ),
      },
    ],
  },
  // Before the other shape, whose answers name no number.
  {
    id: "Q122-once",
    does: "refuses to capture a consent that it has",
    answers: "Q122",
    changes: [
      working(() => (tx) => ({
        consents: withMembers(tx.consents, {
          async put(consent) {
            const known = await tx.consents.of(consent.phoneNumber);
            if (known?.state !== consent.state) await tx.consents.put(consent);
          },
        }),
      })),
      {
        wire: (serve) => {
          const captured = new Set<string>();
          return async (request) => {
            const answer = await serve(request);
            if (request.operation !== "captureConsent" || answer.status >= 300) return answer;
            const place = `${request.headers.authorization} ${dataOf(answer)?.phone_number}`;
            if (captured.has(place)) return refusedWith(answer, refuse.Conflict("It is on file already."));
            captured.add(place);
            return answer;
          };
        },
      },
    ],
  },
  {
    id: "Q122-shape",
    does: "takes and shows a consent under other names, but not those of a batch",
    answers: "Q122",
    shapes: {
      captureConsent: { request: { phone_number: "contact.phone", source: "how" }, response: {} },
    },
    changes: [
      {
        wire: (serve) => (request) => {
          const body = request.operation === "captureConsent" ? parsed(request.bytes) : undefined;
          return serve(JSON.stringify(body)?.includes('"contact"') ? withRequestBody(request, usual(body)) : request);
        },
      },
      {
        wire: onAnswer("captureConsent", (answer) => {
          const data = dataOf(answer);
          return data === null ? answer : withData(answer, { contact: { phone: data.phone_number } });
        }),
      },
    ],
  },
  {
    id: "Q122-strict",
    does: "wants the channel of a consent, and refuses members that it does not know, such as its source and time",
    answers: "Q122",
    excludes: ["Q122-shape", "Q160-shape"],
    shapes: {
      captureConsent: { request: { source: null, captured_at: null }, constants: { channel }, response: {} },
      captureConsentBatch: {
        request: { "records.*.source": null, "records.*.captured_at": null },
        constants: { "records.*.channel": channel },
        response: {},
      },
    },
    changes: [
      {
        wire: onRequest("captureConsent", (request) => {
          const body = parsed(request.bytes);
          return body === undefined ? request : withRequestBody(request, strictly(body));
        }),
      },
      {
        wire: onRequest("captureConsentBatch", (request) => {
          const body = parsed(request.bytes);
          const { records } = Object(body);
          return Array.isArray(records)
            ? withRequestBody(request, { ...Object(body), records: records.map(strictly) })
            : request;
        }),
      },
    ],
  },
  {
    id: "Q123-final",
    does: "never sends again to who has replied STOP",
    answers: "Q123",
    changes: [
      working(() => (tx) => ({
        consents: withMembers(tx.consents, {
          async put(consent) {
            const known = await tx.consents.of(consent.phoneNumber);
            if (known?.state !== "opted-out") await tx.consents.put(consent);
          },
        }),
      })),
    ],
  },
];
