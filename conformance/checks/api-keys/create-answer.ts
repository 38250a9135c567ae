import { constants } from "../../../generated/constants.ts";
import { check } from "../../context/check.ts";
import { rowNamed } from "../../exchange/admits.ts";
import { dataOf, isSuccess, objectOf, statusOf } from "../../exchange/exchange.ts";
import { answerViolations } from "../../monitor/answer-violations.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { newLabel } from "../../provision/new-label.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { readScope, writeScope } from "../../steps/grantable.ts";
import { timeOfItsOwn } from "../../steps/time-of-its-own.ts";

/** The answer to a valid creation, field by field. */
export const createAnswer = check({
  id: "api-keys.create-answer",
  title: "A created key is answered whole, with its secret",
  rules: [
    ...(["KEYC-01", "KEYC-02", "KEYC-03", "KEYC-04", "KEYC-05", "KEYC-06", "KEYC-07", "KEYC-08", "KEYC-09"] as const),
    ...(["KEYC-10", "AUTH-10", "AUTH-11", "AUTH-32"] as const),
  ],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 1 },
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const body = { label: newLabel(), scopes: [readScope] };
    const exchange = await t.call("createApiKey", { body }, main);
    if (main.scopes === null && answeredBy(exchange, "Forbidden")) {
      throw new Blocked(
        `the given key may not create keys with ${readScope}`,
        `give the kit a key that holds ${writeScope} and ${readScope}`,
      );
    }
    t.accepted("KEYC-01", exchange);
    const unauthorized = statusOf(exchange) === rowNamed("Unauthorized").referenceStatus;
    if (unauthorized || isSuccess(exchange)) t.accepted("AUTH-10", exchange);
    t.control(exchange, "a valid creation");
    const key = objectOf(dataOf(exchange)) ?? {};
    const plaintext = typeof key.plaintext === "string" ? key.plaintext : "";
    const prefix = typeof key.prefix === "string" ? key.prefix : "";
    const wrong = answerViolations(exchange).map((v) => `${v.pointer} ${v.message}`);
    const at = { exchanges: [exchange] };

    t.equal("KEYC-02", "departures from the documented shape", wrong, [], exchange);
    t.equal("KEYC-03", "label", key.label, body.label, exchange);
    t.equal("KEYC-04", "scopes", key.scopes, body.scopes, exchange);
    t.verify("KEYC-05", prefix !== "" && plaintext.startsWith(prefix), {
      ...at,
      expected: "prefix, a leading part of plaintext",
      actual: `prefix ${JSON.stringify(key.prefix)}`,
    });
    t.verify("KEYC-06", prefix.length < plaintext.length, {
      ...at,
      expected: `prefix shorter than the ${plaintext.length} characters of plaintext`,
      actual: `${prefix.length} characters`,
    });
    for (const rule of ["KEYC-07", "AUTH-11"] as const) {
      t.verify(rule, plaintext.startsWith(constants.liveKeyPrefix), {
        ...at,
        expected: `plaintext that starts with ${constants.liveKeyPrefix}`,
        actual: JSON.stringify(plaintext.slice(0, constants.liveKeyPrefix.length)),
      });
    }
    t.equal("KEYC-08", "last_used_at", key.last_used_at, null, exchange);
    t.equal("KEYC-09", "revoked_at", key.revoked_at, null, exchange);
    const scopes = Array.isArray(key.scopes) ? key.scopes : [];
    const formed = scopes.every((scope) => typeof scope === "string" && /^[^:]+:[^:]+$/.test(scope));
    if (scopes.length > 0) {
      t.verify("AUTH-32", formed, {
        ...at,
        expected: "scopes of the form <area>:<action>",
        actual: JSON.stringify(scopes),
      });
    }

    if (scopes.length === 0) throw new Blocked("the created key names no scopes", "see KEYC-04 first", "server");

    if (tenant.manualClock) throw timeOfItsOwn();
    const createdAt = Date.parse(String(key.created_at));
    const { clockSkew } = t.timing;
    // A second more on either side: timestamps may be whole seconds.
    const within =
      createdAt >= exchange.sentAt - clockSkew - 1000 && createdAt <= exchange.answeredAt + clockSkew + 1000;
    t.verify("KEYC-10", within, {
      ...at,
      expected: `created_at between ${new Date(exchange.sentAt).toISOString()} and ${new Date(exchange.answeredAt).toISOString()}, give or take ${clockSkew} ms`,
      actual: String(key.created_at),
    });
  },
});
