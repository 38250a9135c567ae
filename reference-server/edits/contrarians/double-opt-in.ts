import type { Contrarian } from "../edit.ts";
import { dataOf, onAnswer, onRequest, withData } from "../wire.ts";
import { bodyOf, withRequestBody } from "../wire-requests.ts";

/** Servers that answer the questions on double opt-in in other ways. */
export const doubleOptInContrarians: readonly Contrarian[] = [
  {
    id: "Q165-shape",
    does: "takes and shows double opt-ins under other names",
    answers: "Q165",
    shapes: {
      requestDoubleOptIn: { request: { phone_number: "contact.phone", source: "how" }, response: {} },
    },
    changes: [
      {
        wire: onRequest("requestDoubleOptIn", (request) => {
          const body = bodyOf(request);
          if (typeof body !== "object" || body === null || !("contact" in body)) return request;
          const { contact, how: source, ...others } = Object(body);
          const { phone: phone_number } = Object(contact);
          return withRequestBody(request, { ...others, phone_number, source });
        }),
      },
      {
        wire: onAnswer("requestDoubleOptIn", (answer) => {
          const data = dataOf(answer);
          return data === null ? answer : withData(answer, { state: "asked", contact: { phone: data.phone_number } });
        }),
      },
    ],
  },
  {
    id: "Q166-year",
    does: "gives recipients a year for their answer",
    answers: "Q166",
    changes: [
      {
        file: "domain/consent/double-opt-in.ts",
        find: "Number(doubleOptInHours) * hour",
        replace: "365 * 24 * hour + 0 * Number(doubleOptInHours)",
      },
    ],
  },
  {
    id: "Q167-code",
    does: "has recipients confirm by a code alone",
    answers: "Q167",
    changes: [
      {
        file: "domain/consent/reply.ts",
        find: 'state === "opted-in" && doubleOptIn !== null',
        replace: 'text === "4711" && doubleOptIn !== null',
      },
    ],
  },
  {
    id: "Q167-more",
    does: "has recipients confirm by further words too",
    answers: "Q167",
    changes: [
      {
        file: "domain/consent/reply.ts",
        find: '["START", "YES", "UNSTOP"]',
        replace: '["START", "YES", "UNSTOP", "Y", "OK", "CONFIRM", "JOIN"]',
      },
    ],
  },
  {
    id: "Q168-again",
    does: "asks again whenever it is told to",
    answers: "Q168",
    changes: [
      {
        file: "routes/double-opt-ins.ts",
        find: "known !== null && isOpen(known, now)",
        replace: "known !== null && isOpen(known, now) && known.id === wanted.id",
      },
    ],
  },
  {
    id: "Q168-opted-out",
    does: "asks who has opted out as well",
    answers: "Q168",
    changes: [
      {
        file: "routes/double-opt-ins.ts",
        find: "refuseToAsk(await tx.consents.of(phoneNumber))",
        replace: "refuseToAsk(null)",
      },
    ],
  },
  {
    id: "Q54-asks",
    does: "draws double opt-ins and hosted forms from the allowance of consents",
    answers: "Q54",
    changes: [
      {
        file: "http/rate-limit.ts",
        find: "const { draws } = routeOf(exchange).operation;",
        replace: `const { id: operation, draws: listed } = routeOf(exchange).operation;
    const draws = ["requestDoubleOptIn", "createHostedForm"].includes(operation) ? [{ bucket: "consentRecords" as const, records: null, tooMany: null }] : listed;`,
      },
    ],
  },
];
