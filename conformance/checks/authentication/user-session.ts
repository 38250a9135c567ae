import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import { userOf } from "../../context/caller-of.ts";
import { check } from "../../context/check.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { readScope } from "../../steps/grantable.ts";
import { nearMisses } from "../../steps/near-misses/near-misses.ts";
import { ownKey } from "../../steps/own-key.ts";
import { sameMessage } from "../../steps/same-message.ts";
import { spoilt } from "./bad-authorizations.ts";
import { judgeAuthorization } from "./judge-authorization.ts";

/** The session of a signed-in user who is no staff. */
export const userSession = check({
  id: "authentication.user-session",
  title: "What is almost a session token is refused, and a user may not name another organization",
  rules: ["AUTH-06", "AUTH-07", "AUTH-21"],
  kind: "sampled",
  needs: ["session"],
  effects: ["creates"],
  draws: {},
  sharedKeys: [[readScope]],
  async run(t) {
    const tenant = await t.tenant();
    const { input } = await ownKey(t, tenant);
    const session = await userOf(tenant);
    t.control(await t.call("getApiKey", input, session), "a signed-in user reading a key");
    const headers = { [constants.targetOrganizationHeader]: randomUUID() };
    t.refused("AUTH-21", await t.call("getApiKey", { ...input, headers }, session), "PlatformRequired");

    const missing = await t.attempt("getApiKey", input, null);
    const invalid = { ...session, name: "invalid session", token: spoilt(session.token, t.random) };
    const refused = await t.attempt("getApiKey", input, invalid);
    t.refused("AUTH-06", refused, "Unauthorized");
    const mark = /^(?:[A-Za-z]+_)+/.exec(session.token)?.[0] ?? "";
    for (const { dimension, values, arguable } of nearMisses(session.token, { kind: "secret", mark }, t.random)) {
      const exchanges: Exchange[] = [];
      for (const token of values) exchanges.push(await t.attempt("getApiKey", input, { ...session, token }));
      const what = `a session with ${dimension}`;
      // Nothing says that sessions have a mark.
      const isOpen = arguable || dimension.includes("mark");
      judgeAuthorization(t, { rule: "AUTH-06", what, values, arguable: isOpen, strange: false }, exchanges);
    }
    sameMessage(t, "AUTH-07", "Unauthorized", [missing, refused]);
  },
});
