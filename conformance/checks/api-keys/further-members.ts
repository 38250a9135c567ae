import { constants } from "../../../generated/constants.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { dataOf, type Exchange, isSuccess, objectOf } from "../../exchange/exchange.ts";
import { NotApplicable } from "../../outcome/verdict.ts";
import { newLabel } from "../../provision/new-label.ts";
import { readScope } from "../../steps/grantable.ts";

/** A moment at which no key was used or revoked. */
const moment = "2001-01-01T00:00:00Z";

/** What a key has and a creation does not ask for: who sends it all the same must not decide it. */
const further: Readonly<Record<string, unknown>> = {
  last_used_at: moment,
  revoked_at: moment,
  prefix: "bylaw",
};

/** Creations whose bodies have a member more, which is the server's to say. */
export const furtherMembers = check({
  id: "api-keys.further-members",
  title: "What a creation says beyond label and scopes does not become the key's",
  rules: ["KEYC-05", "KEYC-08", "KEYC-09"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 1 + Object.keys(further).length },
  async run(t) {
    const main = await (await t.tenant()).main();
    await t.createKey(main, [readScope]);
    let served = 0;
    for (const [name, value] of Object.entries(further)) {
      const body = { label: newLabel(), scopes: [readScope], [name]: value };
      const exchange = await t.call("createApiKey", { body }, main);
      // Whether a server takes members that it does not know is open.
      if (!isSuccess(exchange)) continue;
      served += 1;
      const created = objectOf(dataOf(exchange)) ?? {};
      judge(t, name, created, exchange);
      const read = t.control(
        await t.call("getApiKey", { path: { id: String(created.id) } }, main),
        "reading an own key",
      );
      judge(t, name, { plaintext: created.plaintext, ...objectOf(dataOf(read)) }, read);
    }
    if (served < Object.keys(further).length)
      throw new NotApplicable("the target refuses creations with further members");
  },
});

/** Decides that the key has a value of the server's own for the member that was sent. */
function judge(
  t: CheckContext<"KEYC-05" | "KEYC-08" | "KEYC-09">,
  name: string,
  key: Readonly<Record<string, unknown>>,
  exchange: Exchange,
): void {
  if (name === "last_used_at") t.equal("KEYC-08", name, key.last_used_at, null, exchange);
  if (name === "revoked_at") t.equal("KEYC-09", name, key.revoked_at, null, exchange);
  if (name === "prefix") {
    t.verify("KEYC-05", String(key.plaintext).startsWith(String(key.prefix)), {
      expected: `prefix, a leading part of plaintext, such as ${constants.liveKeyPrefix}…`,
      actual: JSON.stringify(key.prefix) ?? "none",
      exchanges: [exchange],
    });
  }
}
