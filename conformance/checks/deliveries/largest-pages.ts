import { bounds } from "../../../generated/limits.ts";
import { emittedEvent } from "../../arrangements/emitted-event.ts";
import { check } from "../../context/check.ts";
import { answeredEndpoint } from "../../steps/answered-endpoint.ts";
import { type Attempt, attemptOf, onceEach } from "../../steps/attempt.ts";
import { followPages, type Paging, recordsOf } from "../../steps/feed.ts";
import { eventually } from "../../steps/settle.ts";
import { judgePages } from "./judge-pages.ts";
import { quietTypes } from "./mixed-feed.ts";

const { deliveryPageMax } = bounds;

/** Endpoints, and times at which each hears of so many events: more attempts than the largest page holds. */
const [endpoints, times] = [10, 3] as const;
const events = Math.ceil((deliveryPageMax + 1) / endpoints / times);

/** Seconds between those times. */
const apart = 60;

/** A feed as pages of one size show it; `limit` is null where none was asked for. */
interface ReadFeed {
  readonly limit: number | null;
  readonly paging: Paging;
  readonly shown: readonly Attempt[];
}

/** A feed that does not fit on the largest page. */
export const largestPages = check({
  id: "deliveries.largest-pages",
  title: `More than ${deliveryPageMax} attempts are on several pages, of the largest size as of the usual one`,
  rules: ["WHL-01", "WHL-08", "WHL-18", "WHL-19", "WHL-21", "WHL-23", "WHL-24", "ENV-22", "ENV-24"],
  kind: "scenario",
  needs: ["fresh-organization", "manual-clock", "emit", "forced-answers"],
  effects: ["creates"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const [type] = quietTypes;
    if (type === undefined) throw new Error("The contract has no events that the kit does not cause.");
    for (let count = 1; count <= endpoints; count += 1) await answeredEndpoint(t, main, { events: [type] });
    for (let time = 1; time <= times; time += 1) {
      if (time > 1) await tenant.advance(apart, "attempts at several times");
      for (let count = 1; count <= events; count += 1) await tenant.arrange(emittedEvent, { type });
    }
    const read = async () => {
      const feeds: ReadFeed[] = [];
      for (const limit of [deliveryPageMax, null]) {
        const paging = await followPages(t, main, limit === null ? {} : { limit: String(limit) });
        feeds.push({ limit, paging, shown: onceEach(paging.pages.flatMap(recordsOf).map(attemptOf)) });
      }
      // What pages of one size leave out those of the other may show.
      return { feeds, attempts: onceEach(feeds.flatMap(({ shown }) => shown)) };
    };
    const wanted = endpoints * times * events;
    let last = await read();
    // So many take a server longer than one does: they are waited for as long as more of them come.
    for (let known = -1; last.attempts.length < wanted && last.attempts.length > known; ) {
      known = last.attempts.length;
      await eventually(t, tenant, async () => {
        last = await read();
        return last.attempts.length > known ? true : null;
      });
    }
    // Of what came between two readings neither is at fault.
    const isAtRest = (): boolean => last.feeds.every(({ shown }) => shown.length === last.attempts.length);
    await eventually(t, tenant, async () => {
      if (isAtRest()) return true;
      last = await read();
      return isAtRest() ? true : null;
    });
    const { feeds, attempts } = last;
    const areAll = t.verify("WHL-08", attempts.length >= wanted, {
      expected: `${wanted} attempts of ${times * events} events at ${endpoints} endpoints`,
      actual: attempts.length >= wanted ? "those" : `${attempts.length} on all pages`,
      isSilence: true,
      exchanges: feeds.flatMap(({ paging }) => paging.pages.slice(-1)),
    });
    if (areAll) for (const { limit, paging } of feeds) judgePages(t, paging, attempts, limit);
  },
});
