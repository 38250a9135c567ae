import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import type { Endpoint } from "../../steps/endpoint.ts";
import type { AttemptRecord } from "../../steps/feed.ts";
import { growingSteps } from "../../steps/growing-steps.ts";
import { ownDelivery } from "../../steps/own-delivery.ts";
import { callReplay, replay, replayedIn } from "../../steps/replay.ts";
import { attemptsAt, isSameId } from "../../steps/settle.ts";

/** A replay that is replayed, as it is a delivery like any other. */
export const replayOfReplay = check({
  id: "deliveries.replay-of-replay",
  title: "A replay can be replayed, under an event id of its own, and none of them is sent again by itself",
  rules: ["WHP-01", "WHP-02", "WHP-03", "WHP-04", "WHP-06", "WHP-18", "EVT-14"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { deliveryReplays: 2 },
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const { tenant } = main;
    const own = await ownDelivery(t, main);
    const once = await replay(t, main, own.id);
    const between = await attemptOf(t, own.endpoint, once.eventId);
    if (typeof between?.id !== "string")
      throw new Blocked("the attempt of a replay was not in the feed in time", "see WHP-18 first", "server");

    const exchange = await callReplay(t, main, between.id);
    if (answeredBy(exchange, "EventExpired"))
      throw new Blocked("a new event was past retention", "see WHP-27 first", "server");
    t.accepted("WHP-01", exchange);
    t.control(exchange, "replaying a replay");
    const { eventId, data } = replayedIn(exchange);
    const shown = (name: string) => ({
      actual: JSON.stringify(data[name]) ?? "none",
      exchanges: [once.exchange, exchange],
    });
    const { id, endpoint_id, event_type } = between;
    const expected = `delivery_id ${id}, that of the replay which was replayed`;
    t.verify("WHP-02", isSameId(data.delivery_id, id), { expected, ...shown("delivery_id") });
    t.verify("WHP-03", isSameId(data.endpoint_id, own.endpoint.id) && isSameId(endpoint_id, own.endpoint.id), {
      expected: `endpoint_id ${own.endpoint.id}`,
      ...shown("endpoint_id"),
    });
    t.equal("WHP-04", "event_type", [data.event_type, event_type], Array(2).fill(own.record.event_type), exchange);
    const known = [own.record.event_id, once.eventId];
    t.verify("WHP-06", !known.some((one) => isSameId(one, eventId)), {
      expected: `new_event_id other than those before it, ${known.join(" and ")}`,
      ...shown("new_event_id"),
    });

    const twice = await attemptOf(t, own.endpoint, eventId);
    t.verify("WHP-18", twice !== null, {
      expected: `an attempt with the event id ${eventId}`,
      actual: twice === null ? `none within ${t.timing.pollTimeout / 1000} s` : "one",
      isSilence: true,
      exchanges: [exchange],
    });
    const taken = [own.record, between, twice].filter((each) => each?.outcome === "success");
    if (taken.length < 3)
      throw new Blocked(
        "the receiver did not take all three of the attempts",
        "give the kit a receiver, which takes what it is sent, or see WHP-18 first",
        "server",
      );
    if (!tenant.manualClock)
      throw new Blocked("only a manual clock shows what weeks bring", "give the kit a sandbox, or an advance hook");
    const ofThem = ({ event_id }: AttemptRecord): boolean => taken.some((each) => isSameId(each?.event_id, event_id));
    const count = async (): Promise<number> => (await attemptsAt(t, own.endpoint, 0)).records.filter(ofThem).length;
    const before = await count();
    for (const seconds of growingSteps) await tenant.advance(seconds, "attempts that should not come");
    const further = (await count()) - before;
    t.verify("EVT-14", further <= 0, {
      expected: "no attempt after the receiver took an event, its replay, and the replay of that",
      actual: further > 0 ? `${further} in the three weeks after` : "none",
      exchanges: [once.exchange, exchange],
    });
  },
});

/** The first attempt of an event at an endpoint; null where the feed does not show it in time. */
async function attemptOf(t: CheckContext, endpoint: Endpoint, eventId: string): Promise<AttemptRecord | null> {
  const isIt = ({ event_id }: AttemptRecord): boolean => isSameId(event_id, eventId);
  const { records } = await attemptsAt(t, endpoint, (all) => all.some(isIt));
  return records.findLast(isIt) ?? null;
}
