import { documentedScopes } from "../../../generated/scopes.ts";
import { check } from "../../context/check.ts";
import { rowNamed } from "../../exchange/admits.ts";
import { codeOf, dataOf, type Exchange, isSuccess, objectOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { newLabel } from "../../provision/new-label.ts";
import { grantable, readScope, writeScope } from "../../steps/grantable.ts";

/** Scopes that the document names, granted by a caller that holds them. */
export const grantsDocumentedScopes = check({
  id: "api-keys.grants-documented-scopes",
  title: "A caller may grant every documented scope that it holds",
  rules: ["KEYC-13"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 1 },
  async run(t) {
    const main = await (await t.tenant()).main();
    const scopes = grantable(main);
    const all = await t.call("createApiKey", { body: { label: newLabel(), scopes } }, main);
    if (main.scopes === null && codeOf(all) === rowNamed("Forbidden").code) {
      throw new Blocked(
        `the given key does not hold all of ${documentedScopes.join(", ")}`,
        "give the kit a key with every documented scope",
      );
    }
    t.accepted("KEYC-13", all);
    if (isSuccess(all)) t.equal("KEYC-13", "scopes", grantedBy(all), [...scopes].sort(), all);
  },
});

/** All that a caller holds, granted at once. */
export const grantsOwnScopes = check({
  id: "api-keys.grants-own-scopes",
  title: "A caller may grant exactly what it holds",
  rules: ["KEYC-04", "KEYC-14"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 2 },
  async run(t) {
    const mine = [readScope, writeScope];
    const holder = await (await t.tenant()).keyWith(mine);
    const exact = await t.call("createApiKey", { body: { label: newLabel(), scopes: mine } }, holder);
    t.accepted("KEYC-14", exact);
    t.control(exact, "granting exactly what the caller holds");
    for (const rule of ["KEYC-04", "KEYC-14"] as const)
      t.equal(rule, "scopes", grantedBy(exact), [...mine].sort(), exact);
  },
});

/** The scopes that an answer names, in order. */
function grantedBy(exchange: Exchange): unknown {
  const granted = objectOf(dataOf(exchange))?.scopes;
  return Array.isArray(granted) ? [...granted].sort() : granted;
}

/** What a caller may not grant: what it does not hold itself. */
export const grantsNoMore = check({
  id: "api-keys.grants-no-more",
  title: "A caller cannot grant a scope that it does not hold, alone or among others",
  rules: ["KEYC-21", "KEYC-22", "KEYC-26"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 4 },
  sharedKeys: [[readScope, writeScope]],
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const child = await tenant.keyWith([readScope, writeScope]);
    const unheld = grantable(main).find((scope) => scope !== readScope && scope !== writeScope);
    if (unheld === undefined)
      throw new Blocked("the key holds no scope but those of keys", "give the kit a key with more scopes");
    const create = (scopes: readonly string[]) =>
      t.call("createApiKey", { body: { label: newLabel(), scopes } }, child);
    t.control(await create([readScope]), "granting a held scope");
    const alone = await create([unheld]);
    const among = await create([readScope, unheld]);
    t.refused("KEYC-21", alone, "Forbidden");
    t.refused("KEYC-22", among, "Forbidden");
    // The parent's holding it is what makes this another rule than the first.
    const parent = await t.call("createApiKey", { body: { label: newLabel(), scopes: [unheld] } }, main);
    if (!isSuccess(parent))
      throw new Blocked(
        `the parent cannot grant ${unheld} either: ${summaryOf(parent)}`,
        "give the kit a key with more scopes",
      );
    t.refused("KEYC-26", alone, "Forbidden");
  },
});

/** A caller without the scope of creation. */
export const creationNeedsScope = check({
  id: "api-keys.creation-needs-scope",
  title: "A caller that may not create keys cannot grant even what it holds",
  rules: ["KEYC-23", "KEYC-24", "KEYC-25"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 3 },
  sharedKeys: [[readScope]],
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const other = grantable(main).find((scope) => scope !== readScope && scope !== writeScope);
    const body = { label: newLabel(), scopes: [readScope] };
    // A caller with the scope has created this key with the same body.
    const reader = await tenant.keyWith([readScope]);
    const refused = await t.call("createApiKey", { body }, reader);
    t.refused("KEYC-24", refused, "Forbidden");
    t.refused("KEYC-25", refused, "Forbidden");
    if (other === undefined)
      throw new Blocked("the key holds no scope but those of keys", "give the kit a key with more scopes");
    const holder = await tenant.keyWith([readScope, other]);
    t.refused("KEYC-23", await t.call("createApiKey", { body: { ...body, scopes: [other] } }, holder), "Forbidden");
  },
});
