import type { Check } from "../../check/check.ts";
import { ownKey } from "../authentication/own-key.ts";
import { indistinguishable } from "./indistinguishable.ts";
import { neverIssued } from "./never-issued.ts";

/** Another organization's key, asked for by its id. */
export const foreignKey: Check = {
  id: "tenancy.foreign-key",
  title: "Another organization's key is not found, and nothing tells it from one that never was",
  rules: ["TEN-01", "TEN-05"],
  kind: "scenario",
  needs: ["other-organization"],
  effects: ["creates"],
  draws: 4,
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const own = await ownKey(t, tenant);
    t.control(await t.call("getApiKey", own.input, main), "reading an own key");
    const foreign = (await ownKey(t, await t.otherTenant())).input.path.id;
    const unknown = neverIssued(foreign, t.random);
    for (const operation of ["getApiKey", "rotateApiKey"] as const) {
      const ask = async (id: string) => ({ exchange: await t.call(operation, { path: { id } }, main), id });
      const asked = await ask(foreign);
      if (operation === "getApiKey") t.refused("TEN-01", asked.exchange, "NotFound");
      indistinguishable(t, "TEN-05", asked, await ask(unknown));
    }
  },
};
