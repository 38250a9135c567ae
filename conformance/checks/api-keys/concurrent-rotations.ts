import { check } from "../../context/check.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { grantable, readScope } from "../../steps/grantable.ts";
import { rotatedKey } from "../../steps/rotated-key.ts";
import { authenticates } from "./rotation.ts";
import { wide } from "./valid-creations.ts";

/** Rotations under way at once. */
const atOnce = 6;

/** Rotations one after the other. */
const inTurn = 4;

/** A key with every scope, rotated again and again. */
export const repeatedRotations = check({
  id: "api-keys.repeated-rotations",
  title: "However often a key is rotated, and whatever it may do, its new secret authenticates",
  rules: ["KEYR-02"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: inTurn + 1 },
  async run(t) {
    const main = await (await t.tenant({ limits: wide })).main();
    const before = await t.createKey(main, grantable(main), { own: true });
    let id = before.id;
    for (let turn = 1; turn <= inTurn; turn += 1) {
      const rotated = t.control(await t.call("rotateApiKey", { path: { id } }, main), "rotating an own key");
      const after = rotatedKey(t, rotated, { ...before, id });
      id = after.id ?? id;
      authenticates(t, "KEYR-02", await t.attempt("getApiKey", { path: { id } }, after));
    }
  },
});

/** One key that is rotated several times at the same moment. */
export const concurrentRotations = check({
  id: "api-keys.concurrent-rotations",
  title: "Of the secrets that rotations at once give one key, no two are the same and one authenticates",
  rules: ["KEYR-02", "KEYR-04"],
  kind: "scenario",
  needs: ["limit-override"],
  effects: ["creates"],
  draws: { apiKeyWrites: atOnce + 2 },
  async run(t) {
    const tenant = await t.tenant({ limits: wide, clock: "manual" });
    const main = await tenant.main();
    const before = await t.createKey(main, [readScope], { own: true });
    const rotate = (id: string) => t.call("rotateApiKey", { path: { id } }, main);
    const use = (as: Credential): Promise<Exchange> => t.attempt("getApiKey", { path: { id: as.id ?? before.id } }, as);
    const rotations = await Promise.all(Array.from({ length: atOnce }, () => rotate(before.id)));
    // Where a rotation gives the key another id, the others may find it gone.
    const done = rotations.filter(isSuccess);
    if (done.length === 0)
      throw new Blocked(
        `rotations at once were answered ${summaryOf(rotations[0] ?? before.exchange)}`,
        "see KEYR-02 first",
        "server",
      );
    const renewed = done.map((exchange) => rotatedKey(t, exchange, before));
    const different = new Set(renewed.map(({ token }) => token)).size;
    t.verify("KEYR-02", different === done.length, {
      expected: `${done.length} different secrets`,
      actual: `${different}`,
      exchanges: done,
      // Rotations at once may be taken for one.
      warnOnly: true,
    });
    const uses = await Promise.all(renewed.map(use));
    const works = renewed.filter((_, at) => uses[at] !== undefined && !answeredBy(uses[at], "Unauthorized"));
    t.verify("KEYR-02", works.length > 0, {
      expected: "a secret among those of rotations at once that authenticates",
      actual: "none",
      exchanges: [...done, ...uses],
    });

    const [living] = works;
    if (living === undefined || !tenant.manualClock) return;
    await tenant.advance(86_400, "the secrets of rotations at once tried again");
    // In whatever order they were done, each but the last was followed by another one.
    const same = renewed.filter(({ id }) => id === living.id);
    const lateUses = await Promise.all(same.map(use));
    const alive = new Set(same.filter((_, at) => lateUses[at] && isSuccess(lateUses[at])).map(({ token }) => token));
    t.verify("KEYR-04", alive.size <= 1, {
      expected: "one secret at most of one key a day after rotations at once",
      actual: `${alive.size}`,
      exchanges: [...done, ...lateUses],
    });
    const last = rotatedKey(t, t.control(await rotate(living.id ?? before.id), "one more rotation"), before);
    await tenant.advance(86_400, "the secrets before a rotation tried again");
    const earlier = renewed.filter(({ id, token }) => id === living.id && token !== last.token);
    for (const each of earlier) {
      const late = await use(each);
      t.verify("KEYR-04", !isSuccess(late), {
        expected: "every secret before the last rotation refused within a day",
        actual: summaryOf(late),
        exchanges: [...done, late],
      });
    }
  },
});
