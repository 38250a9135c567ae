import { constants } from "../../../generated/constants.ts";
import { type EventType, eventTypes } from "../../../generated/events.ts";
import { emittedEvent } from "../../arrangements/emitted-event.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Answer, reset, respond, statusOfAnswer } from "../../exchange/answer.ts";
import { type Delivery, headerValues, jsonOfDelivery } from "../../exchange/delivery.ts";
import { isSuccess } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import type { Inbox } from "../../receiver/inbox.ts";
import { deliverTest, eventIdOf, notArrived } from "../../steps/deliver-one.ts";
import { createEndpoint, type Endpoint, usualEvent } from "../../steps/endpoint.ts";
import { type AttemptRecord, eventIdsOf, type Feed } from "../../steps/feed.ts";
import { headerRules, headerVerdicts } from "../../steps/header-verdicts.ts";
import { makeEvent } from "../../steps/make-event.ts";
import { nextAttempts } from "../../steps/next-attempt.ts";
import { callReplay } from "../../steps/replay.ts";
import { attemptsAt, eventually, isSameId, settle } from "../../steps/settle.ts";
import { isOf, judgeReceived, receivedRules } from "./judge-received.ts";
import { judgeValues, valueRules } from "./judge-values.ts";

/** An endpoint at which deliveries arrive. */
interface Received {
  readonly endpoint: Endpoint;
  readonly inbox: Inbox;
}

/** Some types, the first of them one that others begin alike with. */
const someTypes: readonly EventType[] = [
  usualEvent,
  ...eventTypes.filter((type) => type !== usualEvent).filter((_, index) => index % 5 === 0),
];

/** What an event tells, as poor and as rich as texts are. */
const dataOf = (type: EventType, index: number): Readonly<Record<string, unknown>> => ({
  bylaw: type,
  note: index % 2 === 0 ? "" : `ÄÖÜ 日本語 🙂 "${"é".repeat(index * 10)}" </p> & \\ \u2028`,
  list: [index, null, { deep: [] }],
});

/**
 * Deliveries of every kind that the kit can have: of all types, at several endpoints of two organizations, within one
 * second, taken at once, at a later attempt or never, of replays and tests. What binds every delivery and every record of
 * an attempt is judged of each of them.
 */
export const everyDelivery = check({
  id: "deliveries.every-delivery",
  title:
    "Every delivery, of any type, endpoint, organization and attempt, is JSON, has the documented headers and is on record as it came",
  rules: [...headerRules, "EVT-10", ...receivedRules, ...valueRules],
  kind: "scenario",
  needs: ["receiver"],
  effects: ["creates"],
  draws: { deliveryReplays: 1 },
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const { tenant } = main;
    const all = await receivedAt(t, main, eventTypes);
    const later = await receivedAt(t, main, someTypes);
    const never = await receivedAt(t, main, [usualEvent]);
    // Where there is no other organization, the deliveries of one are judged.
    const stranger = tenant.can(emittedEvent) ? await otherOwner(t) : null;
    const foreign = stranger === null ? [] : [await receivedAt(t, stranger, someTypes)];
    const own = [all, later, never];
    if (tenant.manualClock) {
      const eachWith = (status: number): readonly Answer[] => Array<Answer>(someTypes.length - 1).fill(respond(status));
      later.inbox.answer(respond(500), ...eachWith(500), respond(507), ...eachWith(507), respond(200));
    }
    never.inbox.answer(reset);

    if (tenant.can(emittedEvent))
      for (const [index, type] of eventTypes.entries()) {
        await tenant.arrange(emittedEvent, { type, data: dataOf(type, index) });
        // Between those of the other organization, which has the same ones.
        if (stranger !== null && someTypes.includes(type))
          await stranger.tenant.arrange(emittedEvent, { type, data: dataOf(type, index + 1) });
      }
    else for (const { endpoint } of own) await makeEvent(t, endpoint);
    for (const one of [...own, ...foreign]) await untilAllCame(t, one);
    if (tenant.manualClock) {
      const failed = later.inbox.deliveries().at(-1);
      if (failed !== undefined) await nextAttempts(tenant, later.inbox, eventIdOf(failed), 2);
    }
    await replayOne(t, later);

    for (const one of [...own, ...foreign]) await judge(t, one);
    if (tenant.can(emittedEvent)) await judgeTest(t, all);
  },
});

async function receivedAt(t: CheckContext, as: Credential, events: readonly EventType[]): Promise<Received> {
  const inbox = t.inbox();
  return { endpoint: await createEndpoint(t, as, { inbox, events }), inbox };
}

async function otherOwner(t: CheckContext): Promise<Credential | null> {
  try {
    const tenant = await t.otherTenant({ clock: "manual" });
    return tenant.can(emittedEvent) ? await tenant.main() : null;
  } catch (error) {
    if (error instanceof Blocked) return null;
    throw error;
  }
}

const eventsIn = (deliveries: readonly Delivery[]): number => new Set(deliveries.map(eventIdOf)).size;

/** Waits until as many events came as were made, or as come in time: that all arrive is for other rules to say. */
async function untilAllCame(t: CheckContext, { endpoint, inbox }: Received): Promise<void> {
  const { tenant } = endpoint.owner;
  const wanted = tenant.can(emittedEvent) ? endpoint.events.length : 1;
  await eventually(t, tenant, () => (eventsIn(inbox.deliveries()) >= wanted ? true : null));
}

/** Replays one of the deliveries, where that is taken: whether it must be is for other rules to say. */
async function replayOne(t: CheckContext, { endpoint, inbox }: Received): Promise<void> {
  const { owner } = endpoint;
  const { records } = await attemptsAt(t, endpoint, 1);
  const { id } = records[0] ?? {};
  const replayed = typeof id === "string" ? await callReplay(t, owner, id) : null;
  if (replayed === null || !isSuccess(replayed)) return;
  const before = eventsIn(inbox.deliveries());
  await eventually(t, owner.tenant, () => (eventsIn(inbox.deliveries()) > before ? true : null));
}

/** Judges whatever came to an endpoint, and the records of it. */
async function judge(t: CheckContext, { endpoint, inbox }: Received): Promise<void> {
  await settle(endpoint.owner.tenant);
  const deliveries = inbox.deliveries().filter(({ truncated, broken }) => !truncated && !broken);
  if (deliveries.length === 0) throw notArrived(await inbox.until(1, { within: 0 }));
  for (const delivery of deliveries) judgeDelivery(t, delivery);

  // An attempt may arrive twice, and is recorded once.
  const { records, pages } = await attemptsAt(t, endpoint, (seen) =>
    deliveries.every((delivery) => seen.some((record) => isAttempt(record, delivery))),
  );
  if (eventIdsOf(records).length < eventsIn(deliveries))
    throw new Blocked("a delivery is not in the feed", "see WHL-08 first", "server");
  for (const delivery of deliveries) judgeType(t, delivery, { records, pages });
  judgeValues(t, records, pages);
  // One that came meanwhile may be on record already.
  const came = inbox.deliveries();
  for (const record of records) {
    const sent = came.filter((delivery) => isAttempt(record, delivery));
    // Of attempts without an answer, another one may have been lost on its way.
    const isAnswered = Number(record.response_status) > 0;
    const delivery = sent.find((one) => isOf(record, one)) ?? (isAnswered ? sent[0] : undefined);
    if (delivery !== undefined) judgeReceived(t, record, delivery, { pages });
  }
}

/** Whether a record may be of this delivery, by its event and what it met. */
const isAttempt = ({ event_id, response_status: status }: AttemptRecord, delivery: Delivery): boolean =>
  isSameId(event_id, eventIdOf(delivery)) &&
  (delivery.answer === null || statusOfAnswer(delivery.answer) === (Number(status) > 0 ? status : null));

function judgeDelivery(t: CheckContext, delivery: Delivery): void {
  for (const { rule, ...verdict } of headerVerdicts(delivery)) {
    t.verify(rule, verdict.holds, { ...verdict, exchanges: [], deliveries: [delivery] });
  }
  t.verify("EVT-02", jsonOfDelivery(delivery) !== undefined, {
    expected: "a JSON body",
    actual: `${delivery.size} bytes that are none`,
    exchanges: [],
    deliveries: [delivery],
  });
}

/** Decides whether event id and type in the headers are those on record. */
function judgeType(t: CheckContext, delivery: Delivery, { records, pages }: Feed): void {
  const id = eventIdOf(delivery);
  const type = headerValues(delivery, constants.eventTypeHeader).join(", ");
  const mine = records.filter(({ event_id }) => isSameId(event_id, id));
  const other = mine.find(({ event_type }) => event_type !== type);
  t.verify("EVT-10", mine.length > 0 && other === undefined, {
    expected: `records of event ${id} with the type ${type}, as in the headers`,
    actual: other !== undefined ? `the type ${other.event_type}` : `${mine.length} of them`,
    exchanges: pages.slice(0, 1),
    deliveries: [delivery],
  });
}

/** Judges what a test of an endpoint sends. Whether attempts of tests are recorded is open. */
async function judgeTest(t: CheckContext, { endpoint, inbox }: Received): Promise<void> {
  const known = eventIdsOf((await attemptsAt(t, endpoint, 0)).records);
  const test = await deliverTest(t, endpoint, inbox);
  if (test === null) return;
  judgeDelivery(t, test);
  const type = headerValues(test, constants.eventTypeHeader).join(", ");
  const isOfTest = ({ event_id, event_type }: AttemptRecord): boolean =>
    event_type === type && !known.includes(String(event_id).toLowerCase());
  const { enough, ...feed } = await attemptsAt(t, endpoint, (all) => all.some(isOfTest));
  if (enough) judgeType(t, test, feed);
}
