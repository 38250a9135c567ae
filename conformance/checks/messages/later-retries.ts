import { randomUUID } from "node:crypto";
import { operations } from "../../../generated/operations.ts";
import { signedInUser } from "../../arrangements/signed-in-user.ts";
import { userOf } from "../../context/caller-of.ts";
import { check } from "../../context/check.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { untilAtRest } from "../../steps/effect-of.ts";
import { balanceOf } from "../../steps/lookup.ts";
import {
  admissible,
  callCancel,
  callSend,
  isNoLackOfConsent,
  messageIn,
  optIn,
  sendUntil,
  shownIn,
  timeAhead,
} from "../../steps/message.ts";
import { roomyLimits } from "../../steps/roomy-limits.ts";
import { isSameId } from "../../steps/settle.ts";

/** Sends that come again one after the other. */
const repeats = 3;

/** Seconds between rounds of retries. The lifetime of a key is an open question: an hour at least, in all known readings. */
const roundsSeconds = [120, 2700] as const;

/** Sends with keys of which each comes again when the others, and more, have happened; of a user, too, where users may send. */
export const laterRetries = check({
  id: "messages.later-retries",
  title: "A send that comes again later is one message, be it sent, waiting or canceled meanwhile",
  rules: ["MSG-64"],
  kind: "scenario",
  needs: ["state", "manual-clock", "limit-override"],
  effects: ["creates", "spends", "sends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual", ...roomyLimits(operations.sendMessage) });
    const main = await tenant.main();
    await optIn(t, main);
    const scheduled_at = await timeAhead(tenant);
    const first = await sendUntil(t, main, { scheduled_at }, isNoLackOfConsent);
    t.control(admissible(first), "sending a message without a key");
    const taken = [];
    for (const [what, when] of [
      ["sent at once", {}],
      ["waiting for its time", { scheduled_at }],
      ["canceled meanwhile", { scheduled_at }],
    ] as const) {
      const wish = { ...when, key: randomUUID() };
      taken.push({ as: main, what, wish, ...messageIn(t, admissible(await callSend(t, main, wish))) });
    }
    const canceled = taken.at(-1);
    if (canceled !== undefined) t.control(await callCancel(t, main, canceled.id), "cancelling a message");
    if (tenant.can(signedInUser)) {
      const as = await userOf(tenant);
      const wish = { scheduled_at, key: randomUUID() };
      const exchange = await callSend(t, as, wish);
      // Which operations users may call but their own is open.
      if (isSuccess(exchange)) taken.push({ as, what: "sent by a user", wish, ...messageIn(t, exchange) });
    }
    for (const seconds of roundsSeconds) {
      await tenant.advance(seconds, "retries that come later");
      await untilAtRest(t, tenant);
      const before = await balanceOf(tenant);
      for (const { as, what, wish, id, exchange } of taken) {
        const again: Exchange[] = [];
        for (let count = 1; count <= repeats; count += 1) again.push(await callSend(t, as, wish));
        const others = again.filter((one) => isSuccess(one) && !isSameId(shownIn(t, "sendMessage", one).id, id));
        t.verify("MSG-64", others.length === 0, {
          expected: `the message ${id}, which was ${what}, or no message`,
          actual: others.slice(0, 1).map(summaryOf).join(),
          exchanges: [exchange, ...others.slice(0, 1)],
          question: "Q98",
        });
      }
      await untilAtRest(t, tenant);
      const after = await balanceOf(tenant);
      t.verify("MSG-64", after >= before, {
        expected: `${before} millionths of a US dollar in the wallet, as before the retries`,
        actual: String(after),
        exchanges: taken.map(({ exchange }) => exchange),
        question: "Q98",
      });
    }
  },
});
