import { revocation } from "../../arrangements/revocation.ts";
import { check } from "../../context/check.ts";
import { dataOf, objectOf } from "../../exchange/exchange.ts";
import { readScope } from "../../steps/grantable.ts";
import { createdAtIn, judgeInstant } from "../../steps/judge-instant.ts";

/** A key that is revoked before anybody used it. */
export const unusedRevokedKey = check({
  id: "api-keys.unused-revoked-key",
  title: "A key that was never used tells when it was revoked too, and stays what it was",
  rules: ["KEYG-04", "KEYG-07"],
  kind: "scenario",
  needs: ["revocation"],
  effects: ["creates"],
  draws: { apiKeyWrites: 1 },
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const made = await t.createKey(main, [readScope], { own: true });
    await tenant.arrange(revocation, made.credential);
    const read = t.control(await t.call("getApiKey", { path: { id: made.id } }, main), "reading a revoked key");
    const key = objectOf(dataOf(read)) ?? {};
    judgeInstant(t, "KEYG-07", {
      name: "revoked_at",
      value: key.revoked_at,
      from: createdAtIn(made.data),
      until: tenant.manualClock ? Number.POSITIVE_INFINITY : read.answeredAt,
      question: null,
      exchanges: [made.exchange, read],
    });
    for (const name of ["label", "prefix"])
      t.equal("KEYG-04", `${name} of a revoked key`, key[name], made.data[name], made.exchange, read);
    t.equal("KEYG-04", "scopes of a revoked key", inOrder(key.scopes), inOrder(made.data.scopes), made.exchange, read);
    const moved = Math.abs(Date.parse(String(key.created_at)) - Date.parse(String(made.data.created_at)));
    t.verify("KEYG-04", moved <= 1000, {
      expected: `created_at ${made.data.created_at} of a revoked key, give or take a second`,
      actual: String(key.created_at),
      exchanges: [made.exchange, read],
    });
  },
});

const inOrder = (scopes: unknown): readonly unknown[] | null => (Array.isArray(scopes) ? scopes.toSorted() : null);
