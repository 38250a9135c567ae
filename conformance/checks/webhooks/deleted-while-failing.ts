import { emittedEvent } from "../../arrangements/emitted-event.ts";
import type { Check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { deleteEndpoint } from "../../steps/endpoint.ts";
import { type AttemptRecord, readFeed } from "../../steps/feed.ts";
import { growingSteps } from "../../steps/growing-steps.ts";
import { makeEvent } from "../../steps/make-event.ts";
import { attemptsAt, eventually, isSameId, settle } from "../../steps/settle.ts";
import { onRecord, received, type Stage, type Staging } from "../../steps/stage.ts";

/** An endpoint that is deleted between two attempts of a delivery, beside one that is not. */
const deleted = ({ name, sight, need, open }: Staging): Check => ({
  id: `webhooks.deleted-while-failing-${name}`,
  title: `An endpoint that is deleted while deliveries wait for another attempt is sent none, then or later, as ${sight} shows`,
  rules: ["WHE-11", "WHE-16"],
  kind: "scenario",
  needs: ["manual-clock", need],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const gone = await open(t, main, [500]);
    const kept = await open(t, main, [500]);
    for (const { endpoint } of tenant.can(emittedEvent) ? [gone] : [gone, kept]) await makeEvent(t, endpoint);
    for (const { endpoint } of [gone, kept]) {
      const { enough } = await attemptsAt(t, endpoint, (all) => all.some(({ outcome }) => outcome === "retry"));
      if (!enough) throw new Blocked("no attempt was to be made again", "see EVT-12 first", "server");
    }
    // Nothing is under way at the deletion.
    await settle(tenant);
    const exchange = await deleteEndpoint(t, gone.endpoint);
    const [before, beside] = [await countAt(t, gone, name), await countAt(t, kept, name)];
    for (const seconds of growingSteps) await tenant.advance(seconds, "attempts that should not come");
    if ((await countAt(t, kept, name)) === beside)
      throw new Blocked("a failed delivery was not tried again within three weeks", "see EVT-15 first", "server");
    const further = (await countAt(t, gone, name)) - before;
    t.verify("WHE-16", further <= 0, {
      expected: "no attempt at the endpoint after it was deleted",
      actual: further > 0 ? `${further} in the three weeks after, of what had failed before` : "none",
      exchanges: [exchange],
      deliveries: (await gone.attempts()).shown.filter((one) => "receivedAt" in one).slice(-3),
    });
    if (!tenant.can(emittedEvent))
      throw new Blocked(
        "only an event of both endpoints shows what a deleted one still hears",
        "give the kit an emit_event hook, or a sandbox",
      );

    // What happens long after, too.
    const [known, others] = [await countAt(t, gone, name), await countAt(t, kept, name)];
    await makeEvent(t, kept.endpoint);
    const heard = await eventually(t, tenant, async () => ((await countAt(t, kept, name)) > others ? true : null));
    // A server may have switched off by now what failed for so long.
    if (heard === null)
      throw new Blocked(
        "the endpoint that was kept heard of nothing after three weeks of failures",
        "see WHE-10 first",
        "server",
      );
    const late = (await countAt(t, gone, name)) - known;
    t.verify("WHE-11", late <= 0, {
      expected: "no event that happened three weeks after the deletion",
      actual: late > 0 ? `${late} attempts` : "none",
      exchanges: [exchange],
    });
  },
});

/** Each by what reaches the kit's receiver, and without one by what the feed records. */
export const deletedWhileFailing: readonly Check[] = [deleted(received), deleted(onRecord)];

/** Attempts at an endpoint so far. The feed is read whole: what it answers for a deleted endpoint is open. */
async function countAt(t: CheckContext, stage: Stage, name: string): Promise<number> {
  if (name === received.name) return (await stage.attempts()).eventIds.length;
  const { id, owner } = stage.endpoint;
  const isAt = ({ endpoint_id }: AttemptRecord): boolean => isSameId(endpoint_id, id);
  return (await readFeed(t, owner)).records.filter(isAt).length;
}
