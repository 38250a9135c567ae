import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import { check } from "../../context/check.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { readScope } from "../../steps/grantable.ts";
import { ownKey } from "../../steps/own-key.ts";
import { sameMessage } from "../../steps/same-message.ts";

/** A sound call with the header that is for staff. */
export const targetOrganization = check({
  id: "authentication.target-organization",
  title: "A key that names an organization to act in is refused, with one message for every value",
  rules: ["AUTH-21", "AUTH-22"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  sharedKeys: [[readScope]],
  async run(t) {
    const { reader, input, organizationId } = await ownKey(t, await t.tenant());
    const refusals: Exchange[] = [];
    const own = organizationId ?? randomUUID();
    const ownInOtherForms = [own, own.toUpperCase(), `"${own}"`, `${own},${randomUUID()}`];
    for (const value of [...ownInOtherForms, randomUUID(), "not-an-organization", "*", "0", "null", "false", "self"]) {
      const exchange = await t.call(
        "getApiKey",
        { ...input, headers: { [constants.targetOrganizationHeader]: value } },
        reader,
      );
      t.refused("AUTH-21", exchange, "PlatformRequired");
      refusals.push(exchange);
    }
    sameMessage(t, "AUTH-22", "PlatformRequired", refusals);
  },
});
