import { eventType } from "../../../generated/events.ts";
import { check } from "../../context/check.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import { compareData } from "../../steps/compare-data.ts";
import { eventIdOf, newcomersTo } from "../../steps/deliver-one.ts";
import { createEndpoint } from "../../steps/endpoint.ts";
import { readScope } from "../../steps/grantable.ts";
import { replay } from "../../steps/replay.ts";
import { attemptsAt, eventually, isSameId, settle } from "../../steps/settle.ts";

/** Milliseconds for an event that a server may not send at all. */
const eventTimeoutMs = 1_000;

/** An event that a call of the API caused. The server chose its data, which may hold times and ids. */
export const replayOfKeyEvent = check({
  id: "deliveries.replay-of-key-event",
  title: "If creating a key sends an event, its replay carries the same data an hour later",
  rules: ["WHP-14"],
  kind: "scenario",
  needs: ["receiver", "manual-clock"],
  effects: ["creates"],
  draws: { apiKeyWrites: 1, deliveryReplays: 1 },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const inbox = t.inbox();
    const endpoint = await createEndpoint(t, main, { inbox, events: [eventType.apiKeyCreated] });
    const where = newcomersTo(inbox);
    const { id: keyId } = await t.createKey(main, [readScope]);
    await settle(tenant);
    const { deliveries } = await inbox.until(1, { where, within: eventTimeoutMs });
    const [original] = deliveries;
    if (original === undefined) throw new NotApplicable("creating a key sends no event");
    const { records } = await attemptsAt(t, endpoint, (all) => all.length > 0);
    const record = records.find(({ event_id }) => isSameId(event_id, eventIdOf(original)));
    if (typeof record?.id !== "string")
      throw new Blocked("a delivery is not in the feed", "see WHL-08 first", "server");
    await tenant.advance(3600, "a replay an hour later");
    const { eventId, exchange } = await replay(t, main, record.id);
    const replayed = await eventually(
      t,
      tenant,
      () => inbox.deliveries().find((one) => isSameId(eventIdOf(one), eventId)) ?? null,
    );
    if (replayed === null) throw new Blocked("the replay did not reach the receiver", "see WHP-13 first", "server");
    const comparison = compareData(original, replayed, { mark: keyId });
    if (comparison === null) throw new NotApplicable("the body of the event does not show its key");
    t.verify("WHP-14", comparison.same, { ...comparison, exchanges: [exchange], deliveries: [original, replayed] });
  },
});
