import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { dataOf, objectOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { newLabel } from "../../provision/new-label.ts";
import type { Credential } from "../../provision/tenant.ts";
import { grantable, readScope, writeScope } from "../../steps/grantable.ts";
import { rotatedKey } from "../../steps/rotated-key.ts";
import { wide } from "./valid-creations.ts";

/** Keys that keys made which keys made, the last of them rotated, too. */
export const grantsDownTheLine = check({
  id: "api-keys.grants-down-the-line",
  title: "A key grants no more than it holds, however long the line of keys that it comes from",
  rules: ["KEYC-21", "KEYC-22", "KEYC-26"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 16 },
  async run(t) {
    const main = await (await t.tenant({ limits: wide })).main();
    const mine = [readScope, writeScope];
    const unheld = grantable(main).find((scope) => !mine.includes(scope));
    if (unheld === undefined)
      throw new Blocked("the key holds no scope but those of keys", "give the kit a key with more scopes");
    let last = await t.createKey(main, mine, { own: true });
    await grantsOnlyIts(t, last.credential, unheld);
    for (let generation = 2; generation <= 4; generation += 1) {
      last = await t.createKey(last.credential, mine, { own: true });
      await grantsOnlyIts(t, last.credential, unheld);
    }
    const rotation = await t.call("rotateApiKey", { path: { id: last.id } }, main);
    const rotated = rotatedKey(t, t.control(rotation, "rotating an own key"), last);
    const shown = await t.call("getApiKey", { path: { id: rotated.id ?? last.id } }, main);
    const { scopes } = objectOf(dataOf(t.control(shown, "reading a rotated key"))) ?? {};
    // Which scopes a key has when it was rotated the document does not say: it grants no others than those.
    if (Array.isArray(scopes) && !scopes.includes(unheld)) await grantsOnlyIts(t, rotated, unheld);
  },
});

/** Decides that a key refuses to grant what it does not hold, alone and beside what it holds. */
async function grantsOnlyIts(t: CheckContext, holder: Credential, unheld: string): Promise<void> {
  const create = (scopes: readonly string[]) => t.call("createApiKey", { body: { label: newLabel(), scopes } }, holder);
  const alone = await create([unheld]);
  t.refused("KEYC-21", alone, "Forbidden");
  t.refused("KEYC-26", alone, "Forbidden");
  t.refused("KEYC-22", await create([readScope, unheld]), "Forbidden");
}

/** Every scope that the caller holds, granted alone, and each two of them. */
export const grantsAlone = check({
  id: "api-keys.grants-alone",
  title: "Every documented scope that the caller holds is granted without the others",
  rules: ["KEYC-13"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 30 },
  async run(t) {
    const main = await (await t.tenant({ limits: wide })).main();
    const scopes = grantable(main);
    t.control(
      await t.call("createApiKey", { body: { label: newLabel(), scopes } }, main),
      "granting all that the caller holds",
    );
    const pairs = scopes.flatMap((one, at) => scopes.slice(at + 1).map((other) => [one, other]));
    for (const asked of [...scopes.map((scope) => [scope]), ...pairs])
      t.accepted("KEYC-13", await t.call("createApiKey", { body: { label: newLabel(), scopes: asked } }, main));
  },
});
