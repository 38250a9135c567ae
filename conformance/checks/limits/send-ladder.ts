import { randomUUID } from "node:crypto";
import { buckets } from "../../../generated/limits.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { Need } from "../../arrangements/all.ts";
import { organizationState } from "../../arrangements/organization-state.ts";
import { type Check, check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential, Tenant, TenantWish } from "../../provision/tenant.ts";
import { consentedBurst, consentedSend } from "../../steps/consented-sends.ts";
import { deferringNight } from "../../steps/deferring-night.ts";
import { type Effect, leftAsItWas, watchingEffects } from "../../steps/effect-of.ts";
import { makeLookup } from "../../steps/lookup.ts";
import { attemptsToSend, optIn, sendDraws, sendInput, shownIn } from "../../steps/message.ts";
import { overYear } from "../../steps/over-year.ts";
import { roomForOne } from "../../steps/room-for-one.ts";
import { eventually } from "../../steps/settle.ts";
import { centMicros, spendWithin } from "../../steps/spend-within.ts";
import { blockUnlessThrottled, burst, insistence, isThrottled, judgeRetryAfter } from "../../steps/throttle.ts";
import { admittedAfterWait } from "./admitted-after-wait.ts";
import { loneWait } from "./lone-wait.ts";
import { ruleOfTier } from "./rule-of-tier.ts";

const { tiers, periodSeconds } = buckets.messageSendsPerSecond;

/** Seconds of the longer of the two buckets of a tier. */
const longestPeriod = Math.max(periodSeconds, buckets.messageSendsPerMinute.periodSeconds);

/** Decides whether a burst of sends is admitted as far as there is room; gives the refusal behind it. */
async function judgeBurst(
  t: CheckContext,
  rule: RuleId,
  send: (index: number) => Promise<Exchange>,
  as: Credential,
  capacity: number,
): Promise<{ readonly admitted: readonly Exchange[]; readonly beyond: Exchange }> {
  const { admitted, refusedEarly, beyond } = await consentedBurst(t, as.tenant, [() => send(0), () => send(1)], {
    make: () => burst(send, as, { capacity, periodSeconds }),
    sends: ({ refusedEarly: early }) => (early === null ? [] : [early]),
  });
  blockUnlessThrottled(refusedEarly);
  t.verify(rule, refusedEarly === null, {
    expected: `${capacity} sends admitted at once`,
    actual: `${admitted.length} admitted${refusedEarly === null ? "" : `, and ${summaryOf(refusedEarly)}`}`,
    exchanges: refusedEarly === null ? [] : [refusedEarly],
  });
  t.verify(rule, isThrottled(beyond), {
    expected: `send ${capacity + 1} refused for the limit`,
    actual: summaryOf(beyond),
    exchanges: [beyond],
  });
  if (!isThrottled(beyond)) throw new Blocked("no send was refused", `see ${rule} first`, "server");
  return { admitted, beyond };
}

/** Decides whether a send beyond the limit left the organization as it was. */
function judgeEffect(t: CheckContext<"LIM-10">, { exchange, before, after }: Effect): void {
  leftAsItWas(t, "LIM-10", { before, after }, exchange);
}

/** Reads of a message while nothing can be sent. */
const reads = 30;

/** The burst on each tier of the ladder. */
export const sendBursts: readonly Check[] = ruleOfTier.map((rule, index) => {
  const { tier = index + 1, capacity = 0 } = tiers[index] ?? {};
  return check({
    id: `limits.send-burst.tier-${tier}`,
    title: `Tier ${tier} of the send ladder admits its sends of a second, and refuses the next, which changes nothing`,
    rules: [rule, "LIM-08", "LIM-10", "LIM-14", "MSG-49"],
    kind: "scenario",
    needs: ["manual-clock", "lifetime-spend", "state"],
    effects: ["creates", "spends", "exhausts"],
    draws: { ...sendDraws(capacity + 8 + insistence), consentRecords: 2 },
    run: watchingEffects(async (t, effectOf) => {
      const tenant = await t.tenant({ clock: "manual", lifetime_spend_micros: spendWithin(index) });
      const main = await tenant.main();
      const send = await attemptsToSend(t, main);
      let effect: Effect | null = null;
      const { admitted, beyond } = await judgeBurst(
        t,
        rule,
        async (index) => {
          if (index !== capacity) return send(index);
          // The first that is refused: what it does once no later one does.
          effect = await effectOf(tenant, () => send(index));
          return effect.exchange;
        },
        main,
        capacity,
      );
      // The longer of both waits is what it is to ask for.
      judgeRetryAfter(t, beyond, { capacity, periodSeconds: longestPeriod }, { warnOnly: false });
      if (effect !== null) judgeEffect(t, effect);
      const [first] = admitted;
      const id = first === undefined ? null : shownIn(t, "sendMessage", first).id;
      if (id === null) throw new Blocked("no message has an id", "see MSG-01 first", "server");
      const read = await t.attempt("getMessage", { path: { id } }, main);
      if (!isSuccess(read) && !isThrottled(read)) t.control(read, "reading a message");
      const answers = [read];
      for (let count = 1; count < reads; count += 1) {
        answers.push(await t.attempt("getMessage", { path: { id } }, main));
        if (t.serves("listMessages")) answers.push(await t.attempt("listMessages", {}, main));
      }
      const throttled = answers.find(isThrottled);
      t.verify("MSG-49", throttled === undefined, {
        expected: `${reads} reads of messages, and of their list, admitted while nothing can be sent`,
        actual: throttled === undefined ? "that" : summaryOf(throttled),
        exchanges: [throttled ?? read],
      });
      // What was refused last tells how long to wait from now on: refused calls may draw too.
      await admittedAfterWait(t, "LIM-08", send, { beyond, tenant, full: true });
    }),
  });
});

/** Sends that fit into a minute where the sandbox makes it narrow. */
const narrow = 3;

const narrowMinute = {
  messageSendsPerMinute: { capacity: narrow, period_seconds: buckets.messageSendsPerMinute.periodSeconds },
};

/** Has as many sends refused as the bucket of a minute has no room for, and admitted after the wait. */
async function judgeMinute(
  t: CheckContext<"LIM-06" | "LIM-07">,
  tenant: Tenant,
  attempts: (...[t, as]: Parameters<typeof attemptsToSend>) => ReturnType<typeof attemptsToSend> = attemptsToSend,
): Promise<void> {
  const main = await tenant.main();
  const send = await attempts(t, main);
  const { beyond } = await judgeBurst(t, "LIM-06", send, main, narrow);
  await admittedAfterWait(t, "LIM-07", send, { beyond, tenant, full: true });
}

/** The bucket of a minute, where it is the narrower one. */
export const sendMinute = check({
  id: "limits.send-minute",
  title: "A send needs room in the bucket of a minute too, and Retry-After is the longer of both waits",
  rules: ["LIM-06", "LIM-07"],
  kind: "scenario",
  needs: ["manual-clock", "limit-override"],
  effects: ["creates", "spends", "exhausts"],
  draws: sendDraws(narrow + 4),
  async run(t) {
    await judgeMinute(t, await t.tenant({ clock: "manual", limits: narrowMinute }));
  },
});

/** Sends that are made, or taken, in another way than those for later. */
const otherSends: readonly {
  readonly id: string;
  readonly what: string;
  readonly needs: readonly Need[];
  readonly wish: TenantWish;
  readonly attempts: typeof attemptsToSend;
}[] = [
  {
    id: "keyed",
    what: "that has an idempotency key of its own",
    needs: [],
    wish: { clock: "manual" },
    attempts: (t, as) => attemptsToSend(t, as, () => ({ key: randomUUID() })),
  },
  {
    id: "deferred",
    what: "that is deferred by quiet hours",
    needs: ["quiet-hours", "chosen-time"],
    wish: deferringNight,
    async attempts(t, as) {
      const [to] = t.numbers("America/New_York");
      await optIn(t, as, to);
      return () => t.attempt("sendMessage", sendInput(t, { to }), as);
    },
  },
];

/** The bucket of a minute for these. */
export const otherSendMinutes: readonly Check[] = otherSends.map(({ id, what, needs, wish, attempts }) =>
  check({
    id: `limits.send-minute.${id}`,
    title: `A send ${what} needs room in the bucket of a minute as any other`,
    rules: ["LIM-06", "LIM-07"],
    kind: "scenario",
    needs: ["manual-clock", "limit-override", ...needs],
    effects: ["creates", "spends", "exhausts"],
    draws: sendDraws(narrow + 4),
    async run(t) {
      await judgeMinute(t, await t.tenant({ ...wish, limits: narrowMinute }), attempts);
    },
  }),
);

/** The same with no room in either bucket. */
export const sendBoth = check({
  id: "limits.send-both",
  title: "A send for which both buckets are empty asks to wait for the one that takes longer",
  rules: ["LIM-06", "LIM-07"],
  kind: "scenario",
  needs: ["manual-clock", "limit-override"],
  effects: ["creates", "spends", "exhausts"],
  draws: sendDraws(narrow + 4),
  async run(t) {
    const limits = { ...narrowMinute, messageSendsPerSecond: { capacity: narrow, period_seconds: periodSeconds } };
    await judgeMinute(t, await t.tenant({ clock: "manual", limits }));
  },
});

/** The tiers whose minutes are filled: the fourth takes as many sends as a fifth of all other calls of a run. */
const filledTiers = buckets.messageSendsPerMinute.tiers.slice(0, 3);

/** The burst on each tier of the ladder where a second has room for all of a minute. */
export const sendMinutes: readonly Check[] = filledTiers.map(({ tier, capacity }, index) =>
  check({
    id: `limits.send-minute.tier-${tier}`,
    title: `Tier ${tier} of the send ladder admits its sends of a minute, and refuses the next`,
    rules: ["LIM-20"],
    kind: "scenario",
    needs: ["manual-clock", "lifetime-spend", "limit-override"],
    effects: ["creates", "spends", "exhausts"],
    draws: { ...sendDraws(capacity + 1 + insistence), consentRecords: 2 },
    async run(t) {
      const limits = { messageSendsPerSecond: { capacity: 2 * capacity, period_seconds: periodSeconds } };
      const settings = { clock: "manual", lifetime_spend_micros: spendWithin(index), limits } as const;
      const main = await (await t.tenant(settings)).main();
      await judgeBurst(t, "LIM-20", await attemptsToSend(t, main), main, capacity);
    },
  }),
);

/** Seconds in which a tier is to follow what was spent. */
const promotionSeconds = 60;

/** Who has spent more than this by a send, once the tier above may hold and its buckets are full. */
async function promoted(t: CheckContext, threshold: number, wish: TenantWish = {}) {
  const tenant = await t.tenant({ ...wish, clock: "manual", lifetime_spend_micros: threshold - 1 });
  const main = await tenant.main();
  const send = await attemptsToSend(t, main);
  const crossing = t.control(await consentedSend(t, tenant, send), "a send");
  await tenant.advance(promotionSeconds, "a tier to follow what was spent");
  // A message may cost nothing until it is sent, and these are scheduled.
  if ((await tenant.arrange(organizationState, {})).lifetime_spend_micros <= threshold) await makeLookup(t, main);
  // It may follow with the next send, and what fits into the tier's buckets comes with time.
  await send();
  await tenant.advance(promotionSeconds, "the buckets of the tier to fill");
  // Beyond the threshold, not at it: what holds there is open.
  const isBeyond = await eventually(t, tenant, async () => {
    const { lifetime_spend_micros: spent } = await tenant.arrange(organizationState, {});
    return spent > threshold ? true : null;
  });
  if (isBeyond === null)
    throw new Blocked("a send did not take what was spent over a threshold", "see what the target counts as spend");
  return { tenant, send, crossing };
}

/** Decides that so many sends at once are admitted to who was promoted, so long after the threshold was crossed. */
async function judgePromoted(
  t: CheckContext<"LIM-09">,
  { send, crossing }: Pick<Awaited<ReturnType<typeof promoted>>, "send" | "crossing">,
  count: number,
  seconds: number,
): Promise<void> {
  const sends: Exchange[] = [];
  for (let sent = 0; sent < count; sent += 1) sends.push(await send());
  const refused = sends.find((exchange) => !isSuccess(exchange)) ?? null;
  blockUnlessThrottled(refused);
  t.verify("LIM-09", refused === null, {
    expected: `${count} sends at once ${seconds} s after the threshold was crossed`,
    actual: refused === null ? "that" : `${sends.filter(isSuccess).length} admitted, and ${summaryOf(refused)}`,
    exchanges: [crossing, refused ?? crossing],
  });
}

/** Whether a tier is the lowest that is promoted to: its sends are few enough to be made again. */
const isLowest = (tier: number): boolean => tier === tiers[1]?.tier;

/** What is spent at the edge of a tier. */
export const promotions: readonly Check[] = tiers.slice(1).map(({ tier, fromCents, capacity }) =>
  check({
    id: `limits.promotion.tier-${tier}`,
    title: `A send that takes what was spent over the threshold of tier ${tier} leads to that tier`,
    rules: ["LIM-09"],
    kind: "scenario",
    needs: ["manual-clock", "lifetime-spend", "state"],
    // What is scheduled is due before a year is over.
    effects: ["creates", "spends", "exhausts", ...(isLowest(tier) ? (["sends"] as const) : [])],
    draws: { ...sendDraws((isLowest(tier) ? 2 : 1) * capacity + 3 + insistence), consentRecords: 4 },
    async run(t) {
      const { tenant, send, crossing } = await promoted(t, fromCents * centMicros);
      await judgePromoted(t, { send, crossing }, capacity, 2 * promotionSeconds);
      if (!isLowest(tier)) return;
      // What was ever spent does not become less because nothing is sent.
      await tenant.advance(overYear, "more than a year without sends");
      const later = await attemptsToSend(t, await tenant.main());
      await judgePromoted(t, { send: later, crossing }, capacity, 2 * promotionSeconds + overYear);
    },
  }),
);

const [firstMinute] = buckets.messageSendsPerMinute.tiers;

/** The other bucket of who is promoted, where a second has room for all of a minute. */
export const promotionOfMinute = check({
  id: "limits.promotion-of-minute",
  title: "Who is promoted from the first tier may send more in a minute than that admits",
  rules: ["LIM-09"],
  kind: "scenario",
  needs: ["manual-clock", "lifetime-spend", "state", "limit-override"],
  effects: ["creates", "spends", "exhausts"],
  draws: { ...sendDraws(firstMinute.capacity + 4), consentRecords: 2 },
  async run(t) {
    const limits = { messageSendsPerSecond: { capacity: 2 * firstMinute.capacity, period_seconds: periodSeconds } };
    const threshold = (tiers[1]?.fromCents ?? 0) * centMicros;
    await judgePromoted(t, await promoted(t, threshold, { limits }), firstMinute.capacity + 1, 2 * promotionSeconds);
  },
});

export const sendWait = loneWait("LIM-07", {
  operation: "sendMessage",
  needs: ["limit-override"],
  effects: ["creates", "spends", "exhausts"],
  draws: {},
  async begin(t) {
    const tenant = await roomForOne(t, "messageSendsPerMinute");
    const send = await attemptsToSend(t, await tenant.main());
    await consentedSend(t, tenant, send);
    return { tenant, send };
  },
});
