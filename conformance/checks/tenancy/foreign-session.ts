import { userOf } from "../../context/caller-of.ts";
import { check } from "../../context/check.ts";
import { ownKey } from "../../steps/own-key.ts";

/** A signed-in user, who belongs to an organization as its keys do. */
export const foreignSession = check({
  id: "tenancy.foreign-session",
  title: "A signed-in user does not find another organization's key",
  rules: ["TEN-01"],
  kind: "scenario",
  needs: ["session", "other-organization"],
  effects: ["creates"],
  draws: { apiKeyWrites: 2 },
  async run(t) {
    const tenant = await t.tenant();
    const { input } = await ownKey(t, tenant);
    const session = await userOf(tenant);
    t.control(await t.call("getApiKey", input, session), "a signed-in user reading a key");
    const { input: foreign } = await ownKey(t, await t.otherTenant());
    t.refused("TEN-01", await t.call("getApiKey", foreign, session), "NotFound");
  },
});
