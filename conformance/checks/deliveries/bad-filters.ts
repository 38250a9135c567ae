import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import { bounds } from "../../../generated/limits.ts";
import type { RuleId } from "../../../generated/rules.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { rowNamed, rowText } from "../../exchange/admits.ts";
import { type Exchange, isSuccess, statusOf, summaryOf } from "../../exchange/exchange.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { type FeedQuery, list, metaOf, readPage } from "../../steps/feed.ts";
import { malformedIds } from "../../steps/malformed-ids.ts";
import { uuidNearMisses } from "../../steps/near-misses/uuid-near-misses.ts";
import { outcomes } from "../../steps/outcomes.ts";
import { filterValues, otherForms } from "./filter-values.ts";
import { namesFilter } from "./names-filter.ts";
import { refusesPageSize } from "./page-size.ts";

const { deliveryPageDefault, httpStatusMin, httpStatusMax } = bounds;

/** Bounds of the status that leave nothing between them, and bounds that leave one status. */
const crossed = [
  [httpStatusMax, httpStatusMin],
  [500, 499],
  [404, 403],
] as const;
const touching = [httpStatusMin, 404, httpStatusMax] as const;

/** Reads of the feed with one bad filter each. */
export const badFilters = check({
  id: "deliveries.bad-filters",
  title: "A bad filter of the feed is refused by name, and its sound twin is not",
  rules: [
    ...(["WHL-22", "WHL-28", "WHL-32", "WHL-33", "WHL-36", "WHL-39", "WHL-40", "WHL-41", "WHL-42", "WHL-46"] as const),
  ],
  kind: "sampled",
  needs: ["key"],
  effects: ["reads"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    for (const { name, rule, sound, bad, loose } of filterValues) {
      await readPage(t, main, { [name]: sound });
      for (const value of bad) {
        const exchange = await list(t, main, { [name]: value });
        if (rule === "WHL-22") refusesPageSize(t, exchange);
        else t.refused(rule, exchange, "ValidationFailed");
        namesFilter(t, exchange, [name]);
      }
      for (const value of loose) judgeLoose(t, rule, await list(t, main, { [name]: value }), `${name} "${value}"`);
    }
    await judgeForms(t, main);
    // An endpoint that is not there need not get an empty list.
    const unknown = await list(t, main, { endpoint_id: randomUUID() });
    if (!answeredBy(unknown, "NotFound")) t.control(unknown, "reading the feed of one endpoint");
    const nearly = uuidNearMisses(randomUUID(), t.random).filter(({ arguable }) => !arguable);
    for (const endpoint_id of [...malformedIds, ...listed(randomUUID()), ...nearly.flatMap(({ values }) => values)]) {
      const exchange = await list(t, main, { endpoint_id });
      t.refused("WHL-28", exchange, "ValidationFailed");
      namesFilter(t, exchange, ["endpoint_id"]);
    }

    const range = (min: number, max: number): FeedQuery => ({
      http_status_min: String(min),
      http_status_max: String(max),
    });
    for (const status of touching) t.accepted("WHL-42", await list(t, main, range(status, status)));
    for (const bounded of [httpStatusMin, httpStatusMax].map(String)) {
      t.accepted("WHL-39", await list(t, main, { http_status_min: bounded }));
      t.accepted("WHL-39", await list(t, main, { http_status_max: bounded }));
    }
    t.accepted("WHL-39", await list(t, main, range(httpStatusMin, httpStatusMax)));
    for (const [min, max] of crossed) {
      const exchange = await list(t, main, range(min, max));
      t.refused("WHL-41", exchange, "ValidationFailed");
      namesFilter(t, exchange, ["http_status_min", "http_status_max"]);
    }
    for (const outcome of outcomes) t.accepted("WHL-32", await list(t, main, { outcome }));
  },
});

/** Texts in which an id is not alone. */
const listed = (id: string): readonly string[] => [
  `${constants.eventIdPrefix}${id}`,
  `${id},${id}`,
  `${id}%`,
  `${id.slice(0, -1)}*`,
  "null",
];

/** A value that is not written as documented is refused; a reader that takes it is only told of. */
function judgeLoose(t: CheckContext, rule: RuleId, exchange: Exchange, what: string): void {
  t.verify(rule, answeredBy(exchange, "ValidationFailed"), {
    expected: `${rowText(rowNamed("ValidationFailed"))} for ${what}`,
    admits: ["ValidationFailed"],
    actual: summaryOf(exchange),
    exchanges: [exchange],
    warnOnly: true,
  });
}

/** Whole numbers that are written in another way are refused or read as the numbers that they stand for. */
async function judgeForms(t: CheckContext, as: Credential): Promise<void> {
  for (const text of otherForms(deliveryPageDefault - 1)) {
    const page = await list(t, as, { limit: text });
    const read = metaOf(page).limit;
    t.verify("WHL-22", isInvalid(page) || (isSuccess(page) && read === deliveryPageDefault - 1), {
      expected: `a refusal of limit "${text}", or a page of ${deliveryPageDefault - 1}`,
      actual: isSuccess(page) ? `a page of ${JSON.stringify(read)}` : summaryOf(page),
      exchanges: [page],
    });
  }
  const [one, below] = [404, 403];
  for (const text of otherForms(one)) {
    const alone = await list(t, as, { http_status_min: text });
    if (isInvalid(alone)) continue;
    // How it is read shows beside another bound: crossed with one below, and not with the same.
    const crossed = await list(t, as, { http_status_min: text, http_status_max: String(below) });
    const same = await list(t, as, { http_status_min: text, http_status_max: String(one) });
    const asWritten = isSuccess(alone) && answeredBy(crossed, "ValidationFailed") && isSuccess(same);
    t.verify("WHL-40", asWritten, {
      expected: `a refusal of http_status_min "${text}", or the bound ${one}`,
      actual: `${summaryOf(alone)}; with http_status_max ${below}: ${summaryOf(crossed)}; with ${one}: ${summaryOf(same)}`,
      exchanges: [alone, crossed, same],
    });
  }
}

const isInvalid = (exchange: Exchange): boolean =>
  answeredBy(exchange, "ValidationFailed") || answeredBy(exchange, "ValidationFailed400");

/** Cursors that no server made. */
export const badCursors = check({
  id: "deliveries.bad-cursors",
  title: "A cursor that the server did not make is refused and does not give the first page",
  rules: ["WHL-26"],
  kind: "scenario",
  needs: ["key"],
  effects: ["reads"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    await readPage(t, main);
    const nobodys = randomUUID();
    const encoded = Buffer.from(JSON.stringify({ bylaw: nobodys })).toString("base64url");
    for (const cursor of [`bylaw-${nobodys}`, encoded, "%%%", "~".repeat(300)]) {
      const exchange = await list(t, main, { cursor });
      const status = statusOf(exchange) ?? 0;
      t.verify("WHL-26", status >= 400 && status <= 499 && !isSuccess(exchange), {
        expected: `a 4xx, such as ${rowText(rowNamed("ValidationFailed"))}`,
        admits: ["ValidationFailed"],
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
    }
  },
});
