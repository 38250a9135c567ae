import { refuse } from "../../../generated/error-rows.ts";
import type { Contrarian } from "../edit.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import { inPlaceOf, onData } from "../wire.ts";

/** Servers that answer the questions on erasing contacts in other ways. */
export const contactContrarians: readonly Contrarian[] = [
  {
    id: "Q163-nothing",
    does: "answers nothing of a contact who was erased",
    answers: "Q163",
    changes: [{ wire: onData("eraseContact", () => ({})) }],
  },
  {
    id: "Q124-unknown",
    does: "does not find a contact of whom nothing is on file",
    answers: "Q124",
    changes: [
      {
        file: "routes/contacts.ts",
        find: "const consent = await tx.consents.of(phoneNumber);",
        replace:
          'const consent = await tx.consents.of(phoneNumber);\n        if (consent === null) return refuse.NotFound("There is no such contact.");',
      },
    ],
  },
  {
    id: "Q124-unprocessable",
    does: "calls what is no number in the path a failed validation",
    answers: "Q124",
    changes: [
      {
        wire: inPlaceOf(
          "eraseContact",
          "ValidationFailed400",
          refuse.ValidationFailed("The request has invalid fields.", { contact_number: "must be a phone number" }),
        ),
      },
    ],
  },
  {
    id: "Q164-name",
    does: "keeps the consent of a contact who is erased",
    answers: "Q164",
    changes: [working(() => (tx) => ({ consents: withMembers(tx.consents, { remove: async () => undefined }) }))],
  },
  {
    id: "Q164-opt-out",
    does: "forgets that a contact who is erased has opted out",
    answers: "Q164",
    changes: [
      {
        file: "domain/consent/erasure.ts",
        find: 'state === "opted-out"',
        replace: 'state === "opted-out" && false',
      },
    ],
  },
];
