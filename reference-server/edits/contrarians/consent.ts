import { refuse } from "../../../generated/error-rows.ts";
import type { Contrarian } from "../edit.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import { dataOf, isRefusal, onAnswer, onRequest, parsed, refusedWith, withData } from "../wire.ts";
import { withRequestBody } from "../wire-requests.ts";

/** Another status of the client class that no row of the catalog has. */
const otherStatus = 451;

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
    does: "takes and shows consents under other names",
    answers: "Q122",
    shapes: {
      captureConsent: { request: { phone_number: "contact.phone", source: "how" }, response: {} },
    },
    changes: [
      {
        wire: onRequest("captureConsent", (request) => {
          const body = parsed(request.bytes);
          if (typeof body !== "object" || body === null || !("contact" in body)) return request;
          const { contact, how: source, ...others } = Object(body);
          const { phone: phone_number } = Object(contact);
          return withRequestBody(request, { ...others, phone_number, source });
        }),
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
