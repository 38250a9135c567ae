import { constants } from "../../../generated/constants.ts";
import { operations } from "../../../generated/operations.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { rowAllows, rowNamed } from "../../exchange/admits.ts";
import { dataOf, type Exchange, headerOf, isSuccess, objectOf, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { newLabel } from "../../provision/new-label.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { readScope, writeScope } from "../../steps/grantable.ts";
import { rotatedKey } from "../../steps/rotated-key.ts";
import { livesOn } from "./after-revocation.ts";

/** Operations that need nothing but a scope, which is none of the key's. */
const elsewhere = (["listDeliveryAttempts", "listMessages"] as const).filter(
  (id) => operations[id].scope !== readScope,
);

/** A key whose secret was replaced. */
export const rotation = check({
  id: "api-keys.rotation",
  title: "Rotation gives a new secret that authenticates and that no read shows",
  rules: ["AUTH-11", "AUTH-12", "KEYG-05", "KEYG-15", "KEYR-02", "KEYR-03", "KEYR-06", "KEYR-08", "KEYR-09"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 2 },
  async run(t) {
    const main = await (await t.tenant()).main();
    const before = await t.createKey(main, [readScope], { own: true });
    const rotated = t.control(await t.call("rotateApiKey", { path: { id: before.id } }, main), "rotating an own key");
    const shown = objectOf(t.shapeResponse("rotateApiKey", dataOf(rotated)))?.plaintext;
    const secret = typeof shown === "string" ? shown : null;
    // Before the key is made out, as that goes by the mark.
    if (secret !== null) judgeMark(t, secret, rotated);
    const after = rotatedKey(t, rotated, before);
    if (secret === null) judgeMark(t, after.token, rotated);
    t.verify("KEYR-02", after.token !== before.credential.token, {
      expected: "a secret other than the old one",
      actual: "the old one",
      exchanges: [before.exchange, rotated],
    });
    const path = { id: after.id ?? before.id };
    // To be rotated by another key is not to be used.
    const unused = await t.call("getApiKey", { path }, main);
    if (isSuccess(unused)) t.equal("KEYG-05", "last_used_at", objectOf(dataOf(unused))?.last_used_at, null, unused);
    const own = await t.call("getApiKey", { path }, after);
    authenticates(t, "KEYR-02", own);
    if (isSuccess(own)) livesOn(t, own);
    const body = { label: newLabel(), scopes: [readScope] };
    const created = await t.call("createApiKey", { body }, after);
    const used = [created];
    for (const operation of elsewhere) used.push(await t.call(operation, {}, after));
    for (const exchange of used) addsNothing(t, exchange, !isSuccess(exchange), summaryOf(exchange));
    const reads = [own, unused].filter(isSuccess);
    if (reads.length === 0)
      throw new Blocked(`reading the rotated key was answered ${summaryOf(own)}`, "see KEYG-01 first", "server");
    for (const exchange of reads) {
      const data = objectOf(dataOf(exchange)) ?? {};
      const text = `${JSON.stringify(data)} ${headerOf(exchange, "location") ?? ""}`;
      const shows = Object.hasOwn(data, "plaintext") || text.includes(after.token);
      t.verify("KEYR-03", !shows, { expected: "no secret", actual: "the new secret", exchanges: [exchange] });
      t.equal("KEYR-06", "label", data.label, before.data.label, before.exchange, exchange);
      t.equal("KEYR-06", "scopes", data.scopes, before.data.scopes, before.exchange, exchange);
      const scopes: readonly unknown[] = Array.isArray(data.scopes) ? data.scopes : [];
      const added = scopes.filter((scope) => scope !== readScope);
      addsNothing(t, exchange, added.length === 0, `the new scopes ${added.join(", ")}`);
    }
    t.refused("KEYR-06", created, "Forbidden");
    const read = objectOf(dataOf(reads[0] ?? own)) ?? {};
    if (typeof read.prefix !== "string") throw new Blocked("the key names no prefix", "see KEYG-01 first", "server");
    const begins = after.token.startsWith(read.prefix);
    const old = begins ? own : await t.attempt("getApiKey", { path }, before.credential);
    t.verify("KEYR-08", begins, {
      expected: "prefix, a leading part of the new secret",
      actual: `prefix ${JSON.stringify(read.prefix)}`,
      exchanges: [rotated, reads[0] ?? own, old],
      // As long as both secrets are the key's, the prefix may be that of the old one.
      warnOnly: !answeredBy(old, "Unauthorized"),
    });
    // Which scopes a rotated key has is open, and that it can do no more than those is not.
    if (!Array.isArray(read.scopes) || read.scopes.includes(writeScope))
      throw new Blocked(`the rotated key is not shown without ${writeScope}`, "see KEYR-06 first", "server");
    t.verify("AUTH-12", !isSuccess(created), {
      expected: `no creation by a key that is shown without ${writeScope}`,
      actual: summaryOf(created),
      exchanges: [reads[0] ?? own, created],
    });
    for (const exchange of used.slice(1)) t.refused("AUTH-12", exchange, "Forbidden");
    // One of both was enough until here: each decides something that the other does not.
    const unread = [own, unused].find((exchange) => !isSuccess(exchange));
    if (unread !== undefined)
      throw new Blocked(`a read of the rotated key was answered ${summaryOf(unread)}`, "see KEYG-01 first", "server");
  },
});

/** Verifies that a rotated key has only the scope of its creation. */
const addsNothing = (t: CheckContext<"KEYR-09">, exchange: Exchange, holds: boolean, actual: string): boolean =>
  t.verify("KEYR-09", holds, {
    expected: `a key with ${readScope} alone, as before its rotation`,
    actual,
    exchanges: [exchange],
  });

/** Decides that a new secret is marked as every other. */
function judgeMark(t: CheckContext<"AUTH-11">, secret: string, rotated: Exchange): void {
  t.verify("AUTH-11", secret.startsWith(constants.liveKeyPrefix), {
    expected: `a new secret that starts with ${constants.liveKeyPrefix}`,
    actual: JSON.stringify(secret.slice(0, constants.liveKeyPrefix.length)),
    exchanges: [rotated],
  });
}

/**
 * The call was made by a secret that is known: what else it may be refused for is no matter. Blocks where the answer
 * tells neither.
 */
export function authenticates(t: CheckContext, rule: "KEYR-02", exchange: Exchange): void {
  const status = statusOf(exchange);
  const unknown = status !== null && rowAllows(rowNamed("Unauthorized"), status);
  if (!unknown && (status === null || status >= 500))
    throw new Blocked(
      `the first use of a new secret was answered ${summaryOf(exchange)}`,
      "see ENV-32 first",
      "server",
    );
  t.verify(rule, !unknown, {
    expected: "the new secret accepted",
    actual: summaryOf(exchange),
    exchanges: [exchange],
  });
}
