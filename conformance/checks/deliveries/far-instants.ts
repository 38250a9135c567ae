import { check } from "../../context/check.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { attemptOf } from "../../steps/attempt.ts";
import { list, recordsOf } from "../../steps/feed.ts";
import { ownDelivery } from "../../steps/own-delivery.ts";
import { isSameId } from "../../steps/settle.ts";

/** Milliseconds between an attempt and what stands before or behind it. */
const apart = 10_000;

/** An instant as whoever counts nanoseconds writes it. */
const inNanoseconds = (at: number): string => `${new Date(at).toISOString().slice(0, -1)}456789Z`;

/** Times that are far off, or written to the nanosecond, as ends of a window. */
export const farInstants = check({
  id: "deliveries.far-instants",
  title: "A window of the feed may begin and end at any time, however many digits its seconds have",
  rules: ["WHL-34", "WHL-35"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    const { record, endpoint } = await ownDelivery(t, main);
    const { at } = attemptOf(record);
    const windows = [
      // How far back a feed reaches nobody says: who asks for more may be refused.
      { rule: "WHL-34", query: { since: "1969-07-20T20:17:40Z" }, warnOnly: true },
      { rule: "WHL-34", query: { since: inNanoseconds(at - apart) }, warnOnly: false },
      { rule: "WHL-35", query: { until: "9999-12-31T23:59:59Z" }, warnOnly: true },
      { rule: "WHL-35", query: { until: inNanoseconds(at + apart) }, warnOnly: false },
    ] as const;
    for (const { rule, query, warnOnly } of windows) {
      const page = await list(t, main, { ...query, endpoint_id: endpoint.id });
      const isThere = recordsOf(page).some(({ id }) => isSameId(id, String(record.id)));
      t.verify(rule, isThere, {
        expected: `an attempt of ${String(record.occurred_at)} in the feed of that window`,
        actual: isSuccess(page) ? `${recordsOf(page).length} others` : summaryOf(page),
        exchanges: [page],
        warnOnly: warnOnly && !isSuccess(page),
      });
    }
  },
});
