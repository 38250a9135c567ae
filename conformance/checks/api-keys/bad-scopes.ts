import { constants } from "../../../generated/constants.ts";
import { userOf } from "../../context/caller-of.ts";
import { check } from "../../context/check.ts";
import { errorOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { newLabel } from "../../provision/new-label.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { readScope, unknownScope } from "../../steps/grantable.ts";

/** A creation whose only defect is its list of scopes. */
export const badScopes = check({
  id: "api-keys.bad-scopes",
  title: "Unknown, duplicated and no scopes are refused, again and again, without details",
  rules: ["KEYC-15", "KEYC-16", "KEYC-17", "KEYC-18", "KEYC-19", "KEYC-20"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 6 },
  async run(t) {
    const main = await (await t.tenant()).main();
    const label = newLabel();
    await t.createKey(main, [readScope]);
    const create = (scopes: readonly string[]) => t.call("createApiKey", { body: { label, scopes } }, main);

    const unknown = await create([unknownScope]);
    t.refused("KEYC-15", unknown, "InvalidInput");
    const messagesWrite = await create([constants.unknownScope]);
    t.refused("KEYC-16", messagesWrite, "InvalidInput");
    const none = await create([]);
    t.refused("KEYC-17", none, "InvalidInput");
    const twice = await create([readScope, readScope]);
    t.refused("KEYC-18", twice, "InvalidInput");

    const invalid = [unknown, none, twice].filter((exchange) => answeredBy(exchange, "InvalidInput"));
    for (const exchange of invalid) {
      const details = errorOf(exchange)?.details;
      const actual = JSON.stringify(details) ?? "none";
      t.verify("KEYC-19", details === undefined, { expected: "no error.details", actual, exchanges: [exchange] });
    }
    if (!invalid.includes(unknown))
      throw new Blocked(`an unknown scope was answered ${summaryOf(unknown)}`, "see KEYC-15 first", "server");
    t.refused("KEYC-20", await create([unknownScope]), "InvalidInput");
  },
});

/** The same asked for by a user, in a session. */
export const badScopesOfUsers = check({
  id: "api-keys.bad-scopes-of-users",
  title: "Unknown, duplicated and no scopes are refused to users too",
  rules: ["KEYC-15", "KEYC-17", "KEYC-18"],
  kind: "scenario",
  needs: ["session"],
  effects: ["creates"],
  draws: { apiKeyWrites: 4 },
  async run(t) {
    const user = await userOf(await t.tenant());
    const create = (scopes: readonly string[]) => t.call("createApiKey", { body: { label: newLabel(), scopes } }, user);
    t.control(await create([readScope]), "a creation by a signed-in user");
    t.refused("KEYC-15", await create([unknownScope]), "InvalidInput");
    t.refused("KEYC-17", await create([]), "InvalidInput");
    t.refused("KEYC-18", await create([readScope, readScope]), "InvalidInput");
  },
});
