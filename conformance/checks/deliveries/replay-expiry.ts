import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, errorOf, isSuccess } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy, hasCodeOf } from "../../steps/answered-by.ts";
import { readFeed } from "../../steps/feed.ts";
import { firstAttempt } from "../../steps/first-attempt.ts";
import { growingSteps } from "../../steps/growing-steps.ts";
import { organizationTime } from "../../steps/organization-time.ts";
import { type OwnDelivery, ownDelivery } from "../../steps/own-delivery.ts";
import { callReplay, replay, replayedIn } from "../../steps/replay.ts";
import { isSameId } from "../../steps/settle.ts";
import { isDeadAtFirst, singleAttempt } from "../../steps/single-attempt.ts";
import { strangeEvents } from "../../steps/strange-events.ts";
import { byReceiver, bySandbox, forEachVantage } from "../../steps/vantage.ts";

/**
 * Days after the event at which a replay is tried: at common times of retention, and often enough between them that an
 * event that is gone is found before its record is, which may not be kept for much longer.
 */
const ages: readonly number[] = [
  ...[0.05, 0.3, 1, 1.5, 2.1, 3.1, 4.1, 5.1, 7.1, 10.1, 14.1, 15.1, 21.1, 30.1, 31.1, 45.1, 60.1, 61.1, 75, 90.1],
  ...[91.1, 120.1, 150, 180.1, 185, 220, 270, 330, 366, 400, 550, 731, 1_100],
];

const day = 86_400;

/** A delivery whose event the server no longer has. */
export const replayExpiry = check({
  id: "deliveries.replay-expiry",
  title: "A replay of what is past retention is refused for good and sends nothing",
  rules: ["TEN-03", "WHP-27", "WHP-28", "WHP-29"],
  kind: "scenario",
  needs: ["manual-clock"],
  effects: ["creates"],
  draws: { deliveryReplays: ages.length + 4 },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    if (!tenant.manualClock) throw new Blocked("time runs by itself", "give the kit a sandbox, or an advance hook");
    const alone = tenant.fresh;
    const main = await tenant.main();
    const own = await ownDelivery(t, main);
    const known: unknown[] = [own.record.event_id, ...own.earlier, (await replay(t, main, own.id)).eventId];

    const late = await untilRefused(t, main, own, known);
    t.refused("WHP-27", late, "EventExpired");
    t.equal("WHP-27", "error.details", errorOf(late)?.details, undefined, late);
    if (!hasCodeOf(late, "EventExpired"))
      throw new Blocked("no replay was refused for its event's age", "see WHP-27 first", "server");

    const again = await callReplay(t, main, own.id);
    t.refused("WHP-28", again, "EventExpired");
    await tenant.advance(day, "a day more");
    const later = await callReplay(t, main, own.id);
    // The record may be gone by now, and with it the delivery.
    if (!answeredBy(later, "NotFound") || (await isRecorded(t, main, own))) t.refused("WHP-28", later, "EventExpired");

    const strange = await strangeEvents(t, own.endpoint, known);
    t.verify("WHP-29", strange.length === 0, {
      expected: "no attempt of a replay that was refused",
      actual: strange.length === 0 ? "none" : `attempts of ${strange.join(", ")}`,
      exchanges: [late, again],
      // In an organization that others use, something may have happened of which the endpoint heard.
      warnOnly: !alone,
    });

    // That it is past retention, its own organization alone is told: by its own clock the other one is as late.
    const elsewhere = await t.otherTenant({ clock: "manual" });
    const stranger = await elsewhere.main();
    const behind = Math.ceil(((await organizationTime(tenant)) - (await organizationTime(elsewhere))) / 1000);
    if (elsewhere.manualClock && behind > 0) await elsewhere.advance(behind, "another organization's time");
    t.refused("TEN-03", await callReplay(t, stranger, own.id), "NotFound");
  },
});

/** Seconds by which the clock is moved on for further attempts of an event: a day and some hours in all. */
const retrying = growingSteps.slice(0, 10);

/** Attempts of one event, of which the first is a day older than the last. */
export const expiryOfAttempts = forEachVantage([byReceiver, bySandbox], ({ watch }) =>
  check({
    id: "deliveries.expiry-of-attempts",
    title: "When the event of a delivery is past retention, none of its attempts can be replayed, the latest neither",
    rules: ["WHP-27"],
    kind: "scenario",
    needs: ["manual-clock"],
    effects: ["creates"],
    draws: { deliveryReplays: ages.length + 1 },
    async run(t) {
      const tenant = await t.tenant({ clock: "manual" });
      if (!tenant.manualClock) throw new Blocked("time runs by itself", "give the kit a sandbox, or an advance hook");
      const main = await tenant.main();
      const { endpoint, meet } = await watch(t, main);
      await meet(500);
      const first = await firstAttempt(t, endpoint);
      if (typeof first?.record.id !== "string")
        throw new Blocked("an attempt was not in the feed in time", "see WHL-08 first", "server");
      for (const seconds of retrying) await tenant.advance(seconds, "further attempts of an event");
      // An endpoint at which nothing ever succeeds may be switched off.
      await meet(200);
      const attempts = (await readFeed(t, main)).records.filter((one) => isSameId(one.event_id, first.eventId));
      const latest = attempts.find(({ id }) => !isSameId(id, first.record.id));
      if (latest === undefined && isDeadAtFirst(first.record)) throw singleAttempt();
      if (latest === undefined)
        throw new Blocked("a failed delivery was not tried again within a day", "see EVT-15 first", "server");
      const begun = retrying.reduce((sum, seconds) => sum + seconds, 0) / day;
      const own = { id: first.record.id, record: first.record, endpoint, earlier: [] };
      const late = await untilRefused(t, main, own, [], begun);
      if (!hasCodeOf(late, "EventExpired"))
        throw new Blocked("no replay was refused for its event's age", "see WHP-27 first", "server");
      const exchange = await callReplay(t, main, String(latest.id));
      // The record may be gone by now, and with it the delivery.
      if (answeredBy(exchange, "NotFound")) throw new NotApplicable("the latest attempt is no longer on record");
      t.refused("WHP-27", exchange, "EventExpired");
    },
  }),
);

/**
 * Lets time pass until a replay is refused, and gives the refusal; notes the events of those that are not. The event is
 * so many days old already.
 */
async function untilRefused(
  t: CheckContext,
  as: Credential,
  own: OwnDelivery,
  known: unknown[],
  begun = 0,
): Promise<Exchange> {
  let before = begun;
  let last: Exchange | null = null;
  for (const age of ages.filter((days) => days > begun)) {
    await as.tenant.advance((age - before) * day, "an event to grow old");
    before = age;
    const exchange = await callReplay(t, as, own.id);
    if (isSuccess(exchange)) {
      last = exchange;
      known.push(replayedIn(exchange).eventId);
      continue;
    }
    if (answeredBy(exchange, "NotFound") && !(await isRecorded(t, as, own))) {
      const message = `between two replays, the second ${age} days after the event, its delivery was no longer on record`;
      throw new Blocked(
        message,
        "keep the record of a delivery in the test environment longer than its event",
        "server",
      );
    }
    // An endpoint at which nothing ever succeeds may be switched off by now, and replays to it are refused.
    if (answeredBy(exchange, "Conflict") && own.record.outcome !== "success")
      throw new Blocked(
        `a replay was refused ${age} days after the event, to an endpoint at which no attempt had succeeded`,
        "give the kit a receiver that the target reaches: --receiver-listen",
      );
    return exchange;
  }
  const message = `an event of ${before} days ago was still replayed`;
  // How long an event is kept is open; that it is kept for ever, the document does not expect.
  t.verify("WHP-27", false, {
    expected: "a replay refused as its event is past retention",
    actual: message,
    exchanges: last === null ? [] : [last],
    warnOnly: true,
  });
  throw new Blocked(message, "keep events for less time in the test environment", "server");
}

/** Whether the feed still shows the attempt by whose id a delivery is replayed. */
async function isRecorded(t: CheckContext, as: Credential, { id }: OwnDelivery): Promise<boolean> {
  return (await readFeed(t, as)).records.some((record) => isSameId(record.id, id));
}
