import { emittedEvent } from "../../arrangements/emitted-event.ts";
import { waysToMeet } from "../../arrangements/offers.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { answeredEndpoint } from "../../steps/answered-endpoint.ts";
import { type AttemptRecord, list, nextCursorOf, readPage, recordsOf } from "../../steps/feed.ts";
import { makeEvent } from "../../steps/make-event.ts";
import { nearIds } from "../../steps/near-misses/near-ids.ts";
import { secretNearMisses } from "../../steps/near-misses/secret-near-misses.ts";
import { ownDelivery } from "../../steps/own-delivery.ts";
import { attemptsAt, isSameId, settle } from "../../steps/settle.ts";
import { quietTypes } from "./mixed-feed.ts";

/** Ids beside that of an endpoint with attempts. */
export const nearEndpoints = check({
  id: "deliveries.near-endpoints",
  title: "An id that differs from an endpoint's in one digit shows none of its attempts",
  rules: ["WHL-27"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const own = await ownDelivery(t, main);
    const mine = await readPage(t, main, { endpoint_id: own.endpoint.id });
    if (!recordsOf(mine).some(({ id }) => isSameId(id, own.id)))
      throw new Blocked("the feed of an own endpoint does not show its attempt", "see WHL-08 first", "server");
    for (const endpoint_id of [...nearIds(own.endpoint.id), own.id]) {
      const page = await list(t, main, { endpoint_id });
      // What an unknown endpoint gets is open.
      const shows = isSuccess(page) ? recordsOf(page).length : 0;
      t.verify("WHL-27", shows === 0 && (isSuccess(page) || answeredBy(page, "NotFound")), {
        expected: `no attempt at ${endpoint_id}, which is no endpoint`,
        actual: isSuccess(page) ? `${shows} attempts` : summaryOf(page),
        exchanges: [mine, page],
      });
    }
  },
});

/** Attempts of two types, three of each: enough for pages of one that others follow. */
const eachType = 3;

/** Cursors beside one that the server made. */
export const nearCursors = check({
  id: "deliveries.near-cursors",
  title: "A cursor that was changed a little, or made under another filter, does not begin the feed anew",
  rules: ["WHL-26", "WHL-29"],
  kind: "sampled",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const [type, other] = main.tenant.can(emittedEvent) ? quietTypes : [];
    const events = type !== undefined && other !== undefined ? [type, other] : null;
    const endpoint = await answeredEndpoint(t, main, events === null ? {} : { events });
    for (let count = 0; count < eachType; count += 1)
      for (const each of events ?? [null]) await makeEvent(t, endpoint, each);
    await settle(main.tenant);
    const { enough } = await attemptsAt(t, endpoint, eachType * (events?.length ?? 1));
    if (!enough) throw new Blocked("attempts were not in the feed in time", "see WHL-08 first", "server");

    const query = { endpoint_id: endpoint.id, limit: "1" };
    const first = await readPage(t, main, query);
    const cursor = nextCursorOf(first);
    if (cursor === null) throw new Blocked("a page of one attempt leads to no other", "see WHL-01 first", "server");
    t.control(await list(t, main, { ...query, cursor }), "the next page");
    const anew: (readonly [dimension: string, page: Exchange])[] = [];
    for (const { dimension, values } of secretNearMisses(cursor, "", t.random))
      for (const near of values) {
        const page = await list(t, main, { ...query, cursor: near });
        // A server that knows what the change means may well go on from there.
        if (isSuccess(page) && isSamePage(page, first)) anew.push([dimension, page]);
        else if (!isSuccess(page)) judgeRefusal(t, page, dimension);
      }
    t.verify("WHL-26", anew.length < 2, {
      expected: "changed cursors refused, or at least none of them taken for the beginning",
      actual:
        anew.length < 2 ? "that" : `the first page for a cursor with ${anew.map(([what]) => what).join("; with ")}`,
      exchanges: [first, ...anew.slice(0, 2).map(([, page]) => page)],
    });
    if (events === null) throw new Blocked("the kit cannot make events of two types", waysToMeet(emittedEvent));
    for (const event_type of events) await underOther(t, main, { ...query, event_type }, events);
  },
});

function judgeRefusal(t: CheckContext, page: Exchange, dimension: string): void {
  const status = statusOf(page) ?? 0;
  t.verify("WHL-26", status >= 400 && status <= 499, {
    expected: `a 4xx for a cursor with ${dimension}`,
    actual: summaryOf(page),
    exchanges: [page],
  });
}

/** Uses the cursor of one type under the other: what is shown then must still be of the type that was asked for. */
async function underOther(
  t: CheckContext,
  as: Credential,
  query: { readonly event_type: string; readonly limit: string },
  events: readonly string[],
): Promise<void> {
  const made = await readPage(t, as, query);
  const cursor = nextCursorOf(made);
  const event_type = events.find((each) => each !== query.event_type);
  if (cursor === null || event_type === undefined)
    throw new Blocked("a page of one attempt of two leads to no other", "see WHL-01 first", "server");
  const page = await list(t, as, { ...query, event_type, cursor });
  const wrong = recordsOf(page).find((record: AttemptRecord) => record.event_type !== event_type);
  t.verify("WHL-29", wrong === undefined, {
    expected: `a refusal of the cursor, or attempts of ${event_type} only`,
    actual: wrong === undefined ? "that" : `one of ${JSON.stringify(wrong.event_type)}`,
    exchanges: [made, page],
    // The document does not say whether filters may change with a cursor.
    question: "Q6",
  });
}

const isSamePage = (one: Exchange, other: Exchange): boolean => {
  const [a, b] = [recordsOf(one), recordsOf(other)];
  return a.length > 0 && a.length === b.length && a.every(({ id }, index) => isSameId(id, b[index]?.id));
};
