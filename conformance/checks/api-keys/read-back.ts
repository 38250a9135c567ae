import type { Check } from "../../check/check.ts";
import { dataOf, objectOf } from "../../exchange/exchange.ts";
import { answerViolations } from "../../monitor/answer-violations.ts";
import { readScope } from "./grantable.ts";

/** Two created keys at work and read back. */
export const readBack: Check = {
  id: "api-keys.read-back",
  title: "A created key authenticates and reads back as created, without its secret",
  rules: ["KEYC-11", "KEYC-12", "KEYG-01", "KEYG-02", "KEYG-04", "KEYG-13"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: 2,
  async run(t) {
    const main = await (await t.tenant()).main();
    const one = await t.createKey(main, [readScope], { own: true });
    const two = await t.createKey(main, [readScope], { own: true });
    const path = { id: one.id };

    const own = await t.call("getApiKey", { path }, one.credential);
    t.accepted("KEYC-11", own);
    const different = one.id !== two.id && one.credential.token !== two.credential.token;
    t.verify("KEYC-12", different, {
      expected: "two ids and two secrets",
      actual: one.id === two.id ? `the id ${one.id} twice` : "one secret twice",
      exchanges: [one.exchange, two.exchange],
    });

    const read = await t.call("getApiKey", { path }, main);
    t.accepted("KEYG-01", read);
    t.control(read, "reading an own key");
    const key = objectOf(dataOf(read)) ?? {};
    const wrong = answerViolations(read).map((v) => `${v.pointer} ${v.message}`);
    t.equal("KEYG-01", "departures from the documented shape", wrong, [], read);
    t.verify("KEYG-02", !Object.hasOwn(key, "plaintext"), {
      expected: "no plaintext",
      actual: "a member plaintext",
      exchanges: [read],
    });
    t.equal("KEYG-04", "the key read", lasting(key), lasting(one.data), one.exchange, read);
    const again = await t.call("getApiKey", { path }, main);
    const { last_used_at: _, ...first } = key;
    const { last_used_at: __, ...second } = objectOf(dataOf(again)) ?? {};
    t.equal(
      "KEYG-13",
      "the key read again",
      { ...second, scopes: asSet(second.scopes) },
      { ...first, scopes: asSet(first.scopes) },
      read,
      again,
    );
  },
};

/** What neither use nor time changes; scopes as a set, times to the second. */
function lasting(key: Readonly<Record<string, unknown>>): object {
  const { id, org_id, label, prefix, scopes, created_at } = key;
  const second = Math.floor(Date.parse(String(created_at)) / 1000);
  return { id, org_id, label, prefix, scopes: asSet(scopes), created_at: second };
}

const asSet = (scopes: unknown): unknown => (Array.isArray(scopes) ? [...scopes].sort() : scopes);
