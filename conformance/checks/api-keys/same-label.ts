import { check } from "../../context/check.ts";
import { dataOf, isSuccess, objectOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import { newLabel } from "../../provision/new-label.ts";
import type { Credential } from "../../provision/tenant.ts";
import { readScope } from "../../steps/grantable.ts";
import { worksStill } from "./after-revocation.ts";

/** Keys that nothing but their secrets and ids tells from each other. */
export const sameLabel = check({
  id: "api-keys.same-label",
  title: "Of two keys with one label each works, and goes on to do so when the other one is rotated",
  rules: ["KEYC-11", "KEYG-15"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 3 },
  async run(t) {
    const main = await (await t.tenant()).main();
    const body = { label: newLabel(), scopes: [readScope] };
    const keys: Credential[] = [];
    for (const name of ["first key of a label", "second key of a label"]) {
      const exchange = await t.call("createApiKey", { body }, main);
      // Whether a label may be given twice is open.
      if (keys.length > 0 && !isSuccess(exchange))
        throw new NotApplicable(`a second key with the label of another was answered ${summaryOf(exchange)}`);
      const { id, plaintext } = objectOf(dataOf(t.control(exchange, "creating a key"))) ?? {};
      if (typeof id !== "string" || typeof plaintext !== "string")
        throw new Blocked("a created key shows no id or no plaintext", "see KEYC-02 and KEYC-05 first", "server");
      keys.push({ ...main, name, id, token: plaintext, scopes: body.scopes });
    }
    for (const key of keys) await worksStill(t, key);
    const [one, other] = keys;
    if (one === undefined || other === undefined) throw new Error("Two keys were made.");
    t.control(await t.call("rotateApiKey", { path: { id: String(one.id) } }, main), "rotating a key");
    await worksStill(t, other);
  },
});
