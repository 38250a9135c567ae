import { constants } from "../../../generated/constants.ts";
import { emittedEvent } from "../../arrangements/emitted-event.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Answer, respond } from "../../exchange/answer.ts";
import { type Delivery, headerValues } from "../../exchange/delivery.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { parseSignature } from "../../receiver/signature.ts";
import type { SignatureVerdict } from "../../receiver/signer.ts";
import { compareData } from "../../steps/compare-data.ts";
import { deliverOne, deliverTest, eventIdOf, newcomersTo } from "../../steps/deliver-one.ts";
import { createEndpoint, type Endpoint, type RotatedSecret, rotateSecret } from "../../steps/endpoint.ts";
import type { AttemptRecord } from "../../steps/feed.ts";
import { mayBeOlder } from "../../steps/may-be-older.ts";
import { nextAttempts } from "../../steps/next-attempt.ts";
import { replay } from "../../steps/replay.ts";
import { attemptsAt, eventually, isSameId, settle } from "../../steps/settle.ts";
import { isDeadAtFirst, singleAttempt } from "../../steps/single-attempt.ts";
import { unknownSignature } from "../../steps/unknown-signature.ts";

/** Milliseconds between the time in a signature and that of the attempt, besides what clocks may differ by. */
const close = 5_000;

/** Seconds: fewer than any server keeps an event for. */
const apart = 600;

/** What a signer may write in another way than a sender: escapes, numbers, the order of members, a long text. */
const rich: readonly Readonly<Record<string, unknown>>[] = [
  { b: 'quotes " and \\ and </p> & \n\u2028', a: "\u0001", "": "e\u0301", 10: 1, 9: 2 },
  { large: 9_007_199_254_740_991, small: 1e-7, huge: 1e21, negative: -0.5, list: [[], {}, null, "", false] },
  { long: Array.from({ length: 4_000 }, (_, index) => `${index} ä`).join(" ") },
];

/** A text in the data of the delivery that is tried twice, and that data. */
const mark = "bylaw: tried twice, onë 🙂";

const failing = { mark, none: null, empty: "", list: [[], {}, null], long: "é".repeat(2_000) };

/** Deliveries of all sorts: of two events, of retries, of a replay, and of a test. */
export const signedDeliveries = check({
  id: "events.signed-deliveries",
  title:
    "Deliveries, retries, replays and tests too, are signed at their time, over their body, with the endpoint's secret",
  rules: ["EVT-07", "EVT-08", "EVT-09", "EVT-19"],
  kind: "scenario",
  needs: ["receiver"],
  effects: ["creates"],
  draws: { deliveryReplays: 1 },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const inbox = t.inbox();
    const endpoint = await createEndpoint(t, main, { inbox });
    const rotated = await rotateSecret(t, endpoint);
    // What a server sends a new endpoint by itself came before the secret.
    const isLater = newcomersTo(inbox);
    // Away from the clock of the world, and the replay away from the original, so that neither time is taken for another.
    if (tenant.manualClock) await tenant.advance(apart, "a time of its own");
    // Bodies of one length, with more bytes than characters.
    const first = await deliverOne(t, endpoint, inbox, null, { bylaw: "onë 🙂" });
    await deliverOne(t, endpoint, inbox, null, { bylaw: "twö 🙂" });
    if (tenant.can(emittedEvent)) for (const data of rich) await deliverOne(t, endpoint, inbox, null, data);

    let replayed: string | null = null;
    const isFirst = ({ event_id }: AttemptRecord): boolean => isSameId(event_id, eventIdOf(first));
    const { records } = await attemptsAt(t, endpoint, (all) => all.some(isFirst));
    const { id } = records.find(isFirst) ?? {};
    if (typeof id === "string") {
      if (tenant.manualClock) await tenant.advance(apart, "some time between an event and its replay");
      const { eventId } = await replay(t, main, id);
      replayed = eventId;
      const isReplay = (one: Delivery): boolean => isSameId(eventIdOf(one), eventId);
      await eventually(t, tenant, () => inbox.deliveries().find(isReplay) ?? null);
    }
    let triedAgain = false;
    let isSingle = false;
    if (tenant.manualClock) {
      const unwilling = Array<Answer>(4).fill(respond(503));
      inbox.answer(respond(503), ...unwilling, respond(200));
      const failed = await deliverOne(t, endpoint, inbox, null, failing);
      // Another one, which fails too: neither is taken for the other.
      await deliverOne(t, endpoint, inbox, null, { bylaw: "another" });
      await settle(tenant);
      const retries = await nextAttempts(tenant, inbox, eventIdOf(failed), 3);
      for (const again of retries) judgeData(t, failed, again);
      triedAgain = retries.length > 0;
      const failure = ({ event_id }: AttemptRecord): boolean => isSameId(event_id, eventIdOf(failed));
      if (!triedAgain)
        isSingle = (await attemptsAt(t, endpoint, (all) => all.some(failure))).records
          .filter(failure)
          .some(isDeadAtFirst);
    }
    await deliverTest(t, endpoint, inbox);

    const deliveries = inbox.deliveries().filter((one) => isLater(one) && !one.truncated && !one.broken);
    judgeBodies(t, deliveries);
    const timed = await judgeTimes(t, endpoint, deliveries);
    // Where time runs, what a server sends by itself may have been under way while the secret was rotated.
    const wasInFlight = (one: Delivery): boolean =>
      !tenant.manualClock &&
      !isSameId(eventIdOf(one), replayed) &&
      mayBeOlder(one, rotated.exchange, t.timing.clockSkew);
    await judgeSignatures(t, deliveries, rotated, wasInFlight);
    if (!tenant.manualClock)
      throw new Blocked("time runs, and no delivery was tried again", "give the kit a sandbox, or an advance hook");
    if (!timed) throw new Blocked("the feed tells no time of a signed delivery", "see WHL-08 first", "server");
    if (triedAgain) return;
    if (isSingle) throw singleAttempt();
    throw new Blocked("a failed delivery was not tried again in time", "see EVT-15 first", "server");
  },
});

/** Decides whether a retry carries the data of the attempt before it, as far as their form tells. */
function judgeData(t: CheckContext, failed: Delivery, again: Delivery): void {
  const likeness = compareData(failed, again, failing);
  if (likeness === null) t.observe("EVT-19", "the body of a delivery has no member data to compare", failed, again);
  else t.verify("EVT-19", likeness.same, { ...likeness, exchanges: [], deliveries: [failed, again] });
}

/** Signatures of different bodies; that of one body may well be the same twice. */
function judgeBodies(t: CheckContext, deliveries: readonly Delivery[]): void {
  const signed = deliveries.flatMap((delivery) => {
    const parsed = parseSignature(delivery);
    return parsed.ok ? [{ delivery, values: new Set(parsed.values) }] : [];
  });
  for (const [index, one] of signed.entries()) {
    const others = signed.slice(index + 1).filter(({ delivery }) => !delivery.body.equals(one.delivery.body));
    for (const other of others) {
      const same = [...one.values].filter((value) => other.values.has(value));
      t.verify("EVT-09", same.length === 0, {
        expected: "two signatures of two bodies",
        actual: same.length === 0 ? "those" : "the same for both",
        exchanges: [],
        deliveries: [one.delivery, other.delivery],
      });
    }
  }
}

/** Whether the feed tells a time to judge by. */
async function judgeTimes(t: CheckContext, endpoint: Endpoint, deliveries: readonly Delivery[]): Promise<boolean> {
  let judged = false;
  const most = close + t.timing.clockSkew;
  // A feed may show an attempt some time after it was made.
  const feed = await attemptsAt(t, endpoint, (all) => deliveries.every((one) => (offOf(all, one) ?? most + 1) <= most));
  for (const delivery of deliveries) {
    const off = offOf(feed.records, delivery);
    if (off === null) continue;
    judged = true;
    t.verify("EVT-07", off <= most, {
      expected: `t within ${most / 1000} s of the attempt, or of the first one of its event`,
      actual: `${headerValues(delivery, constants.signatureHeader).join(", ").slice(0, 20)}…, ${Math.round(off / 1000)} s off`,
      exchanges: feed.pages.slice(0, 1),
      deliveries: [delivery],
    });
  }
  return judged;
}

/** Milliseconds between the time in a signature and that of an attempt of its event; null where either is not told. */
function offOf(records: readonly AttemptRecord[], delivery: Delivery): number | null {
  const parsed = parseSignature(delivery);
  const recorded = timesOf(records, delivery);
  if (!parsed.ok || recorded.length === 0) return null;
  // A server may sign by the clock of the world where it records by that of the organization.
  return Math.min(...[...recorded, delivery.receivedAt].map((time) => Math.abs(time - parsed.signedAt)));
}

/** When the attempts of a delivery's event were made, as the feed says: on the organization's clock, as `t` is. */
const timesOf = (records: readonly AttemptRecord[], delivery: Delivery): readonly number[] =>
  records
    .filter(({ event_id }: AttemptRecord) => isSameId(event_id, eventIdOf(delivery)))
    .map(({ occurred_at }) => Date.parse(String(occurred_at)))
    .filter((time) => !Number.isNaN(time));

/** How a server signs is open; the first delivery that verifies tells how, and all have to keep to that, those before it too. */
async function judgeSignatures(
  t: CheckContext,
  deliveries: readonly Delivery[],
  { secret, exchange }: RotatedSecret,
  wasInFlight: (delivery: Delivery) => boolean,
): Promise<void> {
  const signer = t.signer();
  for (const delivery of deliveries) await signer.judge(delivery, secret);
  const unknown: Delivery[] = [];
  const unreadable: string[] = [];
  const verify = (delivery: Delivery, verdict: SignatureVerdict): void => {
    const evidence = {
      expected: `${constants.signatureHeader} that verifies with the endpoint's secret`,
      exchanges: [exchange],
    };
    switch (verdict.kind) {
      case "valid":
        t.verify("EVT-08", true, { ...evidence, actual: "that", deliveries: [delivery] });
        break;
      case "invalid":
      case "changed":
        t.verify("EVT-08", false, {
          ...evidence,
          actual: verdict.why,
          deliveries: [delivery],
          warnOnly: wasInFlight(delivery),
        });
        break;
      case "unknown":
        unknown.push(delivery);
        break;
      case "unreadable":
        unreadable.push(verdict.why);
        break;
    }
  };
  for (const delivery of deliveries) verify(delivery, await signer.judge(delivery, secret));
  if (unknown.length > 0) t.undecided("EVT-08", unknownSignature("deliveries"), ...unknown);
  const [why] = unreadable;
  if (why !== undefined) throw new Blocked(`a signature cannot be read: ${why}`, "see EVT-06 first", "server");
}
