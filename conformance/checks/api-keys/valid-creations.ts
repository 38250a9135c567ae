import * as fc from "fast-check";
import type { Check } from "../../check/check.ts";
import { newLabel } from "../../check/new-label.ts";
import { dataOf, objectOf } from "../../exchange/exchange.ts";
import { grantable } from "./grantable.ts";

/** A bucket that a property's creations do not empty. */
export const wide = { apiKeyWrites: { capacity: 1_000_000, periodSeconds: 1 } };

/** Labels that no validation of theirs could sensibly refuse: the document shows none. */
const characters = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"];
const plainLabel = fc
  .string({ unit: fc.constantFrom(...characters), minLength: 7, maxLength: 15, size: "max" })
  .map((text) => `b${text}`);

/** Any valid creation. */
export const validCreations: Check = {
  id: "api-keys.valid-creations",
  title: "Every valid creation is accepted and answers what was asked",
  rules: ["KEYC-01", "KEYC-03", "KEYC-04"],
  kind: "property",
  needs: ["limit-override"],
  effects: ["creates"],
  draws: 1,
  async run(t) {
    const main = await (await t.tenant({ limits: wide })).main();
    const decide = async (body: { readonly label: string; readonly scopes: readonly string[] }): Promise<void> => {
      const exchange = await t.call("createApiKey", { body }, main);
      if (!t.accepted("KEYC-01", exchange)) return;
      const key = objectOf(dataOf(exchange)) ?? {};
      t.equal("KEYC-03", "label", key.label, body.label, exchange);
      const scopes = Array.isArray(key.scopes) ? [...key.scopes].sort() : key.scopes;
      t.equal("KEYC-04", "scopes as a set", scopes, [...body.scopes].sort(), exchange);
    };
    // One outside the property, so that a value which breaks one rule leaves none of the others undecided.
    t.control(await t.call("createApiKey", { body: { label: newLabel(), scopes: grantable(main) } }, main), "a creation");
    await decide({ label: newLabel(), scopes: grantable(main) });
    const valid = fc.record({ label: plainLabel, scopes: fc.shuffledSubarray([...grantable(main)], { minLength: 1 }) });
    await t.property(valid, decide);
  },
};
