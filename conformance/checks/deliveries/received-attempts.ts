import { emittedEvent } from "../../arrangements/emitted-event.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Answer, delay, reset, respond, statusOfAnswer } from "../../exchange/answer.ts";
import type { Delivery } from "../../exchange/delivery.ts";
import { isSuccess } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Inbox } from "../../receiver/inbox.ts";
import { deliverOne, eventIdOf } from "../../steps/deliver-one.ts";
import { createEndpoint, type Endpoint } from "../../steps/endpoint.ts";
import type { AttemptRecord, Feed } from "../../steps/feed.ts";
import { growingSteps } from "../../steps/growing-steps.ts";
import { judgeOutcome, telling } from "../../steps/judge-outcome.ts";
import { nextAttempt } from "../../steps/next-attempt.ts";
import { callReplay, replayedIn } from "../../steps/replay.ts";
import { attemptsAt, isSameId, settle } from "../../steps/settle.ts";
import { isEmptyExcerpt, judgeEmptyExcerpts, judgeExcerpt, type RecordedExcerpt } from "./judge-excerpt.ts";
import { isOf, judgeReceived } from "./judge-received.ts";

/** Milliseconds that the slow answer is held back, and how much of that at least should be on record. */
const held = 300;
const recorded = 200;

/** Milliseconds that the first attempt of a delivery is held, which is tried again then: more than a retry takes. */
const slow = 1_000;

/** Milliseconds that a time on record may be longer than what the kit measured around it: clocks are read in steps. */
const tolerance = 250;

/** With white space before it, which is a part of it. */
const late = "\r\n\t late ";

/** Longer than any excerpt that the document's choices name, with characters of every length in UTF-8, and no two parts alike. */
const long = Array.from({ length: 200 }, (_, index) => `${index} bylaw – ÄÖÜ 日本語 🙂 `).join("");

/** What the receiver answers, and what of that has to be on record. */
interface Answered {
  readonly answer: Answer;
  /** Null where it does not answer. */
  readonly status: number | null;
  /** Null for one that no text holds as it is: what the excerpt makes of it is open. */
  readonly body: string | null;
}

/** How bytes become text where nothing says so is open. */
const declared = { "content-type": "application/json; charset=utf-8" } as const;

/** One event each. A redirect to nowhere is an answer like any other. */
const answers: readonly Answered[] = [
  ...[200, 204, 299, 302, 304, 308, 400, 404, 429, 500, 599].map(answering),
  { answer: delay(held, respond(202, { body: late })), status: 202, body: late },
  {
    answer: respond(201, { body: long, headers: { "content-type": "text/plain; charset=utf-8" } }),
    status: 201,
    body: long,
  },
  { answer: respond(200, { body: Uint8Array.of(0x62, 0x00, 0xff, 0xfe, 0x80, 0x0a) }), status: 200, body: null },
  // Took the request and broke off.
  { answer: reset, status: null, body: "" },
  // The last, as a server may send no more to a receiver that says this.
  answering(410),
];

function answering(status: number): Answered {
  const body = status === 204 || status === 304 ? "" : `{"bylaw":${status},"said":"\\"ä\\"\\n</p>"}`;
  return { answer: respond(status, { body, headers: declared }), status, body };
}

/** Text whose characters and bytes differ in number. */
const data = { note: "ÄÖÜ 日本語 🙂" };

/** More bytes than two bytes can count, and more than there are characters. */
const large = { note: "ä".repeat(40_000) };

/** Records of attempts beside what the kit's receiver saw and answered. */
export const receivedAttempts = check({
  id: "deliveries.received-attempts",
  title: "The record of an attempt tells what the receiver got and what it answered",
  rules: [
    "EVT-11",
    "EVT-12",
    "EVT-14",
    "EVT-17",
    "WHL-08",
    "WHL-09",
    "WHL-10",
    "WHL-11",
    "WHL-12",
    "WHL-13",
    "WHL-14",
    "WHL-15",
    "WHL-16",
    "WHL-17",
  ],
  kind: "scenario",
  needs: ["receiver"],
  effects: ["creates"],
  draws: { deliveryReplays: 1 },
  async run(t) {
    const owner = await (await t.tenant({ clock: "manual" })).main();
    const inbox = t.inbox();
    const endpoint = await createEndpoint(t, owner, { inbox });
    const taken = new Map<string, number>();
    const excerpts: RecordedExcerpt[] = [];
    for (const { answer, status, body } of answers) {
      inbox.answer(answer);
      const begun = Date.now();
      const delivery = await deliverOne(t, endpoint, inbox, null, data);
      const id = eventIdOf(delivery);
      const ofEvent = ({ event_id }: AttemptRecord): boolean => isSameId(event_id, id);
      const feed = await attemptsAt(t, endpoint, (records) => records.some(ofEvent));
      const mine = feed.records.filter(ofEvent);
      const came = inbox.deliveries().filter((one) => eventIdOf(one) === id);
      const record = mine.find(({ attempt }) => attempt === 1);
      // One that was lost on its way has no status, and the next one arrived.
      if (status !== null && record !== undefined && !(Number(record.response_status) > 0) && mine.length > came.length)
        throw new Blocked(
          "an attempt on record never reached the kit's receiver",
          "see what lies between",
          "environment",
        );
      // A retry may be under way by now, and a record is written when its attempt is over.
      const one = mine.length <= came.length && mine.length >= came.length - 1 && mine.length > 0;
      t.verify("WHL-08", one, {
        expected: `${came.length} records of ${came.length} attempts`,
        actual: String(mine.length),
        ...{ exchanges: feed.pages, deliveries: came },
        // An attempt may have been sent more than once, and a record may come late.
        warnOnly: mine.length > 0 && mine.length < came.length,
      });
      if (record === undefined)
        throw new Blocked("a delivery has no first attempt on record", "see WHL-06 first", "server");
      judgeReceived(t, record, came.find((each) => isOf(record, each)) ?? delivery, feed);
      if (telling.includes(status)) judgeOutcome(t, record, status, feed.pages);
      if (record.outcome === "success") taken.set(id, came.length);
      if (status === null) {
        const { error } = record;
        const told = {
          expected: "error, a text, where the receiver broke off",
          actual: JSON.stringify(error) ?? "none",
        };
        t.verify("WHL-17", typeof error === "string", { ...told, exchanges: feed.pages, deliveries: [delivery] });
        continue;
      }
      t.equal("WHL-09", "response_status", record.response_status, status, delivery, ...feed.pages);
      t.equal("WHL-16", "error", record.error, null, delivery, ...feed.pages);
      const most = Date.now() - begun + tolerance;
      judgeTime(t, record, { least: answer.kind === "delay" ? recorded : 0, most }, delivery, feed);
      if (body === null) continue;
      const excerpt = record.response_body_excerpt;
      excerpts.push({ excerpt, body, delivery, feed });
      if (body === "" || !isEmptyExcerpt(excerpt)) judgeExcerpt(t, excerpt, body, delivery, feed);
    }
    judgeEmptyExcerpts(t, excerpts);
    await judgeLater(t, endpoint, inbox);
    if (owner.tenant.can(emittedEvent)) {
      const begun = Date.now();
      await judgeOne(t, { endpoint, inbox }, await deliverOne(t, endpoint, inbox, null, large), begun);
    }
    await judgeTaken(t, endpoint, inbox, taken);
  },
});

/** Whatever the answer was by which an event was taken, and however late it came, no attempt of it follows: `taken` says how many there were. */
async function judgeTaken(
  t: CheckContext,
  { owner }: Endpoint,
  inbox: Inbox,
  taken: ReadonlyMap<string, number>,
): Promise<void> {
  if (taken.size === 0) throw new Blocked("the feed tells no delivery as a success", "see EVT-11 first", "server");
  // A retry may follow after hours.
  if (!owner.tenant.manualClock)
    throw new Blocked(
      "time runs, and what follows a delivery that was taken may follow much later",
      "give the kit a sandbox, or an advance hook",
    );
  for (const seconds of growingSteps) await owner.tenant.advance(seconds, "attempts that should not come");
  const before = [...taken.values()].reduce((sum, count) => sum + count, 0);
  const further = inbox.deliveries().filter((one) => taken.has(eventIdOf(one))).length - before;
  t.verify("EVT-14", further <= 0, {
    expected: "no attempt after one whose outcome is success",
    actual: further <= 0 ? "none" : `${further} in the three weeks after`,
    exchanges: [],
    deliveries: inbox.deliveries().slice(-3),
  });
}

/** Retries and a replay: the record of each is its own. */
async function judgeLater(t: CheckContext, endpoint: Endpoint, inbox: Inbox): Promise<void> {
  const { owner } = endpoint;
  inbox.answer(delay(slow, respond(503)), respond(502), respond(200));
  const failed = await deliverOne(t, endpoint, inbox, null, data);
  await settle(owner.tenant);
  for (const _ of owner.tenant.manualClock ? ["second", "third"] : []) {
    const begun = Date.now();
    const retry = await nextAttempt(owner.tenant, inbox, eventIdOf(failed));
    if (retry === null) break;
    await judgeOne(t, { endpoint, inbox }, retry, begun);
  }
  inbox.answer(respond(200));
  const first = await attemptsAt(t, endpoint, (all) => all.some((each) => isSameId(each.event_id, eventIdOf(failed))));
  const { id } = first.records.find((each) => isSameId(each.event_id, eventIdOf(failed))) ?? {};
  const replayed = typeof id === "string" ? await callReplay(t, owner, id) : null;
  if (replayed === null || !isSuccess(replayed)) return;
  const { eventId } = replayedIn(replayed);
  await settle(owner.tenant);
  const arrival = await inbox.until(1, { where: (one) => isSameId(eventIdOf(one), eventId) });
  const last = arrival.deliveries.at(-1);
  if (last !== undefined) await judgeOne(t, { endpoint, inbox }, last, replayed.sentAt);
}

/** Judges the record of a delivery that came after `begun`; that there is one is another rule's matter. */
async function judgeOne(
  t: CheckContext,
  { endpoint, inbox }: { readonly endpoint: Endpoint; readonly inbox: Inbox },
  delivery: Delivery,
  begun: number,
): Promise<void> {
  const isIt = (record: AttemptRecord): boolean => isSameId(record.event_id, eventIdOf(delivery));
  const status = delivery.answer === null ? null : statusOfAnswer(delivery.answer);
  const feed = await attemptsAt(t, endpoint, (all) =>
    all.some((each) => isIt(each) && each.response_status === status),
  );
  const mine = feed.records.filter((each) => isIt(each) && each.response_status === status);
  // An attempt may have been sent twice, each time signed anew, and is recorded as it was sent the last time.
  const alike = inbox
    .deliveries()
    .filter((one) => isSameId(eventIdOf(one), eventIdOf(delivery)))
    .filter(({ answer }) => (answer === null ? null : statusOfAnswer(answer)) === status);
  const sent = [delivery, ...alike].find((one) => mine.some((record) => isOf(record, one))) ?? delivery;
  const record = mine.find((each) => isOf(each, sent)) ?? mine[0];
  if (record === undefined) return;
  judgeReceived(t, record, sent, feed);
  judgeTime(t, record, { least: 0, most: Date.now() - begun + tolerance }, sent, feed);
}

function judgeTime(
  t: CheckContext,
  record: AttemptRecord,
  { least, most }: { readonly least: number; readonly most: number },
  delivery: Delivery,
  { pages }: Feed,
): void {
  const time = record.response_time_ms;
  t.verify("WHL-10", typeof time === "number" && time >= least && time <= most, {
    expected: `response_time_ms of about ${least > 0 ? held : 0} or more, and no more than the ${most} that passed meanwhile`,
    actual: JSON.stringify(time) ?? "none",
    exchanges: pages,
    deliveries: [delivery],
  });
}
