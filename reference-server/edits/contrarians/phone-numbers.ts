import type { Contrarian } from "../edit.ts";

/** Servers that answer the questions on phone numbers in other ways. */
export const phoneNumberContrarians: readonly Contrarian[] = [
  {
    id: "Q183-same-first",
    does: "shows everybody who searches the same numbers first",
    answers: "Q183",
    changes: [
      {
        file: "domain/phone-numbers/number-stock.ts",
        find: 'createHash("sha256").update(organizationId).digest().readUInt32BE() % count',
        replace: "organizationId.length % 1",
      },
    ],
  },
];
