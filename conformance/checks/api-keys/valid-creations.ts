import * as fc from "fast-check";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { dataOf, objectOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { newLabel } from "../../provision/new-label.ts";
import type { Credential } from "../../provision/tenant.ts";
import { grantable } from "../../steps/grantable.ts";
import { roomyBucket } from "../../steps/roomy-bucket.ts";

/** A bucket that a property's creations do not empty. */
export const wide = { apiKeyWrites: roomyBucket };

interface Wanted {
  /** What the label ends with: the document shows no rules for labels, so no other part is chosen freely. */
  readonly ending: string;
  readonly scopes: readonly string[];
}

const characters = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"];
const ending = fc.string({ unit: fc.constantFrom(...characters), maxLength: 6, size: "max" });

/** Any valid creation. */
export const validCreations = check({
  id: "api-keys.valid-creations",
  title: "Every valid creation is accepted and answers what was asked",
  rules: ["KEYC-01", "KEYC-03", "KEYC-04", "KEYC-05", "KEYC-08", "KEYC-09"],
  kind: "property",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 2 },
  async run(t) {
    const main = await (await t.tenant({ limits: wide })).main();
    const scopes = [...grantable(main)];
    // One value before the others, so that a breach of one rule leaves none of the others undecided.
    if (!(await decide(t, main, { ending: "", scopes })))
      throw new Blocked("a valid creation was refused", "see KEYC-01 first", "server");
    const valid = fc.record({ ending, scopes: fc.shuffledSubarray(scopes, { minLength: 1 }) });
    await t.property(valid, async (wanted) => void (await decide(t, main, wanted)));
  },
});

async function decide(t: CheckContext, main: Credential, wanted: Wanted): Promise<boolean> {
  const body = { label: newLabel() + wanted.ending, scopes: wanted.scopes };
  const exchange = await t.call("createApiKey", { body }, main);
  if (!t.accepted("KEYC-01", exchange)) return false;
  const key = objectOf(dataOf(exchange)) ?? {};
  t.equal("KEYC-03", "label", key.label, body.label, exchange);
  const scopes = Array.isArray(key.scopes) ? [...key.scopes].sort() : key.scopes;
  t.equal("KEYC-04", "scopes as a set", scopes, [...body.scopes].sort(), exchange);
  const begins = typeof key.prefix === "string" && key.prefix !== "" && String(key.plaintext).startsWith(key.prefix);
  t.verify("KEYC-05", begins, {
    expected: "prefix, a leading part of plaintext",
    actual: `prefix ${JSON.stringify(key.prefix)}`,
    exchanges: [exchange],
  });
  t.equal("KEYC-08", "last_used_at", key.last_used_at, null, exchange);
  t.equal("KEYC-09", "revoked_at", key.revoked_at, null, exchange);
  return true;
}
