import { constants } from "../../../generated/constants.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { dataOf, type Exchange, isSuccess, objectOf, summaryOf } from "../../exchange/exchange.ts";
import { answerViolations } from "../../monitor/answer-violations.ts";
import { newLabel } from "../../provision/new-label.ts";
import type { Credential } from "../../provision/tenant.ts";
import { readScope, surelyGrantable } from "../../steps/grantable.ts";

/** Two created keys at work and read back. */
export const readBack = check({
  id: "api-keys.read-back",
  title: "A created key authenticates and reads back as created, without its secret",
  rules: ["KEYC-11", "KEYC-12", "KEYC-37", "KEYG-01", "KEYG-02", "KEYG-03", "KEYG-04", "KEYG-13"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 3 },
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

    t.verify("KEYC-37", one.data.prefix !== two.data.prefix, {
      expected: "two prefixes",
      actual: `${JSON.stringify(one.data.prefix)} twice`,
      exchanges: [one.exchange, two.exchange],
    });

    const read = await t.call("getApiKey", { path }, main);
    t.accepted("KEYG-01", read);
    t.control(read, "reading an own key");
    const key = objectOf(dataOf(read)) ?? {};
    const wrong = answerViolations(read).map((v) => `${v.pointer} ${v.message}`);
    t.equal("KEYG-01", "departures from the documented shape", wrong, [], read);
    t.equal("KEYG-04", "the key read", lasting(key), lasting(one.data), one.exchange, read);
    // What is kept may be rounded to whole seconds, and the answer to the creation may not.
    t.verify("KEYG-04", Math.abs(instantOf(key.created_at) - instantOf(one.data.created_at)) <= 1000, {
      expected: `created_at ${one.data.created_at}, give or take a second`,
      actual: String(key.created_at),
      exchanges: [one.exchange, read],
    });
    const again = await t.call("getApiKey", { path }, main);
    const second = objectOf(dataOf(again)) ?? {};
    const standing = (of: Readonly<Record<string, unknown>>) => ({
      ...lasting(of),
      created_at: instantOf(of.created_at),
      revoked_at: of.revoked_at,
    });
    t.equal("KEYG-13", "the key read again", standing(second), standing(key), read, again);
    await readsBackWhole(t, main);
    const upper = await t.call("getApiKey", { path: { id: one.id.toUpperCase() } }, main);
    t.verify("KEYG-01", isSuccess(upper), {
      expected: "the key, its id written in upper case",
      actual: summaryOf(upper),
      exchanges: [upper],
      // That both are one id, RFC 9562 (4) says and the document does not.
      warnOnly: true,
    });
    for (const exchange of [own, read, again]) {
      t.verify("KEYG-02", !Object.hasOwn(objectOf(dataOf(exchange)) ?? {}, "plaintext"), {
        expected: "no plaintext",
        actual: "a member plaintext",
        exchanges: [exchange],
      });
      const shown = writtenIn(exchange, one.credential.token);
      t.verify("KEYG-03", shown === null, {
        expected: "the secret in no form",
        actual: `the secret ${shown}`,
        exchanges: [exchange],
      });
    }
  },
});

/** The form in which an answer shows a secret: without its mark, or in one of the common encodings; null for none. */
function writtenIn({ outcome }: Exchange, secret: string): string | null {
  if (outcome.kind === "lost") return null;
  const text = [outcome.text, ...Object.values(outcome.headers)].join("\n");
  const bytes = Buffer.from(secret);
  const forms: Readonly<Record<string, string>> = {
    "as it is": secret,
    "without its mark": secret.startsWith(constants.liveKeyPrefix)
      ? secret.slice(constants.liveKeyPrefix.length)
      : secret,
    "in base64": bytes.toString("base64").replace(/=+$/, ""),
    "in base64url": bytes.toString("base64url"),
    "in hexadecimal": bytes.toString("hex"),
    "from its end to its start": [...secret].reverse().join(""),
  };
  return Object.entries(forms).find(([, form]) => text.includes(form))?.[0] ?? null;
}

/** A key with every scope that the caller may grant and a label of many characters, where the target admits it. */
async function readsBackWhole(t: CheckContext, main: Credential): Promise<void> {
  const scopes = surelyGrantable(main);
  const label = `${newLabel()} Grüße "東京" & a\\b`;
  const created = await t.call("createApiKey", { body: { label, scopes } }, main);
  if (!isSuccess(created)) return;
  const key = objectOf(dataOf(created)) ?? {};
  const read = t.control(await t.call("getApiKey", { path: { id: String(key.id) } }, main), "reading an own key");
  t.equal("KEYG-04", "the key read", lasting(objectOf(dataOf(read)) ?? {}), lasting(key), created, read);
}

/** Documented members that neither use nor time changes: a server may add others that do. */
function lasting({ id, org_id, label, prefix, scopes }: Readonly<Record<string, unknown>>): object {
  return { id: lowered(id), org_id: lowered(org_id), label, prefix, scopes: asSet(scopes) };
}

const instantOf = (time: unknown): number => Date.parse(String(time));

/** A UUID may be written in either case (RFC 9562, 4). */
const lowered = (id: unknown): unknown => (typeof id === "string" ? id.toLowerCase() : id);

const asSet = (scopes: unknown): unknown => (Array.isArray(scopes) ? [...scopes].sort() : scopes);
