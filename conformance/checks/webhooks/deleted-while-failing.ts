import { emittedEvent } from "../../arrangements/emitted-event.ts";
import { check } from "../../context/check.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { AttemptRecord } from "../../steps/feed.ts";
import { growingSteps } from "../../steps/growing-steps.ts";
import { makeEvent } from "../../steps/make-event.ts";
import { attemptsAt, eventually, settle } from "../../steps/settle.ts";
import { isDeadAtFirst, singleAttempt } from "../../steps/single-attempt.ts";
import { byReceiver, bySandbox, forEachVantage, seenEvents, type WatchedEndpoint } from "../../steps/vantage.ts";

/** An endpoint that is deleted between two attempts of a delivery, beside one that is not. */
export const deletedWhileFailing = forEachVantage([byReceiver, bySandbox], ({ watch }) =>
  check({
    id: "webhooks.deleted-while-failing",
    title: "An endpoint that is deleted while deliveries wait for another attempt is sent none, then or later",
    rules: ["WHE-07", "WHE-11", "WHE-16"],
    kind: "scenario",
    needs: ["manual-clock"],
    effects: ["creates"],
    draws: {},
    async run(t) {
      const tenant = await t.tenant({ clock: "manual" });
      const main = await tenant.main();
      const gone = await watch(t, main);
      const kept = await watch(t, main);
      for (const each of [gone, kept]) await each.meet(500);
      for (const { endpoint } of tenant.can(emittedEvent) ? [gone] : [gone, kept]) await makeEvent(t, endpoint);
      for (const { endpoint } of [gone, kept]) {
        const isFailure = ({ outcome }: AttemptRecord): boolean => outcome === "retry" || outcome === "dead";
        const { records } = await attemptsAt(t, endpoint, (all) => all.some(isFailure));
        const enough = records.some(({ outcome }) => outcome === "retry");
        if (!enough && records.some(isDeadAtFirst)) throw singleAttempt();
        if (!enough) throw new Blocked("no attempt was to be made again", "see EVT-12 first", "server");
      }
      // Nothing is under way at the deletion.
      await settle(tenant);
      const exchange = await t.call("deleteWebhookEndpoint", { path: { id: gone.endpoint.id } }, main);
      t.accepted("WHE-07", exchange);
      t.control(exchange, "deleting an endpoint");
      const [before, beside] = [await countAt(gone), await countAt(kept)];
      for (const seconds of growingSteps) await tenant.advance(seconds, "attempts that should not come");
      if ((await countAt(kept)) === beside)
        throw new Blocked("a failed delivery was not tried again within three weeks", "see EVT-15 first", "server");
      const further = (await countAt(gone)) - before;
      t.verify("WHE-16", further <= 0, {
        expected: "no attempt at the endpoint after it was deleted",
        actual: further > 0 ? `${further} in the three weeks after, of what had failed before` : "none",
        exchanges: [exchange],
        deliveries: (await gone.seen()).shown.filter((one) => "receivedAt" in one).slice(-3),
      });
      if (!tenant.can(emittedEvent))
        throw new Blocked(
          "only an event of both endpoints shows what a deleted one is still sent",
          "give the kit an emit_event hook, or a sandbox",
        );

      // What happens long after, too.
      const [known, others] = [(await seenEvents(gone)).map(({ eventId }) => eventId), await countAt(kept)];
      await makeEvent(t, kept.endpoint);
      const heard = await eventually(t, tenant, async () => ((await countAt(kept)) > others ? true : null));
      // A server may have switched off by now what failed for so long.
      if (heard === null)
        throw new Blocked(
          "the endpoint that was kept heard of nothing after three weeks of failures",
          "see WHE-10 first",
          "server",
        );
      // By its event: attempts of what failed before may be shown late.
      const late = (await seenEvents(gone)).filter(({ eventId }) => !known.includes(eventId));
      t.verify("WHE-11", late.length === 0, {
        expected: "no event that happened three weeks after the deletion",
        actual: late.map(({ eventType }) => String(eventType)).join(", ") || "none",
        exchanges: [exchange],
      });
    },
  }),
);

/** Attempts at an endpoint so far. */
const countAt = async (watched: WatchedEndpoint): Promise<number> => (await watched.seen()).attempts.length;
