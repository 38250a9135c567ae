import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import { check } from "../../context/check.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { ownKey } from "../../steps/own-key.ts";
import { sameMessage } from "../../steps/same-message.ts";

/** Refusals in which another organization is named. */
export const foreignOrganization = check({
  id: "authentication.foreign-organization",
  title: "To name another organization is refused with the message for one that never was",
  rules: ["AUTH-22"],
  kind: "scenario",
  needs: ["other-organization"],
  effects: ["creates"],
  draws: { apiKeyWrites: 2 },
  async run(t) {
    const { input, reader } = await ownKey(t, await t.tenant());
    const { organizationId } = await ownKey(t, await t.otherTenant());
    if (organizationId === null) throw new Blocked("the read key names no organization", "see TEN-18 first", "server");
    const named = (value: string) =>
      t.call("getApiKey", { ...input, headers: { [constants.targetOrganizationHeader]: value } }, reader);
    sameMessage(t, "AUTH-22", "PlatformRequired", [await named(organizationId), await named(randomUUID())]);
  },
});
