import { eventTypes } from "../../../generated/events.ts";
import { emittedEvent } from "../../arrangements/emitted-event.ts";
import { check } from "../../context/check.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredEndpoint } from "../../steps/answered-endpoint.ts";
import { type AttemptRecord, readFeed } from "../../steps/feed.ts";
import { attemptsAt, eventually, isSameId } from "../../steps/settle.ts";

/** An attempt of each type there is, asked for by its type. */
export const everyType = check({
  id: "deliveries.every-type",
  title: "The filter of the type finds the attempts of every type, and those of no other",
  rules: ["WHL-29"],
  kind: "scenario",
  needs: ["emit"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const endpoint = await answeredEndpoint(t, main, { events: eventTypes });
    for (const type of eventTypes) await main.tenant.arrange(emittedEvent, { type });
    const typesIn = (records: readonly AttemptRecord[]) => new Set(records.map(({ event_type }) => event_type));
    const { enough, records } = await attemptsAt(t, endpoint, (all) => typesIn(all).size >= eventTypes.length);
    if (!enough) throw new Blocked("an attempt was not in the feed in time", "see WHL-08 first", "server");

    for (const event_type of eventTypes) {
      const own = records.filter((record) => record.event_type === event_type);
      let pages: readonly Exchange[] = [];
      let shown: readonly AttemptRecord[] = [];
      // Whoever answers may know of fewer attempts for a moment than whoever answered before.
      const found = await eventually(t, main.tenant, async () => {
        ({ records: shown, pages } = await readFeed(t, main, { query: { event_type } }));
        return own.every(({ id }) => shown.some((record) => isSameId(record.id, id))) ? true : null;
      });
      const other = shown.find((record) => record.event_type !== event_type);
      t.verify("WHL-29", found !== null && other === undefined, {
        expected: `all ${own.length} attempts of ${event_type} that the feed shows, and no other`,
        actual: other !== undefined ? `one of ${String(other.event_type)}` : found === null ? "not all" : "those",
        exchanges: pages.slice(0, 1),
      });
    }
  },
});
