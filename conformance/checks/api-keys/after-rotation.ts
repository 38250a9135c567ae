import { check } from "../../context/check.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { feedScope } from "../../steps/feed.ts";
import { grantable, readScope } from "../../steps/grantable.ts";
import { rotatedKey } from "../../steps/rotated-key.ts";
import { worksStill } from "./after-revocation.ts";
import { authenticates } from "./rotation.ts";

/** Seconds from one try of a replaced secret to the next; by the last the longest grace is over. */
const waits = [60, 3600, 86_400] as const;

/** Both secrets of a rotated key, as time goes by, beside a key that was not rotated. */
export const afterRotation = check({
  id: "api-keys.after-rotation",
  title: "After a rotation the new secret lasts, the old one ends for good, and no other key changes",
  rules: ["KEYR-02", "KEYR-04", "AUTH-04", "KEYC-11", "KEYG-15"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 3 },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const scopes = [readScope, ...grantable(main).filter((scope) => scope === feedScope)];
    const before = await t.createKey(main, scopes, { own: true });
    const sibling = await t.createKey(main, [readScope], { own: true });
    const use = (path: { readonly id: string }, as: typeof before.credential) => t.attempt("getApiKey", { path }, as);
    t.control(await use({ id: before.id }, before.credential), "a key reading itself before its rotation");
    const rotated = t.control(await t.call("rotateApiKey", { path: { id: before.id } }, main), "rotating an own key");
    const after = rotatedKey(t, rotated, before);
    const path = { id: after.id ?? before.id };

    const old: Exchange[] = [];
    const elsewhere: Exchange[] = [];
    for (const seconds of [0, 0, ...(tenant.manualClock ? waits : [])]) {
      if (seconds > 0) await tenant.advance(seconds, "both secrets of a rotated key tried again");
      old.push(await use(path, before.credential));
      if (t.serves("listDeliveryAttempts"))
        elsewhere.push(await t.attempt("listDeliveryAttempts", {}, before.credential));
      authenticates(t, "KEYR-02", await use(path, after));
      await worksStill(t, sibling.credential);
    }

    // A rotated key may keep its prefix.
    const prefix = [before.data.prefix, sibling.data.prefix].find((each) => isAnother(each, after.token));
    if (prefix !== undefined) {
      const mixed = { ...after, name: "another prefix before the new secret", token: mix(prefix, after.token) };
      t.refused("AUTH-04", await use(path, mixed), "Unauthorized");
    }

    const ended = old.findIndex((exchange) => answeredBy(exchange, "Unauthorized"));
    if (ended < 0 && !tenant.manualClock)
      throw new Blocked("the old secret works still, and the kit cannot wait for its end", "give the kit a sandbox");
    const late = [old, elsewhere].flatMap((uses) => uses.slice(Math.max(0, ended))).find(isSuccess);
    t.verify("KEYR-04", late === undefined, {
      expected: ended < 0 ? "the old secret refused within a day" : "the old secret refused ever after it was first",
      actual: late === undefined ? "refused" : summaryOf(late),
      exchanges: late === undefined ? old : [rotated, late],
    });
    if (prefix === undefined)
      throw new Blocked("no key shows a prefix other than that of the new secret", "see KEYC-09 first", "server");
  },
});

/** Whether it is a prefix, and not this secret's. */
const isAnother = (prefix: unknown, token: string): prefix is string =>
  typeof prefix === "string" && prefix !== "" && !token.startsWith(prefix);

/** A secret that begins like one and goes on like another. */
const mix = (prefix: string, token: string): string => prefix + token.slice(prefix.length);
