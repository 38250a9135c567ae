import { check } from "../../context/check.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { newLabel } from "../../provision/new-label.ts";
import { grantable, writeScope } from "../../steps/grantable.ts";
import { wide } from "./valid-creations.ts";

/** Callers that hold every scope but one, and ask for that one. */
export const unheldScopes = check({
  id: "api-keys.unheld-scopes",
  title: "No scope can be granted by a caller that holds all others, alone or wherever it stands among them",
  rules: ["KEYC-21", "KEYC-22", "KEYC-26"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 40 },
  async run(t) {
    const main = await (await t.tenant({ limits: wide })).main();
    const scopes = grantable(main).filter((scope) => scope !== writeScope);
    if (scopes.length < 2)
      throw new Blocked("the key holds no scope but those of keys", "give the kit a key with more scopes");
    for (const unheld of scopes) {
      const held = [writeScope, ...scopes.filter((scope) => scope !== unheld)];
      const { credential } = await t.createKey(main, held);
      const create = (asked: readonly string[], as = credential) =>
        t.call("createApiKey", { body: { label: newLabel(), scopes: asked } }, as);
      t.control(await create(held), "granting all that the caller holds");
      t.control(await create([unheld], main), `granting ${unheld} by a caller that holds it`);
      const alone = await create([unheld]);
      t.refused("KEYC-21", alone, "Forbidden");
      t.refused("KEYC-26", alone, "Forbidden");
      const half = Math.ceil(held.length / 2);
      for (const list of [[unheld, ...held], [...held, unheld], held.toSpliced(half, 0, unheld)])
        t.refused("KEYC-22", await create(list), "Forbidden");
    }
    // Behind all that the target has besides, where that is known.
    const [unheld = ""] = scopes;
    const others = (main.scopes ?? []).filter((scope) => scope !== unheld);
    if (others.length <= scopes.length) return;
    const { credential } = await t.createKey(main, others);
    const list = [...others, unheld];
    t.control(await t.call("createApiKey", { body: { label: newLabel(), scopes: list } }, main), "granting all scopes");
    const exchange = await t.call("createApiKey", { body: { label: newLabel(), scopes: list } }, credential);
    t.refused("KEYC-22", exchange, "Forbidden");
  },
});
