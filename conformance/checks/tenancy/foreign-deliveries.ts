import { bounds } from "../../../generated/limits.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { attemptOf } from "../../steps/attempt.ts";
import { type FeedQuery, list, metaOf, readFeed, recordsOf } from "../../steps/feed.ts";
import { type Filters, margin, queryOf } from "../../steps/filter-model.ts";
import { neverIssued } from "../../steps/never-issued.ts";
import { type OwnDelivery, ownDelivery } from "../../steps/own-delivery.ts";
import { isSameId } from "../../steps/settle.ts";
import type { Asked } from "./differences.ts";
import { told } from "./indistinguishable.ts";

/** The feeds of two organizations that both have attempts. */
export const foreignDeliveries = check({
  id: "tenancy.foreign-deliveries",
  title: "The feed shows no other organization's attempts, and nothing of its endpoints",
  rules: ["TEN-04", "TEN-06"],
  kind: "sampled",
  needs: ["other-organization"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const stranger = await (await t.otherTenant({ clock: "manual" })).main();
    const own = await ownDelivery(t, main);
    const foreign = await ownDelivery(t, stranger);
    await holdsOnly(t, main, own, foreign);
    await holdsOnly(t, stranger, foreign, own);

    const mine = await list(t, main, { endpoint_id: own.endpoint.id });
    if (!recordsOf(mine).some(({ id }) => isSameId(id, own.id)))
      throw new Blocked(`the feed of an own endpoint was answered ${summaryOf(mine)}`, "see WHL-27 first", "server");
    const { eventType, outcome, status, at } = attemptOf(foreign.record);
    const besides: readonly Filters[] = [
      ...[{}, { eventType }, { outcome }, { since: at - 10 * margin }, { until: at + 10 * margin }],
      ...(status === null ? [] : [{ statusMin: status }, { statusMax: status }]),
      { eventType, outcome, since: at - 10 * margin, until: at + 10 * margin },
    ];
    for (const others of besides) await asForUnknown(t, main, foreign, queryOf(others));
    await asForUnknown(t, main, foreign, { limit: String(bounds.deliveryPageMin) });
  },
});

/** Decides whether another organization's endpoint, beside other filters, is answered for as one that never was. */
async function asForUnknown(t: CheckContext, as: Credential, foreign: OwnDelivery, others: FeedQuery): Promise<void> {
  const ask = async (id: string) => ({ exchange: await list(t, as, { ...others, endpoint_id: id }), id });
  const never = neverIssued(foreign.endpoint.id, t.random);
  // Before and after, as what `total` counts may include attempts that were added meanwhile.
  const [before, asked, after] = [await ask(never), await ask(foreign.endpoint.id), await ask(never)];
  for (const { exchange } of [before, asked]) {
    t.verify("TEN-06", answeredBy(exchange, "NotFound") || (isSuccess(exchange) && recordsOf(exchange).length === 0), {
      expected: "an empty list or 404, for another organization's endpoint as for one that never was",
      actual: isSuccess(exchange) ? `${recordsOf(exchange).length} attempts` : summaryOf(exchange),
      exchanges: [exchange],
    });
  }
  const answer = JSON.stringify(toldOfFeed(asked));
  t.verify(
    "TEN-06",
    [before, after].map(toldOfFeed).some((other) => JSON.stringify(other) === answer),
    {
      expected: `the answer for an endpoint that never was: ${JSON.stringify(toldOfFeed(before))}`,
      actual: answer,
      exchanges: [before.exchange, asked.exchange],
    },
  );
}

/** What an answer tells, with its records and what `meta` says of them; cursors differ by nature. */
function toldOfFeed(asked: Asked): object {
  const { total, limit, offset, next_cursor } = metaOf(asked.exchange);
  const next = typeof next_cursor === "string" && next_cursor !== "";
  return { ...told(asked), records: recordsOf(asked.exchange).length, meta: { total, limit, offset, next } };
}

/** Decides whether a feed, whole and filtered, holds its organization's attempt and nothing of the other's. */
async function holdsOnly(t: CheckContext, as: Credential, own: OwnDelivery, foreign: OwnDelivery): Promise<void> {
  // Others may have filled the feed before.
  const since = Math.min(...[own, foreign].map(({ record }) => attemptOf(record).at)) - 10 * margin;
  const whole = as.tenant.fresh ? {} : { since };
  const { eventType, outcome, status } = attemptOf(foreign.record);
  const filters: readonly Filters[] = [
    ...[{}, { since }, { eventType }, { outcome }, { eventType, outcome, since }],
    ...(status === null ? [] : [{ statusMin: status }, { statusMax: status, outcome }]),
  ];
  for (const [index, filter] of filters.entries()) {
    const { records, pages } = await readFeed(t, as, { query: queryOf({ ...whole, ...filter }) });
    if (index === 0 && !records.some(({ id }) => isSameId(id, own.id)))
      throw new Blocked("an organization's own attempt is not in its feed", "see WHL-23 first", "server");
    const leaked = records.find(
      ({ id, endpoint_id, event_id }) =>
        isSameId(id, foreign.id) ||
        isSameId(endpoint_id, foreign.endpoint.id) ||
        isSameId(event_id, foreign.record.event_id),
    );
    t.verify("TEN-04", leaked === undefined, {
      expected: "no attempt of the other organization",
      actual: leaked === undefined ? "none" : `attempt ${leaked.id} at the other's endpoint ${leaked.endpoint_id}`,
      exchanges: pages,
    });
  }
}
