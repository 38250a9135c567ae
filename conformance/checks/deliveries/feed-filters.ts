import * as fc from "fast-check";
import { bounds } from "../../../generated/limits.ts";
import type { RuleId } from "../../../generated/rules.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { type Attempt, attemptOf } from "../../steps/attempt.ts";
import { deleteEndpoint } from "../../steps/endpoint.ts";
import { followPages, queryText, readFeed, recordsOf } from "../../steps/feed.ts";
import { type Filters, margin, queryOf, type Treatment, treatmentOf } from "../../steps/filter-model.ts";
import { missingText } from "../../steps/missing-attempts.ts";
import { outcomes } from "../../steps/outcomes.ts";
import { callReplay } from "../../steps/replay.ts";
import { eventually, settle } from "../../steps/settle.ts";
import { byFeed, byReceiver, forEachVantage } from "../../steps/vantage.ts";
import { compare, type FilteredRead, type JudgedFeed, judge } from "./judge-filters.ts";
import { judgeValues, valueRules } from "./judge-values.ts";
import { type MixedFeed, mixedFeed, quietTypes } from "./mixed-feed.ts";
import type { Pools } from "./telling-filters.ts";
import { tellingFilters } from "./telling-filters.ts";

const { deliveryPageMax, httpStatusMin, httpStatusMax } = bounds;

/** Rules on one filter each. */
const single = ["WHL-27", "WHL-29", "WHL-32", "WHL-34", "WHL-35", "WHL-37", "WHL-38"] as const;

/** Filters over attempts of many kinds, one by one and several at once, against a model of what they keep. */
export const feedFilters = forEachVantage([byReceiver, byFeed], (vantage) =>
  check({
    id: "deliveries.feed-filters",
    title: "Filters of the feed keep what matches all of them and nothing else",
    rules: [...valueRules, ...single, "WHL-18", "WHL-24", "WHL-43", "WHL-45", "WHL-52", "WHL-95"],
    kind: "property",
    needs: ["key"],
    effects: ["creates"],
    draws: { deliveryReplays: 1 },
    async run(t) {
      const owner = await (await t.tenant({ clock: "manual" })).main();
      const feed = await mixedFeed(t, owner, vantage, { rounds: 3, untilDead: true });
      // A replay, too: an attempt like any other.
      const [newest] = await feed.read();
      if (newest !== undefined) await callReplay(t, owner, newest.id);
      await settle(owner.tenant);
      const { records, pages } = await readFeed(t, owner, { query: queryOf(feed.base) });
      judgeValues(t, records, pages);
      const attempts = await feed.read();
      const known = new Map(records.map((record) => [attemptOf(record).id, record]));
      const judged: JudgedFeed = { ...feed, known };
      const pools = poolsOf(attempts, feed);
      const within = (filters: Filters): Filters => ({ ...feed.base, ...filters });
      const decided = new Set<RuleId>();
      for (const [rule, all] of Map.groupBy(singles(pools), ([of]) => of)) {
        const treatments = all.flatMap(([, filters]) =>
          attempts.map((attempt) => treatmentOf(attempt, within(filters))),
        );
        // Filters that keep all there is, or nothing, show little.
        if (!treatments.includes("kept") || !treatments.includes("left out")) continue;
        decided.add(rule);
        for (const [, one] of all) {
          await compare(t, rule, judged, attempts, { filters: within(one), limit: deliveryPageMax });
        }
        const parted = onPages(
          attempts,
          all.map(([, one]) => within(one)),
        );
        if (parted !== null) await compare(t, rule, judged, attempts, parted);
      }
      await inOtherForms(t, judged, attempts, pools);
      for (const filters of nothing) await compare(t, "WHL-45", judged, attempts, { filters, limit: deliveryPageMax });
      // Ranges of one status: bounds that are equal are a case of their own to whoever compares them.
      for (const status of answeredWith(attempts))
        await compare(t, "WHL-43", judged, attempts, {
          filters: within({ statusMin: status, statusMax: status }),
          limit: deliveryPageMax,
        });
      for (const filters of tellingFilters(pools, attempts))
        await compare(t, "WHL-43", judged, attempts, { filters: within(filters), limit: deliveryPageMax });
      await t.property(several(pools), ({ filters, limit }) =>
        compare(t, "WHL-43", judged, attempts, { filters: within(filters), limit }),
      );
      await underDeleted(t, judged);
      if (single.every((rule) => decided.has(rule)))
        throw new Blocked(
          "what is counted may change between two reads, or there are no answers to look at",
          "give the kit an organization of its own whose clock it moves: a sandbox",
        );
      throw new Blocked(
        "the attempts that the kit could have made do not differ in what this filter looks at",
        "give the kit a sandbox, or a receiver: --receiver-listen",
      );
    },
  }),
);

/** What no attempt matches: a time before there was anything to attempt. */
const nothing: readonly Filters[] = [
  { until: Date.parse("2000-01-01T00:00:00Z") },
  { since: Date.parse("1999-01-01T00:00:00Z"), until: Date.parse("2000-01-01T00:00:00Z") },
];

/** Pages that the records are parted into which filters keep. */
const parts = 3;

/** Of several filters those that keep most, while they leave something out, on pages that others follow. */
function onPages(attempts: readonly Attempt[], all: readonly Filters[]): FilteredRead | null {
  const count = (filters: Filters, treatment: Treatment): number =>
    attempts.filter((attempt) => treatmentOf(attempt, filters) === treatment).length;
  const [filters] = all
    .filter((each) => count(each, "left out") > 0)
    .toSorted((one, other) => count(other, "kept") - count(one, "kept"));
  if (filters === undefined || count(filters, "kept") < parts) return null;
  return { filters, limit: Math.ceil(count(filters, "kept") / parts) };
}

/** Deletes an endpoint: as long as the feed shows its attempts, filters that they match find them. */
async function underDeleted(t: CheckContext, feed: JudgedFeed): Promise<void> {
  const { owner, endpoints, base, atRest } = feed;
  if (!atRest) return;
  const [, endpoint] = endpoints;
  await deleteEndpoint(t, endpoint);
  await settle(owner.tenant);
  const before = await feed.read();
  const [deleted] = before.filter(({ endpointId }) => endpointId === endpoint.id.toLowerCase());
  if (deleted === undefined) return;
  const { endpointId, eventType, outcome } = deleted;
  for (const [rule, filters] of [
    ["WHL-27", { ...base, endpointId }],
    ["WHL-29", { ...base, eventType }],
    ["WHL-32", { ...base, outcome }],
  ] as const) {
    const query = { ...queryOf(filters), limit: String(deliveryPageMax) };
    const look = async () => {
      const { pages, refused } = await followPages(t, owner, query);
      const shown = new Set(pages.flatMap(recordsOf).map((record) => attemptOf(record).id));
      const after = new Set((await feed.read()).map(({ id }) => id));
      const wanted = before.filter((one) => treatmentOf(one, filters) === "kept" && after.has(one.id));
      const missing = wanted.every(({ id }) => shown.has(id))
        ? null
        : missingText(wanted, ({ id }) => shown.has(id), before, filters);
      return { pages, refused, missing };
    };
    // Attempts may go with their endpoint, and need not go from every view of the feed at once.
    const settled = await eventually(t, owner.tenant, async () => {
      const seen = await look();
      return seen.refused !== null || seen.missing === null ? seen : null;
    });
    const { pages, refused, missing } = settled ?? (await look());
    // A deleted endpoint may be as good as one that never was.
    if (refused !== null && answeredBy(refused, "NotFound")) continue;
    t.verify(rule, refused === null && missing === null, {
      expected: `the attempts that match ${queryText(query)} and are in the feed, those at a deleted endpoint, too`,
      actual: missing ?? "those",
      exchanges: refused === null ? pages.slice(0, 1) : [refused],
    });
  }
}

/** One instant as RFC 3339 admits it to be written. Whether others than UTC are taken is open, and how exact ones. */
const forms: readonly ((at: Date) => string)[] = [
  (at) => at.toISOString().replace("Z", "000Z"),
  (at) => at.toISOString().replace("Z", "+00:00"),
  (at) => at.toISOString().toLowerCase(),
  ...[330, -210, 840].map((minutes) => (at: Date) => {
    const local = new Date(at.getTime() + minutes * 60_000).toISOString();
    const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
    const offset = [hours, rest].map((part) => String(part).padStart(2, "0")).join(":");
    return local.replace("Z", `${minutes < 0 ? "-" : "+"}${offset}`);
  }),
];

/** Bounds of time in other forms are refused, or mean the same. */
async function inOtherForms(
  t: CheckContext,
  feed: JudgedFeed,
  attempts: readonly Attempt[],
  pools: Pools,
): Promise<void> {
  const at = pools.instant[Math.floor(pools.instant.length / 2)];
  if (at === undefined) return;
  for (const form of forms) {
    for (const [rule, name, filters] of [
      ["WHL-34", "since", { ...feed.base, since: at }],
      ["WHL-35", "until", { ...feed.base, until: at }],
    ] as const) {
      const query = { ...queryOf(filters), limit: String(deliveryPageMax), [name]: form(new Date(at)) };
      const { pages, refused } = await followPages(t, feed.owner, query);
      if (refused !== null && answeredBy(refused, "ValidationFailed")) continue;
      await judge(t, rule, feed, attempts, { filters, query, pages, refused });
    }
  }
}

/** The statuses that attempts met, each once. */
const answeredWith = (attempts: readonly Attempt[]): readonly number[] => [
  ...new Set(attempts.flatMap(({ status }) => status ?? [])),
];

function poolsOf(attempts: readonly Attempt[], { endpoints }: MixedFeed): Pools {
  const times = [...new Set(attempts.map(({ at }) => at))].sort((a, b) => a - b);
  const middles = times.flatMap((at, index) => {
    const next = times[index + 1];
    return next !== undefined && next - at > 3 * margin ? [Math.round((at + next) / 2)] : [];
  });
  const near = answeredWith(attempts).flatMap((status) => [status - 1, status, status + 1]);
  const types = new Set<string>([...attempts.map(({ eventType }) => eventType), ...quietTypes.slice(-1)]);
  return {
    endpointId: endpoints.map(({ id }) => id.toLowerCase()),
    eventType: [...types],
    outcome: outcomes,
    instant: middles,
    status: [...new Set([httpStatusMin, ...near, httpStatusMax])].filter(
      (status) => status >= httpStatusMin && status <= httpStatusMax,
    ),
  };
}

/** Milliseconds; so much later no attempt was made, and the end of a range may be still to come. */
const year = 365 * 86_400_000;

/** Every filter by itself. */
function singles({ endpointId, eventType, outcome, instant, status }: Pools): readonly [RuleId, Filters][] {
  const each = <T>(rule: RuleId, values: readonly T[], filters: (value: T) => Filters): [RuleId, Filters][] =>
    values.map((value) => [rule, filters(value)]);
  return [
    ...each("WHL-27", endpointId, (id) => ({ endpointId: id })),
    ...each("WHL-29", eventType, (type) => ({ eventType: type })),
    ...each("WHL-32", outcome, (one) => ({ outcome: one })),
    ...each("WHL-34", instant, (since) => ({ since })),
    ...each("WHL-35", [...instant, (instant.at(-1) ?? 0) + year], (until) => ({ until })),
    ...each("WHL-37", status, (statusMin) => ({ statusMin })),
    ...each("WHL-38", status, (statusMax) => ({ statusMax })),
  ];
}

/** Two filters or more, in ranges that are none the wrong way round. */
function several({ endpointId, eventType, outcome, instant, status }: Pools): fc.Arbitrary<FilteredRead> {
  const one = <T>(values: readonly T[]): fc.Arbitrary<T | undefined> =>
    values.length === 0 ? fc.constant(undefined) : fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
  const chosen = fc.record({
    endpointId: one(endpointId),
    eventType: one(eventType),
    outcome: one(outcome),
    range: fc.tuple(one(instant), one(instant)).map(([a, b]) => inOrder(a, b)),
    statuses: fc.tuple(one(status), one(status)).map(([a, b]) => inOrder(a, b)),
  });
  const filters = chosen.map(({ range: [since, until], statuses: [statusMin, statusMax], ...exact }) =>
    defined({ ...exact, since, until, statusMin, statusMax }),
  );
  return fc.record({
    filters: filters.filter((all) => Object.keys(all).length > 1),
    limit: fc.integer({ min: 5, max: deliveryPageMax }),
  });
}

type Maybe = number | undefined;

const inOrder = (a: Maybe, b: Maybe): readonly [Maybe, Maybe] =>
  a !== undefined && b !== undefined && a > b ? [b, a] : [a, b];

const defined = (filters: { readonly [Name in keyof Filters]: Filters[Name] | undefined }): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
