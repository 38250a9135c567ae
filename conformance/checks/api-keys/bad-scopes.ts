import type { Check } from "../../check/check.ts";
import { codeOf, errorOf, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { readScope, unknownScope } from "./grantable.ts";

/** A creation whose only defect is its list of scopes. */
export const badScopes: Check = {
  id: "api-keys.bad-scopes",
  title: "Unknown, duplicated and no scopes are refused, again and again, without details",
  rules: ["KEYC-15", "KEYC-16", "KEYC-17", "KEYC-18", "KEYC-19", "KEYC-20"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: 6,
  async run(t) {
    const main = await (await t.tenant()).main();
    const label = "bylaw conformance";
    await t.createKey(main, [readScope]);
    const create = (scopes: readonly string[]) => t.call("createApiKey", { body: { label, scopes } }, main);

    const unknown = await create([unknownScope]);
    t.refused("KEYC-15", unknown, "InvalidInput");
    const messagesWrite = await create(["messages:write"]);
    t.refused("KEYC-16", messagesWrite, "InvalidInput");
    const none = await create([]);
    t.refused("KEYC-17", none, "InvalidInput");
    const twice = await create([readScope, readScope]);
    t.refused("KEYC-18", twice, "InvalidInput");

    for (const exchange of [unknown, none, twice]) {
      const details = errorOf(exchange)?.details;
      const withoutDetails = errorOf(exchange) !== null && details === undefined;
      const actual = withoutDetails ? "none" : JSON.stringify(details ?? summaryOf(exchange));
      t.verify("KEYC-19", withoutDetails, { expected: "no error.details", actual, exchanges: [exchange] });
    }
    const again = await create([unknownScope]);
    const first = { status: statusOf(unknown), code: codeOf(unknown) };
    t.equal("KEYC-20", "the same refusal", { status: statusOf(again), code: codeOf(again) }, first, unknown, again);
  },
};
