import { emittedEvent } from "../../arrangements/emitted-event.ts";
import { check } from "../../context/check.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredEndpoint } from "../../steps/answered-endpoint.ts";
import { arrived, deliverOne, eventIdOf, newcomersTo, notArrived } from "../../steps/deliver-one.ts";
import { createEndpoint, isSameUrl } from "../../steps/endpoint.ts";
import type { AttemptRecord } from "../../steps/feed.ts";
import { testEndpoint } from "../../steps/make-event.ts";
import { attemptsAt, isSameId, settle } from "../../steps/settle.ts";
import { whereText } from "../../steps/where-text.ts";

/** A test of an endpoint, seen by the receiver. */
export const testDelivery = check({
  id: "webhooks.test-delivery",
  title: "A test of an endpoint reaches the receiver at its address, and no other endpoint",
  rules: ["WHE-08", "WHE-17"],
  kind: "scenario",
  needs: ["receiver"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const [inbox, other] = [t.inbox(), t.inbox()];
    // One that was there first, and is not meant.
    const beside = await createEndpoint(t, main, { inbox: other });
    const endpoint = await createEndpoint(t, main, { inbox });
    // Where another event arrives, the way to the receiver is open, and only the test can be at fault.
    if (tenant.can(emittedEvent)) await deliverOne(t, endpoint, inbox);
    const where = newcomersTo(inbox);
    const { exchange } = await testEndpoint(t, endpoint);
    await settle(tenant);
    const arrival = await inbox.until(1, { where });
    if (!arrival.ok && !arrival.reached) throw notArrived(arrival);
    // What stands between target and receiver may take the head of a path away, not add to its end.
    const end = inbox.url.slice(inbox.url.lastIndexOf("/"));
    const astray = arrival.deliveries.find(({ path }) => !path.endsWith(end));
    t.verify("WHE-08", arrival.ok && astray === undefined, {
      expected: `a delivery at ${inbox.url}`,
      actual: arrival.ok ? `one at ${astray?.path ?? "it"}` : arrival.message,
      isSilence: !arrival.ok,
      exchanges: exchange === null ? [] : [exchange],
      deliveries: arrival.deliveries,
    });

    // Something that happens later at the other endpoint tells that the test would have been there by now.
    const tested = arrived(arrival);
    await deliverOne(t, beside, other);
    const strayed = other.deliveries().find((one) => isSameId(eventIdOf(one), eventIdOf(tested)));
    t.verify("WHE-17", strayed === undefined, {
      expected: `the test at ${inbox.url} alone`,
      actual: whereText(true, strayed === undefined ? [] : [strayed.url]),
      exchanges: exchange === null ? [] : [exchange],
      deliveries: strayed === undefined ? [tested] : [tested, strayed],
    });
  },
});

/** A test of an endpoint, seen in the feed; that nobody answers at the address is no matter. */
export const testRecorded = check({
  id: "webhooks.test-recorded",
  title: "A test of an endpoint leaves a record of an attempt at its address",
  rules: ["WHE-08"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const endpoint = await answeredEndpoint(t, main);
    const { exchange } = await testEndpoint(t, endpoint);
    const { records, pages } = await attemptsAt(t, endpoint, 1);
    const [record] = records;
    if (record === undefined) {
      const message = `no attempt was in the feed within ${t.timing.pollTimeout / 1000} s of a test`;
      throw new Blocked(message, "give the kit a receiver: --receiver-listen", "server");
    }
    t.verify("WHE-08", isSameUrl(record.url, endpoint.url), {
      expected: `an attempt at ${endpoint.url}`,
      actual: JSON.stringify(record.url) ?? "none",
      exchanges: [...(exchange === null ? [] : [exchange]), ...pages.slice(0, 1)],
    });
    const again = await testEndpoint(t, endpoint);
    // What was sent before may be tried again meanwhile, which is no second test.
    const isKnown = (one: AttemptRecord): boolean =>
      records.some(
        ({ id, event_id }) => isSameId(id, one.id) || (isSameId(event_id, one.event_id) && one.attempt !== 1),
      );
    const after = await attemptsAt(t, endpoint, (all) => !all.every(isKnown));
    t.verify("WHE-08", after.enough, {
      expected: "an attempt for the second test too",
      actual: after.enough ? "one" : `none within ${t.timing.pollTimeout / 1000} s`,
      isSilence: true,
      exchanges: [...(again.exchange === null ? [] : [again.exchange]), ...after.pages.slice(0, 1)],
    });
  },
});
