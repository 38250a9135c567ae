import { check } from "../../context/check.ts";
import { dataOf, objectOf } from "../../exchange/exchange.ts";
import { pause } from "../../liveness/deadline.ts";
import { readScope, writeScope } from "../../steps/grantable.ts";
import { createdAtIn, judgeInstant } from "../../steps/judge-instant.ts";

/** The time of last use, before and after the first. */
export const lastUse = check({
  id: "api-keys.last-use",
  title: "A key tells no time of last use before its first use and one after it",
  rules: ["KEYG-05", "KEYG-06"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 2 },
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    const { id, credential } = await t.createKey(main, [readScope, writeScope], { own: true });
    const path = { id };
    // Twice, as to be read is not to be used.
    for (let read = 1; read <= 2; read += 1) {
      const unused = t.control(await t.call("getApiKey", { path }, main), "reading an own key");
      t.equal("KEYG-05", "last_used_at", objectOf(dataOf(unused))?.last_used_at, null, unused);
    }

    // A creation, since what only reads may be noted by itself.
    await t.createKey(credential, [readScope], { own: true });
    const { pollInterval, pollTimeout } = t.timing;
    const until = Date.now() + pollTimeout;
    let used = await t.call("getApiKey", { path }, main);
    // The document does not say that the time is written at once.
    while (typeof objectOf(dataOf(used))?.last_used_at !== "string" && Date.now() < until) {
      await pause(pollInterval);
      used = await t.call("getApiKey", { path }, main);
    }
    const key = objectOf(dataOf(used));
    const value = key?.last_used_at;
    if (typeof value === "string") {
      // Nobody uses a key before there is one.
      const from = createdAtIn(key);
      const until = tenant.manualClock ? Number.POSITIVE_INFINITY : used.answeredAt;
      return judgeInstant(t, "KEYG-06", {
        ...{ name: "last_used_at", value, from, until },
        ...{ question: "Q43", exchanges: [used] },
      });
    }
    t.verify("KEYG-06", false, {
      expected: `last_used_at, a timestamp within ${pollTimeout} ms of the first use`,
      actual: JSON.stringify(value) ?? "none",
      exchanges: [used],
      // How soon the time is written is open.
      question: pollTimeout < tolerated ? "Q43" : null,
    });
  },
});

/** Milliseconds of delay that the open question on `last_used_at` tolerates: who looked for less proved nothing. */
export const tolerated = 10_000;
