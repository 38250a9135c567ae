import { check } from "../../check/check.ts";
import { dataOf, objectOf } from "../../exchange/exchange.ts";
import { createdAtIn, judgeInstant } from "../judge-instant.ts";
import { grantable, readScope, writeScope } from "./grantable.ts";

/** Callers that may not read keys. */
export const readingNeedsScope = check({
  id: "api-keys.reading-needs-scope",
  title: "A key without the scope of reading is refused, however much else it may do",
  rules: ["KEYG-11", "KEYG-12"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: 3,
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const writer = await t.createKey(main, [writeScope]);
    const path = { id: writer.id };
    t.control(await t.call("getApiKey", { path }, main), "the same read by a caller that may");
    const byWriter = await t.call("getApiKey", { path }, writer.credential);
    t.refused("KEYG-12", byWriter, "Forbidden");
    t.refused("KEYG-11", byWriter, "Forbidden");
    const other = grantable(main).find((scope) => scope !== readScope && scope !== writeScope);
    if (other === undefined) return;
    t.refused("KEYG-11", await t.call("getApiKey", { path }, await tenant.keyWith([other])), "Forbidden");
  },
});

/** A revoked key, read by another. */
export const revokedKeyRead = check({
  id: "api-keys.revoked-key-read",
  title: "A revoked key tells when it was revoked",
  rules: ["KEYG-07"],
  kind: "scenario",
  needs: ["revocation"],
  effects: ["creates"],
  draws: 1,
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const { id } = await tenant.revokedKey();
    const exchange = t.control(await t.call("getApiKey", { path: { id: id ?? "" } }, main), "reading a revoked key");
    const key = objectOf(dataOf(exchange));
    judgeInstant(t, "KEYG-07", {
      name: "revoked_at",
      value: key?.revoked_at,
      // Nobody revokes a key before there is one.
      from: createdAtIn(key),
      until: tenant.manualClock ? Number.POSITIVE_INFINITY : exchange.answeredAt,
      question: null,
      exchanges: [exchange],
    });
  },
});
