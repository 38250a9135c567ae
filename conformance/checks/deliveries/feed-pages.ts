import * as fc from "fast-check";
import { bounds } from "../../../generated/limits.ts";
import { forcedAnswers } from "../../arrangements/forced-answers.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { type Attempt, attemptOf, onceEach } from "../../steps/attempt.ts";
import { isRefused } from "../../steps/endpoint.ts";
import { followPages, list, metaOf, nextCursorOf, type Paging, readPage, recordsOf } from "../../steps/feed.ts";
import { type Filters, queryOf, treatmentOf } from "../../steps/filter-model.ts";
import { byFeed } from "../../steps/vantage.ts";
import { judgePages } from "./judge-pages.ts";
import { type MixedFeed, mixedFeed } from "./mixed-feed.ts";
import { pageSizeRefusals, refusesPageSize } from "./page-size.ts";

const { deliveryPageDefault, deliveryPageMin, deliveryPageMax } = bounds;

/** Rounds, each of four deliveries, that make more attempts than a page holds by default, and than half of the largest. */
const manyRounds = Math.ceil((Math.max(deliveryPageDefault, deliveryPageMax / 2) + 1) / 4);

/** Sizes of a page and of the one behind it. */
const otherSizes = [
  [2, 5],
  [5, 2],
] as const;

/** A feed at rest on pages of every size. */
export const feedPages = check({
  id: "deliveries.feed-pages",
  title: "Pages of any size hold every attempt once, newest first, and lead to the next while there is one",
  rules: [
    ...([
      "WHL-01",
      "WHL-18",
      "WHL-19",
      "WHL-21",
      "WHL-22",
      "WHL-23",
      "WHL-24",
      "WHL-44",
      "WHL-52",
      "WHL-53",
      "WHL-55",
    ] as const),
    ...(["ENV-22", "ENV-24"] as const),
  ],
  kind: "property",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  // Each of them reads a feed through.
  mostRuns: 20,
  async run(t) {
    const owner = await (await t.tenant({ clock: "manual" })).main();
    // More than most pages hold, where it costs little to have them.
    const feed = await mixedFeed(t, owner, byFeed, { rounds: owner.tenant.can(forcedAnswers) ? manyRounds : 2 });
    // What a page repeats is one attempt all the same.
    const known = onceEach(await feed.read());
    if (known.length < 3) throw new Blocked("the feed has fewer than three attempts", "see WHL-08 first", "server");
    const through = async (filters: Filters, limit: number | null): Promise<PagedFeed> => {
      const read = await readThrough(t, feed, known, { ...feed.base, ...filters }, limit);
      judgePages(t, read.paging, read.attempts, limit);
      if (!feed.atRest || !owner.tenant.fresh) return read;
      judgeTotals(t, read, known.length);
      judgeKnown(t, read, known);
      judgeOrder(t, read, known);
      return read;
    };

    const { attempts } = await through({}, deliveryPageMax);
    const counted = await countsAll(t, feed);
    for (const limit of [null, 7, attempts.length - 1, attempts.length]) {
      await through({}, limit === null ? null : Math.min(limit, deliveryPageMax));
    }

    const { eventType, count } = rarest(known);
    await through({ eventType }, deliveryPageMin);
    await through({ eventType }, null);
    const limits = fc.oneof(
      fc.integer({ min: deliveryPageMin, max: Math.min(5, count + 1) }),
      fc.integer({ min: deliveryPageMin, max: Math.min(deliveryPageMax, count + 1) }),
      fc.integer({ min: deliveryPageMin, max: deliveryPageMax }),
    );
    await t.property(limits, async (limit) => void (await through({ eventType }, limit)));
    if (!counted)
      throw new Blocked(
        `the feed holds more than ${counting * deliveryPageMax} attempts`,
        "give the kit an organization of its own",
      );
    if (!feed.atRest || !owner.tenant.fresh)
      throw new Blocked(
        "others may add attempts between pages",
        "give the kit an organization of its own: a new_organization hook, or a sandbox",
      );
    for (const sizes of otherSizes) await otherSize(t, feed, known, sizes);
  },
});

/** Decides whether pages hold nothing that those of the largest size do not. */
function judgeKnown(t: CheckContext, { paging: { pages } }: PagedFeed, known: readonly Attempt[]): void {
  const ids = new Set(known.map(({ id }) => id));
  const isUnknown = (page: Exchange): boolean => recordsOf(page).some((record) => !ids.has(attemptOf(record).id));
  const page = pages.find(isUnknown);
  t.verify("WHL-23", page === undefined, {
    expected: `on pages of ${deliveryPageMax} all that smaller pages show`,
    actual: page === undefined ? "that" : `${known.length} attempts, and others on smaller pages`,
    exchanges: page === undefined ? [] : [page],
  });
}

/** Decides whether pages have what they hold in the order of the feed as it was read before. */
function judgeOrder(t: CheckContext, { paging: { pages } }: PagedFeed, known: readonly Attempt[]): void {
  const places = new Map(known.map(({ id }, place) => [id, place]));
  const shown = pages.flatMap((page) =>
    recordsOf(page).map((record) => ({ page, place: places.get(attemptOf(record).id) ?? -1 })),
  );
  const index = shown.findIndex(({ place }, at) => place < (shown[at - 1]?.place ?? -1));
  const [before, late] = [shown[index - 1], shown[index]];
  const isOther = before !== undefined && late !== undefined;
  t.verify("WHL-53", !isOther, {
    expected: "attempts in the order in which the feed showed them before",
    actual: isOther ? `${known[late.place]?.id} behind ${known[before.place]?.id}, and not before it` : "that",
    exchanges: isOther ? [...new Set([before.page, late.page])] : [],
  });
}

/** Asks for the page behind another one in another size: it is refused, or goes on where that one ended. */
async function otherSize(
  t: CheckContext,
  { owner }: MixedFeed,
  known: readonly Attempt[],
  [size, other]: readonly [size: number, other: number],
): Promise<void> {
  const first = await readPage(t, owner, { limit: String(size) });
  const cursor = nextCursorOf(first);
  if (cursor === null) throw new Blocked(`a page of ${size} leads to no other`, "see WHL-01 first", "server");
  const beyond = await list(t, owner, { limit: String(deliveryPageMax + 1), cursor });
  // A server that refuses the size of a first page refuses it with a cursor as well.
  const plain = await list(t, owner, { limit: String(deliveryPageMax + 1) });
  if (isSuccess(plain)) refusesPageSize(t, beyond);
  else t.refused("WHL-22", beyond, ...pageSizeRefusals);
  const second = await list(t, owner, { limit: String(other), cursor });
  const [before, behind] = [first, second].map((page) => recordsOf(page).map(attemptOf));
  const shown = new Set([...(before ?? []), ...(behind ?? [])].map(({ id }) => id));
  const again = behind?.find(({ id }) => before?.some((one) => one.id === id));
  const oldest = behind?.at(-1)?.at ?? Number.POSITIVE_INFINITY;
  const skipped = isSuccess(second) ? known.find(({ id, at }) => at > oldest && !shown.has(id)) : undefined;
  t.verify("WHL-55", again === undefined && skipped === undefined && isSuccess(second) === !isRefused(second), {
    expected: `what follows a page of ${size}, on one of ${other}, or a refusal`,
    actual:
      again !== undefined ? `${again.id} again` : skipped !== undefined ? `${skipped.id} skipped` : summaryOf(second),
    exchanges: [first, second],
  });
}

/** Decides what `total` is on pages of a feed at rest that holds so many attempts in all. */
function judgeTotals(t: CheckContext, { paging: { pages }, attempts }: PagedFeed, all: number): void {
  const totals = [...new Set(pages.map((page) => metaOf(page).total))];
  const [total] = totals;
  t.verify("WHL-52", totals.length <= 1 && (total === attempts.length || total === all), {
    expected: `meta.total ${attempts.length} on each page, as so many match, or ${all}, as there are so many in all`,
    actual: totals.map((each) => JSON.stringify(each) ?? "none").join(", "),
    exchanges: pages.slice(0, 2),
    question: "Q5",
  });
}

/** Pages that are read to count what the feed holds. */
const counting = 20;

/** Decides what `total` is; false where there is more than that many pages hold. */
async function countsAll(t: CheckContext, { owner, atRest }: MixedFeed): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    const { pages, refused } = await followPages(t, owner, { limit: String(deliveryPageMax) }, { most: counting });
    if (refused !== null) t.control(refused, "reading the feed");
    const last = pages.at(-1);
    if (last === undefined || nextCursorOf(last) !== null) return false;
    const [total, count] = [metaOf(last).total, onceEach(pages.flatMap(recordsOf).map(attemptOf)).length];
    // Where time runs, an attempt may be added between counting and reading.
    if (total !== count && !atRest && tries < patience) continue;
    t.equal("WHL-44", "meta.total", total, count, ...pages);
    const part = await readPage(t, owner, { limit: String(deliveryPageMin) });
    if (atRest) t.equal("WHL-44", "meta.total, on a page that does not hold them all", metaOf(part).total, count, part);
    return true;
  }
}

/** Pages of a feed that nothing was added to meanwhile, and all that they should hold. */
interface PagedFeed {
  readonly paging: Paging;
  readonly attempts: readonly Attempt[];
}

/** Times that a feed is read because attempts were added while it was. */
const patience = 3;

async function readThrough(
  t: CheckContext,
  feed: MixedFeed,
  known: readonly Attempt[],
  filters: Filters,
  limit: number | null,
): Promise<PagedFeed> {
  const query = { ...queryOf(filters), ...(limit === null ? {} : { limit: String(limit) }) };
  const matching = (all: readonly Attempt[]) => all.filter((attempt) => treatmentOf(attempt, filters) === "kept");
  if (feed.atRest) return { paging: await followPages(t, feed.owner, query), attempts: matching(known) };
  for (let tries = 0; tries < patience; tries += 1) {
    const before = await feed.read();
    const paging = await followPages(t, feed.owner, query);
    if ((await feed.read()).length === before.length) return { paging, attempts: matching(before) };
  }
  throw new Blocked(
    `attempts were added to the feed each of ${patience} times that it was read`,
    "give the kit an organization that nobody else uses",
  );
}

/** The type of event with the fewest attempts, for many pages at little cost. */
function rarest(attempts: readonly Attempt[]): { readonly eventType: string; readonly count: number } {
  const groups = [...Map.groupBy(attempts, ({ eventType }) => eventType)];
  const [first] = groups
    .map(([eventType, { length: count }]) => ({ eventType, count }))
    .sort((a, b) => a.count - b.count);
  return first ?? { eventType: "", count: 0 };
}
