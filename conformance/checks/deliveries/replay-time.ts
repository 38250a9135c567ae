import { check } from "../../context/check.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { makeEvent } from "../../steps/make-event.ts";
import { ownDelivery } from "../../steps/own-delivery.ts";
import { replay } from "../../steps/replay.ts";
import { attemptsAt, isSameId } from "../../steps/settle.ts";

/** Seconds between an event and its replay: fewer than any server keeps an event for. */
const apart = 600;

/** A replay some time after the original, on the organization's clock. */
export const replayTime = check({
  id: "deliveries.replay-time",
  title: "The time of a replay is its own, not that of the original",
  rules: ["WHP-08"],
  kind: "scenario",
  needs: ["manual-clock"],
  effects: ["creates"],
  draws: { deliveryReplays: 1 },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const own = await ownDelivery(t, await tenant.main());
    await tenant.advance(apart, "some time between an event and its replay");
    // What happens just before tells what time it is there.
    await makeEvent(t, own.endpoint);
    const { records, pages } = await attemptsAt(t, own.endpoint, (all) => new Set(all.map(eventOf)).size > 1);
    const original = records.find(({ id }) => isSameId(id, own.id));
    const later = records.find((record) => eventOf(record) !== eventOf(own.record));
    const [from, until] = [original, later].map((record) => Date.parse(String(record?.occurred_at)));
    const slack = t.timing.clockSkew + 1000;
    if (from === undefined || until === undefined || !(until - from >= apart * 1000 - slack))
      throw new Blocked(
        `the feed does not show that ${apart} s have passed`,
        "see WHL-08 and the clock first",
        "server",
      );

    const { data, exchange } = await replay(t, own.endpoint.owner, own.id);
    const off = Date.parse(String(data.enqueued_at)) - until;
    t.verify("WHP-08", Math.abs(off) <= slack, {
      expected: `enqueued_at within ${slack / 1000} s of ${String(later?.occurred_at)}, just before the replay`,
      actual: JSON.stringify(data.enqueued_at) ?? "none",
      exchanges: [...pages.slice(0, 1), exchange],
    });
  },
});

const eventOf = ({ event_id }: { readonly event_id?: unknown }): string => String(event_id).toLowerCase();
