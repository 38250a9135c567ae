import { editedEndpoint } from "../../arrangements/edited-endpoint.ts";
import { emittedEvent } from "../../arrangements/emitted-event.ts";
import { check } from "../../context/check.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { AttemptRecord } from "../../steps/feed.ts";
import { callReplay, replay, replayedIn } from "../../steps/replay.ts";
import { attemptsAt, eventually } from "../../steps/settle.ts";
import { byFeed, byReceiver, forEachVantage, seenEvents, untilSeen } from "../../steps/vantage.ts";
import { quietTypes } from "./mixed-feed.ts";

/** A replay to an endpoint that would not be sent its type any more. */
export const replayUnsubscribed = forEachVantage([byReceiver, byFeed], ({ watch }) =>
  check({
    id: "deliveries.replay-unsubscribed",
    title: "A replay is sent to an endpoint that no longer subscribes to its type",
    rules: ["WHP-04", "WHP-16"],
    kind: "scenario",
    needs: ["emit", "endpoint-edit"],
    effects: ["creates"],
    draws: { deliveryReplays: 2 },
    async run(t) {
      const tenant = await t.tenant({ clock: "manual" });
      const main = await tenant.main();
      const [former, later] = quietTypes;
      if (former === undefined || later === undefined) throw new Error("The catalog is too small.");
      const watched = await watch(t, main, { events: [former] });
      const { endpoint } = watched;
      await tenant.arrange(emittedEvent, { type: former });
      await untilSeen(t, watched, (all) => all.some(({ eventType }) => eventType === former));
      const isIt = ({ event_type }: AttemptRecord): boolean => event_type === former;
      const { records } = await attemptsAt(t, endpoint, (all) => all.some(isIt));
      const { id } = records.find(isIt) ?? {};
      if (typeof id !== "string") throw new Blocked("a delivery is not in the feed", "see WHL-08 first", "server");

      // The sound twin: the same replay while the endpoint still subscribes.
      const twin = await replay(t, main, id);
      await tenant.arrange(editedEndpoint, { endpoint_id: endpoint.id, events: [later] });
      const before = await seenEvents(watched);
      for (const type of [former, later]) await tenant.arrange(emittedEvent, { type });
      await untilSeen(t, watched, (all) => all.some(({ eventType }) => eventType === later));
      const expected = [...before.map(({ eventId }) => eventId), twin.eventId.toLowerCase()];
      const still = (await seenEvents(watched)).filter(
        (one) => one.eventType === former && !expected.includes(one.eventId),
      );
      if (still.length > 0) {
        const message = "an endpoint is sent a type that it was taken off";
        throw new Blocked(message, "see WHE-10 first, and whether subscriptions are really changed", "environment");
      }

      const exchange = await callReplay(t, main, id);
      if (!t.accepted("WHP-16", exchange)) return;
      const { eventId, data } = replayedIn(exchange);
      t.equal("WHP-04", "event_type", data.event_type, former, exchange);
      const arrived = await eventually(t, tenant, async () =>
        (await seenEvents(watched)).some((one) => one.eventId === eventId.toLowerCase()) ? true : null,
      );
      t.verify("WHP-16", arrived !== null, {
        expected: `an attempt of the replay ${eventId} at the endpoint that has since been taken off ${former}`,
        actual: arrived === null ? `none within ${t.timing.pollTimeout / 1000} s` : "one",
        isSilence: true,
        exchanges: [exchange],
      });
    },
  }),
);
