import type { Mutant } from "../edit.ts";
import { mutant, mutantOf } from "./mutant.ts";

const lookups = "routes/lookups.ts";

const keyed = {
  file: "http/answer-once.ts",
  find: "if (idempotencyHeader === null || key === undefined) return handle(exchange);",
};

/** Has users' idempotency keys of an operation count for nothing. */
const keysOfUsers = (operation: string): string =>
  `if (idempotencyHeader === null || key === undefined) return handle(exchange);
   if (callerOf(exchange).kind === "session" && routeOf(exchange).operation.id === "${operation}") return handle(exchange);`;

/** Servers with faults that services of this kind have had. */
export const fieldFaultMutants: readonly Mutant[] = [
  mutant("MSG-64", "user", "forgets the keys of what users send", keyed.file, keyed.find, keysOfUsers("sendMessage")),
  mutant("LKP-09", "user", "forgets the keys of users' lookups", keyed.file, keyed.find, keysOfUsers("createLookup")),
  mutantOf("CON-38", "opened", "takes a form that was opened for its submission", [
    {
      file: "pages/serve-hosted-form.ts",
      find: "return answer(response, 200, openPage(form, false));",
      replace: `return store
        .atomically(form.organizationId, (tx) => tx.consents.put(consentOf(form, now)))
        .then(() => answer(response, 200, openPage(form, false)));`,
    },
  ]),
  mutant(
    "WHR-23",
    "on",
    "turns an endpoint on whose secret is rotated",
    "routes/webhooks.ts",
    "const rotated = rotatedEndpoint(endpoint, secret, now);",
    "const rotated = { ...rotatedEndpoint(endpoint, secret, now), active: true };",
  ),
  mutantOf("BIL-35", "race", "looks at the wallet before a lookup, and not again when it charges", [
    {
      file: lookups,
      find: "const refusal = refuseUncovered(await tx.ledger.wallet(), price);",
      replace: "const refusal = null;",
    },
    {
      file: lookups,
      find: "await charge(tx, charged);",
      replace: "if (refuseUncovered(await tx.ledger.wallet(), price) === null) await charge(tx, charged);",
    },
  ]),
];
