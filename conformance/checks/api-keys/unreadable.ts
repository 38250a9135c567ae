import { revocation } from "../../arrangements/revocation.ts";
import { check } from "../../context/check.ts";
import { dataOf, type Exchange, objectOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { grantable, readScope, writeScope } from "../../steps/grantable.ts";
import { createdAtIn, judgeInstant } from "../../steps/judge-instant.ts";
import { refusedAlways } from "../../steps/refused-always.ts";
import { eventually } from "../../steps/settle.ts";
import { lastUse } from "./last-use.ts";

/** Callers that may not read keys. */
export const readingNeedsScope = check({
  id: "api-keys.reading-needs-scope",
  title: "A key without the scope of reading is refused, however much else it may do",
  rules: ["KEYG-11", "KEYG-12"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 3 },
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const writer = await t.createKey(main, [writeScope]);
    const path = { id: writer.id };
    t.control(await t.call("getApiKey", { path }, main), "the same read by a caller that may");
    const read = () => t.call("getApiKey", { path }, writer.credential);
    const byWriter = await refusedAlways(t, "KEYG-12", read, "Forbidden");
    t.refused("KEYG-11", byWriter, "Forbidden");
    const other = grantable(main).find((scope) => scope !== readScope && scope !== writeScope);
    if (other === undefined) return;
    const stranger = await tenant.keyWith([other]);
    await refusedAlways(t, "KEYG-11", () => t.call("getApiKey", { path }, stranger), "Forbidden");
  },
});

/** Milliseconds. */
const day = 86_400_000;

/** Days between creation, revocation and the last read, where they cost nothing. */
const days = 10;

/** Milliseconds that a manual clock may have moved by besides. */
const allowance = 60_000;

/** Where the creation is not dated, any time will do. */
const untilRevoked = (created: number): number =>
  Number.isFinite(created) ? created + days * day + allowance : Number.POSITIVE_INFINITY;

/** A revoked key, read by another. */
export const revokedKeyRead = check({
  id: "api-keys.revoked-key-read",
  title: "A revoked key tells when it was revoked",
  rules: ["KEYG-04", "KEYG-06", "KEYG-07"],
  kind: "scenario",
  needs: ["revocation"],
  effects: ["creates"],
  draws: { apiKeyWrites: 1 },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const made = await t.createKey(main, [readScope], { own: true });
    const created = createdAtIn(made.data);
    const read = async () =>
      t.control(await t.call("getApiKey", { path: { id: made.id } }, main), "reading a revoked key");
    const wait = (why: string) => (tenant.manualClock ? tenant.advance((days * day) / 1000, why) : Promise.resolve());
    await wait("a key to be revoked long after it was created");
    t.control(await t.call("getApiKey", { path: { id: made.id } }, made.credential), "using a key");
    const isUsed = (exchange: Exchange) => typeof objectOf(dataOf(exchange))?.last_used_at === "string";
    // The time of last use may be written some seconds later.
    const used = await eventually(t, tenant, async () => {
      const exchange = await read();
      return isUsed(exchange) ? exchange : null;
    });
    await tenant.arrange(revocation, made.credential);
    const exchange = await read();
    const key = objectOf(dataOf(exchange));
    judgeInstant(t, "KEYG-07", {
      name: "revoked_at",
      value: key?.revoked_at,
      // Nobody revokes a key before there is one.
      from: tenant.manualClock ? created + days * day : created,
      until: tenant.manualClock ? untilRevoked(created) : exchange.answeredAt,
      question: null,
      exchanges: [made.exchange, exchange],
    });
    if (used !== null) {
      t.verify("KEYG-06", isUsed(exchange), {
        expected: "last_used_at of a key that was used and then revoked, a timestamp",
        actual: JSON.stringify(key?.last_used_at) ?? "none",
        exchanges: [used, exchange],
      });
    }
    for (const name of ["label", "prefix"])
      t.equal("KEYG-04", `${name} of a revoked key`, key?.[name], made.data[name], made.exchange, exchange);
    await wait("a revoked key read again");
    const again = objectOf(dataOf(await read()));
    judgeInstant(t, "KEYG-07", {
      name: "revoked_at",
      value: again?.revoked_at,
      from: Date.parse(String(key?.revoked_at)),
      until: Date.parse(String(key?.revoked_at)),
      question: null,
      exchanges: [exchange],
    });
    if (used === null)
      throw new Blocked("a used key tells no time of last use", `see KEYG-06 of ${lastUse.id} first`, "server");
  },
});
