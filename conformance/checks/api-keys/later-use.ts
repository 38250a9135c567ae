import { check } from "../../context/check.ts";
import { dataOf, type Exchange, objectOf } from "../../exchange/exchange.ts";
import { pause } from "../../liveness/deadline.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { readScope } from "../../steps/grantable.ts";

const day = 86_400;

/** Days between two uses: more than one, as the time may be kept by the day. */
const days = 3;

/** A key that is used, left alone, and used again. */
export const laterUse = check({
  id: "api-keys.later-use",
  title: "The time of last use moves with a later use, and not without one",
  rules: ["KEYG-14"],
  kind: "scenario",
  needs: ["manual-clock"],
  effects: ["creates"],
  draws: { apiKeyWrites: 1 },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    if (!tenant.manualClock)
      throw new Blocked("days would have to pass", "give the kit a sandbox, or an advance hook whose clock is manual");
    const main = await tenant.main();
    const { id, credential } = await t.createKey(main, [readScope], { own: true });
    const read = async () => t.control(await t.call("getApiKey", { path: { id } }, main), "reading an own key");
    const { pollInterval, pollTimeout } = t.timing;
    /** The key as it is read once it was used after an instant; as it is read last where that never shows. */
    const usedAfter = async (instant: number): Promise<Exchange> => {
      t.control(await t.call("getApiKey", { path: { id } }, credential), "using the key");
      const until = Date.now() + pollTimeout;
      let used = await read();
      while (!(lastUseIn(used) > instant) && Date.now() < until) {
        await pause(pollInterval);
        used = await read();
      }
      return used;
    };

    const first = await usedAfter(Number.NEGATIVE_INFINITY);
    const before = lastUseIn(first);
    if (Number.isNaN(before)) throw new Blocked("a used key tells no time of last use", "see KEYG-06 first", "server");
    await tenant.advance(days * day, "a key left alone");
    const idle = await read();
    t.verify("KEYG-14", Math.abs(lastUseIn(idle) - before) < day * 1000, {
      expected: `last_used_at as it was, as nobody used the key: ${new Date(before).toISOString()}`,
      actual: String(objectOf(dataOf(idle))?.last_used_at),
      exchanges: [first, idle],
    });
    const second = await usedAfter(before);
    const moved = lastUseIn(second) - before;
    t.verify("KEYG-14", moved >= (days - 1) * day * 1000, {
      expected: `last_used_at about ${days} days after ${new Date(before).toISOString()}`,
      actual: String(objectOf(dataOf(second))?.last_used_at),
      exchanges: [first, second],
    });
  },
});

const lastUseIn = (exchange: Exchange): number => Date.parse(String(objectOf(dataOf(exchange))?.last_used_at));
