import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { operations } from "../../../generated/operations.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { dataOf, type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { judgeEach } from "../../steps/judge-each.ts";
import { likeKeys } from "../../steps/like-keys.ts";
import { balanceOf, balanceOnce, makeLookup } from "../../steps/lookup.ts";
import {
  admissible,
  callSend,
  isNoLackOfConsent,
  optIn,
  type SendWish,
  sendDraws,
  sendUntil,
  shownIn,
  timeAhead,
} from "../../steps/message.ts";
import { roomyLimits } from "../../steps/roomy-limits.ts";
import { isSameId } from "../../steps/settle.ts";

/** How many sends with one key arrive at once. */
const atOnce = [1, 8];

/** What is sent: a text of one segment, and one of several. */
const bodies = ["Your table is ready.", "Your table is ready. ".repeat(10)] as const;

/** Sends that come again one after the other. */
const repeats = 2;

const idIn = (t: CheckContext, exchange: Exchange): string | null =>
  isSuccess(exchange) ? (shownIn(t, "sendMessage", exchange).id?.toLowerCase() ?? null) : null;

/** Sends with each key, of each text, of two organizations, alone and at once. */
export const retriedSends = check({
  id: "messages.retries",
  title: "Sends with one key and text are one message, with another key or of another organization another one",
  rules: ["MSG-64", "MSG-65", "MSG-66", "MSG-67"],
  kind: "scenario",
  needs: ["state", "other-organization", "limit-override"],
  effects: ["creates", "spends"],
  draws: { ...sendDraws(6 + bodies.length * (1 + 9 + 2 * (repeats + 3))), consentRecords: 2 },
  async run(t) {
    const roomy = { clock: "manual", ...roomyLimits(operations.sendMessage) } as const;
    const tenant = await t.tenant(roomy);
    const [main, stranger] = [await tenant.main(), await (await t.otherTenant(roomy)).main()];
    const scheduled_at = await timeAhead(tenant);
    for (const each of [main, stranger]) {
      await optIn(t, each);
      const first = await sendUntil(t, each, { scheduled_at }, isNoLackOfConsent);
      t.control(admissible(first), "sending a message without a key");
    }
    const send = async (as: Credential, wish: SendWish): Promise<Exchange> =>
      admissible(await callSend(t, as, { scheduled_at, ...wish }));

    for (const { one, other, by, isVague } of likeKeys(randomUUID())) {
      const sent = [await send(main, { body: bodies[0], key: one }), await send(main, { body: bodies[0], key: other })];
      const [first = null, second = null] = sent.map((exchange) => idIn(t, exchange));
      // Which keys there are is open: one may be refused for how it is written.
      if (first === null || second === null) continue;
      t.verify("MSG-67", first !== second, {
        expected: `another message for a key that differs ${by}`,
        actual: `the message ${first} again`,
        exchanges: sent,
        question: "Q98",
        warnOnly: isVague,
      });
    }
    await judgeEach(bodies, async (body) => {
      const alone = await cost(t, main, () => send(main, { body }));
      t.control(alone.result, "sending a message");
      await judgeEach(atOnce, async (calls) => {
        const key = randomUUID();
        const { result, spent } = await cost(t, main, async () => {
          const together = await Promise.all(Array.from({ length: calls }, () => send(main, { body, key })));
          const again: Exchange[] = [];
          for (let count = 0; count < repeats; count += 1) again.push(await send(main, { body, key }));
          return [...together, ...again];
        });
        const ids = new Set(result.map((exchange) => idIn(t, exchange)).filter((id) => id !== null));
        if (ids.size === 0)
          throw new Blocked(
            `${result.length} sends with a key were all refused: ${result.slice(0, 1).map(summaryOf).join()}`,
            "see how the target takes an Idempotency-Key",
            "server",
          );
        // Where one send costs nothing yet, since messages are charged later, nothing is said of what several cost.
        const isCharged = alone.spent > 0;
        t.verify(calls === 1 ? "MSG-64" : "MSG-65", ids.size === 1 && (!isCharged || spent <= alone.spent), {
          expected: `one message${isCharged ? ` for at most ${alone.spent} millionths of a US dollar` : ""}`,
          actual: `${ids.size} messages${isCharged ? ` for ${spent}` : ""}`,
          exchanges: result.slice(0, 3),
          question: "Q98",
        });

        const theirs = await send(stranger, { body: calls === 1 ? body : bodies[0], key });
        const foreign = idIn(t, theirs);
        t.verify("MSG-66", foreign !== null && !ids.has(foreign), {
          expected: "a message of the organization's own",
          actual: foreign === null ? summaryOf(theirs) : `the other organization's message ${foreign}`,
          exchanges: [...result.slice(0, 1), theirs],
        });

        for (const other of [{ body, key: randomUUID() }, { body }]) {
          const exchange = await send(main, other);
          const id = idIn(t, exchange);
          t.verify("MSG-67", id !== null && !ids.has(id), {
            expected: "another message",
            actual: id === null ? summaryOf(exchange) : `the message ${id} again`,
            exchanges: [...result.slice(0, 1), exchange],
            question: "Q98",
          });
        }
      });
    });
  },
});

/** What was done, and millionths of a US dollar that it took: none where a message is charged later than it is sent. */
async function cost<Result>(
  t: CheckContext,
  { tenant }: Credential,
  does: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly spent: number }> {
  const before = await balanceOf(tenant);
  const result = await does();
  return { result, spent: before - (await balanceOnce(t, tenant, (balance) => balance < before)) };
}

/** One key of a lookup and of a send. */
export const keyOfLookup = check({
  id: "messages.key-of-lookup",
  title: "A send with the key of a lookup is a message, or refused, and not that lookup",
  rules: ["MSG-92"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends", "sends"],
  draws: { ...sendDraws(4), consentRecords: 1 },
  async run(t) {
    const main = await (await t.tenant()).main();
    await optIn(t, main);
    t.control(admissible(await sendUntil(t, main, {}, isNoLackOfConsent)), "sending a message without a key");
    const key = randomUUID();
    const lookup = await makeLookup(t, main, { key });
    const sent = admissible(await callSend(t, main, { key }));
    const isLookup = isSameId(idIn(t, sent), lookup.id) || isDeepStrictEqual(dataOf(sent), dataOf(lookup.exchange));
    t.verify("MSG-92", !isSuccess(sent) || !isLookup, {
      expected: "a message, or a refusal",
      actual: `the lookup ${lookup.id}`,
      exchanges: [lookup.exchange, sent],
    });
  },
});
