import type { Mutant } from "../edit.ts";
import { remembering } from "../port-changes.ts";
import { mutant, mutantOf } from "./mutant.ts";

const webhooks = "routes/webhooks.ts";

/** Servers that are right in the simplest form, and wrong with one thing more: two of it, the last of the money, a long list. */
export const exactlySo: readonly Mutant[] = [
  mutant(
    "KEYC-22",
    "thirteenth",
    "looks at the first twelve of the scopes that are asked for",
    "domain/keys/api-keys.ts",
    "refuseUnheld(caller, scopes.filter(isKnownScope))",
    "refuseUnheld(caller, scopes.filter(isKnownScope).slice(0, 12))",
  ),
  mutant(
    "LKP-08",
    "last-credit",
    "gives nothing back where a lookup was paid with the last of the money",
    "routes/lookups.ts",
    'await tx.ledger.append(lookupEntry("refund", { id, price, at: now }));',
    'if ((await tx.ledger.wallet()).balance > 0) await tx.ledger.append(lookupEntry("refund", { id, price, at: now }));',
  ),
  mutant(
    "NUM-03",
    "exact-two",
    "orders no two numbers for the last of the money",
    "domain/phone-numbers/phone-number.ts",
    "balance >= rent * count",
    "balance >= rent * count + (count > 1 ? 1 : 0)",
  ),
  mutant(
    "AUTH-07",
    "twice",
    "says so where a credential comes twice",
    "http/authenticate.ts",
    "rows.unauthorized(message)",
    'rows.unauthorized((exchange.request.headersDistinct.authorization ?? []).length > 1 ? "Send one credential." : message)',
  ),
  mutantOf(
    "WHR-12",
    "organization",
    "keeps an endpoint's secret where that of its organization was rotated just before",
    [
      remembering(
        webhooks,
        'import { timestamp } from "../domain/clock.ts";',
        "const rotations = new Map<string, number>();",
      ),
      {
        file: webhooks,
        find: "const [last] = secrets.previous;",
        replace: "rotations.set(caller.organization.id, now);\n      const [last] = secrets.previous;",
      },
      {
        file: webhooks,
        find: "await tx.endpoints.update(rotated);",
        replace:
          "if ((rotations.get(caller.organization.id) ?? 0) < now - graceMilliseconds) await tx.endpoints.update(rotated);",
      },
    ],
  ),
  ...(["KEYC-33", "LIM-07", "LIM-21", "LIM-22", "WHP-26"] as const).map((rule) =>
    mutant(
      rule,
      "half-minute",
      "asks nobody to wait for more than half a minute",
      "domain/limits/retry-after.ts",
      "Math.max(1, Math.ceil(milliseconds / 1000))",
      "Math.min(30, Math.max(1, Math.ceil(milliseconds / 1000)))",
    ),
  ),
];
