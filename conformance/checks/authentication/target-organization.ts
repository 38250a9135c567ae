import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import { check } from "../../context/check.ts";
import { rowNamed, rowText } from "../../exchange/admits.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { answeredBy } from "../../steps/answered-by.ts";
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
    const values = [randomUUID(), "not-an-organization", "*", "0", "null", "false", "self", ",", "a".repeat(2000)];
    for (const value of [...ownInOtherForms, ...values]) {
      const exchange = await t.call(
        "getApiKey",
        { ...input, headers: { [constants.targetOrganizationHeader]: value } },
        reader,
      );
      t.refused("AUTH-21", exchange, "PlatformRequired");
      refusals.push(exchange);
    }
    const header = constants.targetOrganizationHeader;
    const twice = [[header, randomUUID()]] as const;
    const repeated = await t.call(
      "getApiKey",
      { ...input, headers: { [header]: own }, repeatedHeaders: twice, isOddHttp: true },
      reader,
    );
    t.verify("AUTH-21", !isSuccess(repeated), {
      expected: `a refusal of ${header} with two values`,
      actual: summaryOf(repeated),
      exchanges: [repeated],
    });
    // An empty value may count as absent.
    const empty = await t.call("getApiKey", { ...input, headers: { [header]: "" } }, reader);
    t.verify("AUTH-21", isSuccess(empty) || answeredBy(empty, "PlatformRequired"), {
      expected: `success, or ${rowText(rowNamed("PlatformRequired"))}, for an empty ${header}`,
      actual: summaryOf(empty),
      exchanges: [empty],
    });
    refusals.push(...[repeated, empty].filter((exchange) => answeredBy(exchange, "PlatformRequired")));
    sameMessage(t, "AUTH-22", "PlatformRequired", refusals);
  },
});
