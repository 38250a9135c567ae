import { constants } from "../../../generated/constants.ts";
import { eventTypes } from "../../../generated/events.ts";
import { emittedEvent } from "../../arrangements/emitted-event.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { respond } from "../../exchange/answer.ts";
import { type Delivery, headerValues, jsonOfDelivery } from "../../exchange/delivery.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { deliverOne, deliverTest, eventIdOf, notArrived } from "../../steps/deliver-one.ts";
import { createEndpoint } from "../../steps/endpoint.ts";
import type { AttemptRecord } from "../../steps/feed.ts";
import { headerRules, headerVerdicts } from "../../steps/header-verdicts.ts";
import { makeEvent } from "../../steps/make-event.ts";
import { nextAttempts } from "../../steps/next-attempt.ts";
import { attemptsAt, eventually, isSameId, settle } from "../../steps/settle.ts";

/** Deliveries of every type of event, as far as the kit can make them happen, retries, and a test. */
export const deliveryHeadersCheck = check({
  id: "events.delivery-headers",
  title: "A delivery of any type, a test too, is JSON and has the documented headers, which its record agrees with",
  rules: [...headerRules, "EVT-10"],
  kind: "scenario",
  needs: ["receiver"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const { tenant } = main;
    const inbox = t.inbox();
    const endpoint = await createEndpoint(t, main, { inbox, events: eventTypes });
    if (tenant.can(emittedEvent))
      for (const type of eventTypes) await tenant.arrange(emittedEvent, { type, data: { bylaw: type } });
    else await makeEvent(t, endpoint);
    const wanted = tenant.can(emittedEvent) ? eventTypes.length : 1;
    const events = (): number => new Set(inbox.deliveries().map(eventIdOf)).size;
    await eventually(t, tenant, () => (events() >= wanted ? true : null));
    if (tenant.manualClock) {
      inbox.answer(respond(503), respond(503), respond(503), respond(200));
      const failed = await deliverOne(t, endpoint, inbox);
      await settle(tenant);
      await nextAttempts(tenant, inbox, eventIdOf(failed), 3);
    }
    const deliveries = inbox.deliveries().filter(({ truncated, broken }) => !truncated && !broken);
    if (deliveries.length === 0) throw notArrived(await inbox.until(1, { within: 0 }));
    for (const delivery of deliveries) judge(t, delivery);

    // An attempt may arrive twice, and is recorded once.
    const isRecorded = (delivery: Delivery, all: readonly AttemptRecord[]): boolean =>
      all.some(({ event_id }) => isSameId(event_id, eventIdOf(delivery)));
    const { records, pages } = await attemptsAt(t, endpoint, (all) => deliveries.every((one) => isRecorded(one, all)));
    if (records.length < new Set(deliveries.map(eventIdOf)).size)
      throw new Blocked("a delivery is not in the feed", "see WHL-08 first", "server");
    for (const delivery of deliveries) agree(t, delivery, records, pages);

    const test = tenant.can(emittedEvent) ? await deliverTest(t, endpoint, inbox) : null;
    if (test === null) return;
    judge(t, test);
    // Whether the attempts of tests are recorded is open.
    const known = new Set(records.map(({ event_id }) => event_id));
    const type = headerValues(test, constants.eventTypeHeader).join(", ");
    const isOfTest = ({ event_id, event_type }: AttemptRecord): boolean => !known.has(event_id) && event_type === type;
    const after = await attemptsAt(t, endpoint, (all) => all.some(isOfTest));
    if (after.enough) agree(t, test, after.records, after.pages);
  },
});

function judge(t: CheckContext, delivery: Delivery): void {
  for (const { rule, ...verdict } of headerVerdicts(delivery)) {
    t.verify(rule, verdict.holds, { ...verdict, exchanges: [], deliveries: [delivery] });
  }
  t.verify("EVT-02", jsonOfDelivery(delivery) !== undefined, {
    expected: "a JSON body",
    actual: `${delivery.size} bytes that are none`,
    exchanges: [],
    deliveries: [delivery],
  });
}

/** Decides whether event id and type in the headers are those on record. */
function agree(
  t: CheckContext,
  delivery: Delivery,
  records: readonly AttemptRecord[],
  pages: readonly Exchange[],
): void {
  const id = eventIdOf(delivery);
  const type = headerValues(delivery, constants.eventTypeHeader).join(", ");
  const record = records.find(({ event_id }) => isSameId(event_id, id));
  t.verify("EVT-10", record?.event_type === type, {
    expected: `a record of event ${id} with the type ${type}, as in the headers`,
    actual: record === undefined ? "no record of an attempt of that event" : `the type ${record.event_type}`,
    exchanges: pages.slice(0, 1),
    deliveries: [delivery],
  });
}
