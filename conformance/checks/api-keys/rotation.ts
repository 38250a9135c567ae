import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { rowAllows, rowNamed } from "../../exchange/admits.ts";
import { dataOf, type Exchange, headerOf, isSuccess, objectOf, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { newLabel } from "../../provision/new-label.ts";
import { readScope } from "../../steps/grantable.ts";
import { rotatedKey } from "../../steps/rotated-key.ts";
import { livesOn } from "./after-revocation.ts";

/** A key whose secret was replaced. */
export const rotation = check({
  id: "api-keys.rotation",
  title: "Rotation gives a new secret that authenticates and that no read shows",
  rules: ["KEYG-15", "KEYR-02", "KEYR-03", "KEYR-06"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 2 },
  async run(t) {
    const main = await (await t.tenant()).main();
    const before = await t.createKey(main, [readScope], { own: true });
    const rotated = t.control(await t.call("rotateApiKey", { path: { id: before.id } }, main), "rotating an own key");
    const after = rotatedKey(t, rotated, before);
    t.verify("KEYR-02", after.token !== before.credential.token, {
      expected: "a secret other than the old one",
      actual: "the old one",
      exchanges: [before.exchange, rotated],
    });
    const path = { id: after.id ?? before.id };
    const own = await t.call("getApiKey", { path }, after);
    authenticates(t, "KEYR-02", own);
    if (isSuccess(own)) livesOn(t, own);
    const reads = [own, await t.call("getApiKey", { path }, main)].filter(isSuccess);
    if (reads.length === 0)
      throw new Blocked(`reading the rotated key was answered ${summaryOf(own)}`, "see KEYG-01 first", "server");
    for (const exchange of reads) {
      const data = objectOf(dataOf(exchange)) ?? {};
      const text = `${JSON.stringify(data)} ${headerOf(exchange, "location") ?? ""}`;
      const shows = Object.hasOwn(data, "plaintext") || text.includes(after.token);
      t.verify("KEYR-03", !shows, { expected: "no secret", actual: "the new secret", exchanges: [exchange] });
      t.equal("KEYR-06", "label", data.label, before.data.label, before.exchange, exchange);
      t.equal("KEYR-06", "scopes", data.scopes, before.data.scopes, before.exchange, exchange);
    }
    const body = { label: newLabel(), scopes: [readScope] };
    t.refused("KEYR-06", await t.call("createApiKey", { body }, after), "Forbidden");
  },
});

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
