import { randomUUID } from "node:crypto";
import { operations } from "../../../generated/operations.ts";
import type { Check } from "../../check/check.ts";
import { Blocked } from "../../check/verdict.ts";
import { keyLacking } from "./key-lacking.ts";
import { ownKey } from "./own-key.ts";
import { sameMessage } from "./same-message.ts";
import { assertForbidden } from "./scope-first.ts";

/** Refusals in which another organization is named. */
export const foreignOrganization: Check = {
  id: "authentication.foreign-organization",
  title: "To name another organization or its key changes nothing about a refusal",
  rules: ["AUTH-14", "AUTH-22"],
  kind: "scenario",
  needs: ["other-organization"],
  effects: ["creates"],
  draws: 3,
  async run(t) {
    const tenant = await t.tenant();
    const own = await ownKey(t, tenant);
    const foreign = await ownKey(t, await t.otherTenant());
    const writer = await keyLacking(operations.getApiKey.scope, tenant);
    assertForbidden(await t.call("getApiKey", own.input, writer), "a read without the scope");
    t.refused("AUTH-14", await t.call("getApiKey", foreign.input, writer), "Forbidden");

    const { organizationId } = foreign;
    if (organizationId === null) throw new Blocked("the read key names no organization", "see TEN-18 first", "server");
    const named = (value: string) =>
      t.call("getApiKey", { ...own.input, headers: { "x-target-org": value } }, own.reader);
    sameMessage(t, "AUTH-22", "PlatformRequired", [await named(organizationId), await named(randomUUID())]);
  },
};
