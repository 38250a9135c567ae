import { randomUUID } from "node:crypto";
import type { Check } from "../../check/check.ts";
import { Blocked } from "../../check/verdict.ts";
import { dataOf, type Exchange, errorOf, isSuccess, objectOf, summaryOf } from "../../exchange/exchange.ts";
import { answeredBy } from "../authentication/answered-by.ts";
import { malformedIds } from "../malformed-ids.ts";
import { grantable, readScope, writeScope } from "./grantable.ts";

/** Ids under which there is no key to read. */
export const unreadableIds: Check = {
  id: "api-keys.unreadable-ids",
  title: "An unknown id is not found, a malformed one is refused by name",
  rules: ["KEYG-08", "KEYG-09", "KEYG-10"],
  kind: "scenario",
  needs: ["key"],
  effects: ["reads"],
  draws: 0,
  async run(t) {
    const main = await (await t.tenant()).main();
    const unknown = await t.call("getApiKey", { path: { id: randomUUID() } }, main);
    if (main.scopes === null && answeredBy(unknown, "Forbidden"))
      throw new Blocked("the given key may not read keys", `give the kit a key that holds ${readScope}`);
    const refused: Exchange[] = [];
    for (const id of malformedIds) refused.push(await t.call("getApiKey", { path: { id } }, main));

    // Each is the other's control: a target that tells no ids apart answers one of them right by accident.
    const alike = refused.every((exchange) => summaryOf(exchange) === summaryOf(unknown));
    if (!alike || !answeredBy(unknown, "NotFound")) {
      t.refused("KEYG-08", unknown, "NotFound");
      t.equal("KEYG-08", "error.details", errorOf(unknown)?.details, undefined, unknown);
    }
    for (const exchange of refused) {
      if (alike && answeredBy(exchange, "ValidationFailed400")) continue;
      t.refused("KEYG-09", exchange, "ValidationFailed400");
      const keys = Object.keys(objectOf(errorOf(exchange)?.details) ?? {});
      t.verify(
        "KEYG-10",
        keys.some((key) => key.toLowerCase().includes("id")),
        {
          expected: "error.details with a key that contains id",
          actual: keys.length > 0 ? keys.join(", ") : "no details",
          exchanges: [exchange],
        },
      );
    }
    if (alike) {
      const both = `an unknown id and malformed ones are all answered ${summaryOf(unknown)}`;
      throw new Blocked(both, "see the rule of this check that fails first", "server");
    }
  },
};

/** Callers that may not read keys. */
export const readingNeedsScope: Check = {
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
};

/** A revoked key, read by another. */
export const revokedKeyRead: Check = {
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
    const revokedAt = objectOf(dataOf(exchange))?.revoked_at;
    t.verify("KEYG-07", isSuccess(exchange) && typeof revokedAt === "string" && !Number.isNaN(Date.parse(revokedAt)), {
      expected: "revoked_at, a timestamp",
      actual: JSON.stringify(revokedAt) ?? "none",
      exchanges: [exchange],
    });
  },
};
