import type { Check } from "../../check/check.ts";
import { badAuthorizations } from "./bad-authorizations.ts";
import { ownKey } from "./own-key.ts";
import { sameMessage } from "./same-message.ts";

/** One call that a key may make, with everything that is no key. */
export const badCredentials: Check = {
  id: "authentication.bad-credentials",
  title: "No, malformed and unknown credentials are refused, all with one message",
  rules: ["AUTH-01", "AUTH-02", "AUTH-03", "AUTH-04", "AUTH-06", "AUTH-07"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: 1,
  async run(t) {
    const { reader, input } = await ownKey(t, await t.tenant());
    const missing = await t.attempt("getApiKey", input, null);
    t.refused("AUTH-01", missing, "Unauthorized");
    const refusals = [missing];
    for (const { rule, value } of badAuthorizations(reader.token, t.random)) {
      const exchange = await t.attempt("getApiKey", { ...input, headers: { authorization: value } }, null);
      t.refused(rule, exchange, "Unauthorized");
      refusals.push(exchange);
    }
    sameMessage(t, "AUTH-07", "Unauthorized", refusals);
  },
};
