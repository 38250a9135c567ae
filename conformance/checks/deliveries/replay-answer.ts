import { constants } from "../../../generated/constants.ts";
import { components } from "../../../generated/schemas.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { dataOf, type Exchange, isSuccess, objectOf } from "../../exchange/exchange.ts";
import { answerViolations } from "../../monitor/answer-violations.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { type OwnDelivery, ownDelivery } from "../../steps/own-delivery.ts";
import { callReplay } from "../../steps/replay.ts";
import { isSameId } from "../../steps/settle.ts";
import { timeOfItsOwn } from "../../steps/time-of-its-own.ts";

/** The answer to a replay, field by field. */
export const replayAnswer = check({
  id: "deliveries.replay-answer",
  title: "A replay, with a reason or without, is answered whole, with an event and an audit record of its own",
  rules: [
    ...(["WHP-01", "WHP-02", "WHP-03", "WHP-04", "WHP-05", "WHP-06", "WHP-07", "WHP-08", "WHP-09"] as const),
    ...(["WHP-10", "WHP-20"] as const),
  ],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { deliveryReplays: 4 },
  async run(t) {
    const main = await (await t.tenant()).main();
    const own = await ownDelivery(t, main);
    const bare = await callReplay(t, main, own.id);
    t.accepted("WHP-09", bare);
    const reason = "bylaw: the receiver was down";
    const reasoned = await callReplay(t, main, own.id, { reason });
    t.accepted("WHP-10", reasoned);
    const answered = [bare, reasoned].filter(isSuccess);
    const [first = bare, second] = answered;
    // Whether the body may be empty, and whether it may have a reason, are rules of their own.
    t.accepted("WHP-01", first);
    t.control(first, "replaying a delivery");
    for (const exchange of answered) judge(t, exchange, own);

    if (second === undefined) throw new Blocked("one of two replays was refused", "see WHP-09 and WHP-10", "server");
    // Once more for the same reason, and for none.
    const replays = [first, second];
    for (const body of [{ reason }, {}])
      replays.push(t.control(await callReplay(t, main, own.id, body), "replaying a delivery"));
    for (const name of ["new_event_id", "audit_log_id"]) {
      const values = replays.map((exchange) => objectOf(dataOf(exchange))?.[name]);
      const different = new Set(
        values.filter((value) => typeof value === "string").map((value) => value.toLowerCase()),
      );
      t.verify("WHP-20", different.size === replays.length, {
        expected: `${replays.length} values of ${name} for as many replays of one delivery`,
        actual: values.map((value) => JSON.stringify(value) ?? "none").join(", "),
        exchanges: replays,
      });
    }
    if (main.tenant.manualClock) throw timeOfItsOwn();
    for (const exchange of answered) judgeTime(t, exchange);
  },
});

function judge(t: CheckContext, exchange: Exchange, { id, record }: OwnDelivery): void {
  const replay = objectOf(dataOf(exchange)) ?? {};
  const { delivery_id, endpoint_id, event_type, new_event_id, audit_log_id } = replay;
  const departures = answerViolations(exchange).filter(({ pointer }) => pointer.startsWith("/data"));
  const wrong = departures.map(({ pointer, message }) => `${pointer} ${message}`);
  t.equal("WHP-01", "departures from the documented shape", wrong, [], exchange);
  t.equal("WHP-04", "event_type", event_type, record.event_type, exchange);

  const isEventId = new RegExp(String(components.EventId?.pattern), "u");
  const isUuid = typeof audit_log_id === "string" && !departures.some((d) => d.pointer === "/data/audit_log_id");
  const isEvent = typeof new_event_id === "string" && isEventId.test(new_event_id);
  const verdicts = [
    ["WHP-02", isSameId(delivery_id, id), `delivery_id ${id}`, delivery_id],
    ["WHP-03", isSameId(endpoint_id, record.endpoint_id), `endpoint_id ${record.endpoint_id}`, endpoint_id],
    ["WHP-05", isEvent, `new_event_id, ${constants.eventIdPrefix} and a UUID`, new_event_id],
    [
      "WHP-06",
      typeof new_event_id === "string" && !isSameId(new_event_id, record.event_id),
      `new_event_id other than the event id of the original, ${record.event_id}`,
      new_event_id,
    ],
    ["WHP-07", isUuid, "audit_log_id, a UUID", audit_log_id],
  ] as const;
  for (const [rule, holds, expected, actual] of verdicts) {
    t.verify(rule, holds, { expected, actual: JSON.stringify(actual) ?? "none", exchanges: [exchange] });
  }
}

function judgeTime(t: CheckContext, exchange: Exchange): void {
  const { enqueued_at } = objectOf(dataOf(exchange)) ?? {};
  const at = Date.parse(String(enqueued_at));
  const { clockSkew } = t.timing;
  // A second more on either side: timestamps may be whole seconds.
  const [from, to] = [exchange.sentAt - clockSkew - 1000, exchange.answeredAt + clockSkew + 1000];
  t.verify("WHP-08", at >= from && at <= to, {
    expected: `enqueued_at between ${new Date(exchange.sentAt).toISOString()} and ${new Date(exchange.answeredAt).toISOString()}, give or take ${clockSkew} ms`,
    actual: JSON.stringify(enqueued_at) ?? "none",
    exchanges: [exchange],
  });
}
