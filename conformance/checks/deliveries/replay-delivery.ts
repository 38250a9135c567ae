import { constants } from "../../../generated/constants.ts";
import { emittedEvent } from "../../arrangements/emitted-event.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { respond } from "../../exchange/answer.ts";
import { type Delivery, headerValues } from "../../exchange/delivery.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { compareData } from "../../steps/compare-data.ts";
import { deliverOne, eventIdOf } from "../../steps/deliver-one.ts";
import { createEndpoint, usualEvent } from "../../steps/endpoint.ts";
import { headerVerdicts } from "../../steps/header-verdicts.ts";
import { nextAttempt } from "../../steps/next-attempt.ts";
import { replay } from "../../steps/replay.ts";
import { attemptsAt, eventually, isSameId } from "../../steps/settle.ts";
import { whereText } from "../../steps/where-text.ts";
import { quietTypes } from "./mixed-feed.ts";

const otherTypes = quietTypes.filter((type) => type !== usualEvent).slice(0, 1);

/** A text that no event has by itself. */
const mark = "bylaw-9d2f 日本語 🙂";

/** The data of the event: every type of JSON, and values that a careless copy would change or write from its own state. */
const data = {
  ...{
    id: `${constants.eventIdPrefix}2f1c`,
    type: "other",
    created_at: "2025-03-04T05:06:07.089Z",
    occurred_at: "2025-03-04T06:36:07+01:30",
  },
  ...{ timestamp: 1_741_064_767, time_ms: 1_741_064_767_089, attempt: 7, replayed: false },
  ...{ mark, empty: "", none: null, yes: true, zero: 0, fraction: 0.1, large: 9_007_199_254_740_991, negative: -1 },
  long: Array.from({ length: 500 }, (_, index) => `${index} é`).join(" "),
  ...{ list: [1, "2", null, [], {}], nested: { deep: { 'key with " and \\': "</script>\n\t" } }, é: "e\u0301" },
};

/** A replay as the receiver gets it, beside an endpoint that subscribes to the same types. */
export const replayDelivery = check({
  id: "deliveries.replay-delivery",
  title: "A replay is delivered like any event: to the original's endpoint, with its data, under the new event id",
  rules: ["WHP-13", "WHP-14", "WHP-15", "WHP-17"],
  kind: "scenario",
  needs: ["receiver"],
  effects: ["creates"],
  draws: { deliveryReplays: 2 },
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const { tenant } = main;
    const [inbox, other, newest] = [t.inbox(), t.inbox(), t.inbox()];
    // The other endpoint has the event first, and another type comes first where this one subscribes.
    const beside = await createEndpoint(t, main, { inbox: other });
    const endpoint = await createEndpoint(t, main, { inbox, events: [...otherTypes, usualEvent] });
    // Neither the oldest nor the newest.
    await createEndpoint(t, main, { inbox: newest });
    const original = await deliverOne(t, endpoint, inbox, tenant.can(emittedEvent) ? usualEvent : null, data);
    const ofOriginal = (record: Readonly<Record<string, unknown>>): boolean =>
      isSameId(record.event_id, eventIdOf(original));
    const { records } = await attemptsAt(t, endpoint, (all) => all.some(ofOriginal));
    const { id } = records.find(ofOriginal) ?? {};
    if (typeof id !== "string") throw new Blocked("a delivery is not in the feed", "see WHL-08 first", "server");

    const { eventId, exchange } = await replay(t, main, id);
    const isReplay = (delivery: Delivery): boolean => isSameId(eventIdOf(delivery), eventId);
    const arrived = await eventually(
      t,
      tenant,
      () => [...inbox.deliveries(), ...other.deliveries(), ...newest.deliveries()].find(isReplay) ?? null,
    );
    t.verify("WHP-13", arrived !== null, {
      expected: `a delivery with the event id ${eventId}`,
      actual: arrived === null ? `none within ${t.timing.pollTimeout / 1000} s` : "one",
      isSilence: true,
      exchanges: [exchange],
      // What came in its place tells more than that it did not.
      deliveries: arrived === null ? [original, ...inbox.deliveries().filter((one) => one !== original)] : [arrived],
    });
    if (arrived === null) throw new Blocked("the replay did not reach the receiver", "see WHP-13 first", "server");

    // Something that happens later at the other endpoint tells that the replay would have been there by now.
    await deliverOne(t, beside, other);
    const strays = [...other.deliveries(), ...newest.deliveries()].filter(isReplay);
    const [astray] = strays;
    t.verify("WHP-15", astray === undefined, {
      expected: `the replay at ${inbox.url} alone, though other endpoints subscribe to its type`,
      actual: whereText(inbox.deliveries().some(isReplay), [...new Set(strays.map(({ url }) => url))]),
      isAstray: true,
      exchanges: [exchange],
      deliveries: [original, astray ?? arrived],
    });
    const [type, sentType] = [original, arrived].map((one) => headerValues(one, constants.eventTypeHeader).join(", "));
    const flaws = [
      ...headerVerdicts(arrived).filter(({ holds }) => !holds),
      ...(type === sentType
        ? []
        : [{ expected: `${constants.eventTypeHeader}, that of the original, ${type}`, actual: String(sentType) }]),
    ];
    t.verify("WHP-17", flaws.length === 0, {
      expected: flaws.map(({ expected }) => expected).join("; ") || "the headers of any delivery",
      actual: flaws.map(({ actual }) => actual).join("; ") || "those",
      exchanges: [exchange],
      deliveries: [original, arrived],
    });
    judgeData(t, original, arrived, exchange);

    // The replay of the replay, too, whose reason is for the audit and no part of what is sent.
    const { records: later } = await attemptsAt(t, endpoint, (all) =>
      all.some(({ event_id }) => isSameId(event_id, eventId)),
    );
    const again = later.find(({ event_id }) => isSameId(event_id, eventId))?.id;
    if (typeof again !== "string") return;
    if (tenant.manualClock) inbox.answer(respond(500), respond(200));
    const second = await replay(t, main, again, { reason: "once more" });
    const last = await eventually(
      t,
      tenant,
      () => inbox.deliveries().find((one) => isSameId(eventIdOf(one), second.eventId)) ?? null,
    );
    if (last !== null) judgeData(t, original, last, second.exchange);
    if (last === null || !tenant.manualClock) return;
    // What is tried again is the same replay.
    const retry = await nextAttempt(tenant, inbox, second.eventId);
    if (retry !== null) judgeData(t, original, retry, second.exchange);
  },
});

/** Decides whether a replay carries the data of the original, as far as their form tells. */
function judgeData(t: CheckContext, original: Delivery, replayed: Delivery, exchange: Exchange): void {
  const shown = { exchanges: [exchange], deliveries: [original, replayed] };
  const likeness = compareData(original, replayed, data);
  if (likeness !== null) t.verify("WHP-14", likeness.same, { ...likeness, ...shown });
  else t.observe("WHP-14", "the body of a delivery has no member data to compare", original, replayed);
}
