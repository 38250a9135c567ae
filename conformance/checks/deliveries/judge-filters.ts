import { isDeepStrictEqual } from "node:util";
import { bounds } from "../../../generated/limits.ts";
import type { RuleId } from "../../../generated/rules.ts";
import type { CheckContext, Evidence } from "../../context/context.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { type Attempt, attemptOf, documentedOf } from "../../steps/attempt.ts";
import {
  type AttemptRecord,
  type FeedQuery,
  followPages,
  metaOf,
  type Paging,
  queryText,
  readFeed,
  recordsOf,
} from "../../steps/feed.ts";
import { disobeyed, type Filters, leavingOut, queryOf, treatmentOf, without } from "../../steps/filter-model.ts";
import { described, lacking, missingText } from "../../steps/missing-attempts.ts";
import { newestFirst } from "./judge-pages.ts";
import type { MixedFeed } from "./mixed-feed.ts";

/** Filters, and the size of the pages on which the answer is asked for. */
export interface FilteredRead {
  readonly filters: Filters;
  readonly limit: number;
}

/** A feed at the beginning of its comparisons. */
export interface JudgedFeed extends MixedFeed {
  /** Its records then, by id. */
  readonly known: ReadonlyMap<string, AttemptRecord>;
}

/** Decides whether the feed keeps what the filters keep. */
export async function compare(
  t: CheckContext,
  rule: RuleId,
  feed: JudgedFeed,
  attempts: readonly Attempt[],
  { filters, limit }: FilteredRead,
): Promise<void> {
  const query = { ...queryOf(filters), limit: String(limit) };
  await judge(t, rule, feed, attempts, { filters, query, ...(await followPages(t, feed.owner, query)) });
}

/** What was asked for, in meaning and in writing, and what came. */
export interface Answered extends Pick<Paging, "pages" | "refused"> {
  readonly filters: Filters;
  readonly query: FeedQuery;
}

export async function judge(
  t: CheckContext,
  rule: RuleId,
  feed: JudgedFeed,
  attempts: readonly Attempt[],
  { filters, query, pages, refused }: Answered,
): Promise<void> {
  if (refused !== null) return void t.accepted(rule, refused);
  for (const page of pages) newestFirst(t, "WHL-18", [page]);
  if (pages.length > 1) newestFirst(t, "WHL-24", pages);
  await shownAlike(t, feed, pages);
  const kept = pages.flatMap(recordsOf).map(attemptOf);
  const first = feed.atRest ? differenceOf(attempts, [], kept, filters) : null;
  // Where time runs, attempts may have been added meanwhile, and a feed may show them some time after they were made.
  const added = feed.atRest && first === null ? [] : await feed.read();
  const difference = differenceOf(attempts, added, kept, filters);
  // What was seen is reported, whatever comes of asking for more.
  const fewest = difference === null ? "" : await fewestText(t, feed, attempts, { filters, query }).catch(() => "");
  const parted =
    difference === null ? "" : await partedText(t, feed, attempts, { filters, query, pages }).catch(() => "");
  const expected = `the attempts that match ${queryText(query)}`;
  const shown = difference === null ? { exchanges: pages.slice(0, 1) } : shownBy(difference, pages, filters);
  // What pages before the one that shows too much were asked with is not what is wrong.
  const sound = difference?.how === "left out" ? pages.findIndex((page) => shown.exchanges.includes(page)) : 0;
  for (const page of pages.slice(0, sound)) t.verify(rule, true, { expected, actual: "those", exchanges: [page] });
  t.verify(rule, difference === null, {
    expected,
    actual: difference === null ? "those" : `${differenceText(difference, attempts, kept, filters)}${parted}${fewest}`,
    isNarrowed: fewest !== "",
    ...shown,
  });
  if (!feed.atRest || !feed.owner.tenant.fresh || difference !== null) return;
  const totals = [...new Set(pages.map((page) => metaOf(page).total))];
  t.verify(
    "WHL-52",
    totals.every((total) => total === kept.length || total === attempts.length),
    {
      expected: `meta.total ${kept.length} under ${queryText(query)}, or ${attempts.length}, as there are so many in all`,
      actual: totals.map((each) => JSON.stringify(each) ?? "none").join(", "),
      exchanges: pages.slice(0, 1),
      question: "Q5",
    },
  );
}

/** Fewer filters with which the answer is wrong as well, and with still fewer is not; nothing where it takes all of them. */
async function fewestText(
  t: CheckContext,
  { owner, base, atRest }: JudgedFeed,
  attempts: readonly Attempt[],
  { filters, query: { limit } }: Pick<Answered, "filters" | "query">,
): Promise<string> {
  // Elsewhere attempts come and go meanwhile.
  if (!atRest) return "";
  const isWrong = async (asked: Filters): Promise<boolean> => {
    const query = { ...queryOf(asked), ...(limit === undefined ? {} : { limit }) };
    const { pages, refused } = await followPages(t, owner, query);
    return refused === null && differenceOf(attempts, [], pages.flatMap(recordsOf).map(attemptOf), asked) !== null;
  };
  let fewest = filters;
  // What had to stay beside others may not have to without them.
  for (let before: Filters | null = null; before !== fewest; ) {
    before = fewest;
    for (const name of Object.keys(before)) {
      const fewer = without(fewest, name);
      if (!Object.hasOwn(base, name) && (await isWrong(fewer))) fewest = fewer;
    }
  }
  if (fewest === filters) return "";
  if (Object.keys(fewest).length === 0) return "; wrong without any filter as well";
  return `; wrong with ${queryText(queryOf(fewest))} alone as well, and right with any of these left out`;
}

/** Of an answer on several pages, which of them show what filters leave out, and whether it is right on one; nothing of one page. */
async function partedText(
  t: CheckContext,
  { owner, atRest }: JudgedFeed,
  attempts: readonly Attempt[],
  { filters, query, pages }: Pick<Answered, "filters" | "query" | "pages">,
): Promise<string> {
  if (pages.length < 2) return "";
  const foreign = pages.map(
    (page) => recordsOf(page).filter((record) => treatmentOf(attemptOf(record), filters) === "left out").length,
  );
  const wrong = foreign.flatMap((count, index) => (count > 0 ? [index + 1] : []));
  const sum = foreign.reduce((one, other) => one + other, 0);
  const where = sum === 0 ? "" : `; ${sum} such on page ${wrong.join(", ")} of ${pages.length}`;
  if (!atRest) return where;
  const whole = await followPages(t, owner, { ...query, limit: String(bounds.deliveryPageMax) });
  const isOne = whole.refused === null && whole.pages.length === 1;
  if (!isOne) return where;
  const isWrong = differenceOf(attempts, [], whole.pages.flatMap(recordsOf).map(attemptOf), filters) !== null;
  return `${where}; ${isWrong ? "wrong" : "right"} on one page of ?limit=${bounds.deliveryPageMax}`;
}

/** Decides whether records are on these pages what they were in the feed without filters. */
async function shownAlike(
  t: CheckContext,
  { known, owner, base }: JudgedFeed,
  pages: readonly Exchange[],
): Promise<void> {
  const shown = pages.flatMap((page) => recordsOf(page).map((record) => ({ page, record, id: attemptOf(record).id })));
  const isOther = ({ id, record }: (typeof shown)[number], all: ReadonlyMap<string, AttemptRecord>): boolean => {
    const one = all.get(id);
    return one !== undefined && !isDeepStrictEqual(documentedOf(one), documentedOf(record));
  };
  let other = shown.find((each) => isOther(each, known));
  if (other !== undefined) {
    // Whether a record is written anew, as when its delivery is given up, is open.
    const { records } = await readFeed(t, owner, { query: queryOf(base) });
    const now = new Map(records.map((record) => [attemptOf(record).id, record]));
    other = shown.find((each) => isOther(each, known) && isOther(each, now));
  }
  t.verify("WHL-95", other === undefined, {
    expected: "each record as the feed shows it without filters",
    actual: other === undefined ? "that" : `${other.id} with other members: ${JSON.stringify(other.record)}`,
    exchanges: other === undefined ? [] : [other.page],
  });
}

/** An attempt that is shown although filters leave it out or the feed never had it, or that is not shown. */
interface Difference {
  readonly how: "left out" | "unknown" | "missing";
  readonly attempt: Attempt;
}

/** What an answer has too many or too few; null when neither. */
function differenceOf(
  attempts: readonly Attempt[],
  added: readonly Attempt[],
  kept: readonly Attempt[],
  filters: Filters,
): Difference | null {
  const known = new Set([...attempts, ...added].map(({ id }) => id));
  const got = new Set(kept.map(({ id }) => id));
  const differ = (how: Difference["how"], attempt: Attempt | undefined): Difference | null =>
    attempt === undefined ? null : { how, attempt };
  return (
    differ(
      "left out",
      kept.find((attempt) => treatmentOf(attempt, filters) === "left out"),
    ) ??
    differ(
      "unknown",
      kept.find(({ id }) => !known.has(id)),
    ) ??
    differ(
      "missing",
      attempts.find((attempt) => treatmentOf(attempt, filters) === "kept" && !got.has(attempt.id)),
    )
  );
}

function differenceText(
  { how, attempt }: Difference,
  attempts: readonly Attempt[],
  kept: readonly Attempt[],
  filters: Filters,
): string {
  if (how === "left out")
    return `one that does not match ${queryText(queryOf(leavingOut(attempt, filters)))}: ${described(attempt)}`;
  if (how === "unknown") return `one that the feed does not show without filters: ${described(attempt)}`;
  const got = new Set(kept.map(({ id }) => id));
  const wanted = attempts.filter((one) => treatmentOf(one, filters) === "kept");
  return missingText(wanted, ({ id }) => got.has(id), attempts, filters);
}

/** The page that shows an attempt; or the pages between which it should stand, the last of which lacks it. */
function shownBy(
  { how, attempt }: Difference,
  pages: readonly Exchange[],
  filters: Filters,
): Pick<Evidence, "exchanges" | "at"> {
  const placeOn = (page: Exchange): number =>
    recordsOf(page).findIndex((record) => attemptOf(record).id === attempt.id);
  if (how !== "missing") {
    const exchanges = pages.filter((page) => placeOn(page) >= 0).slice(0, 1);
    const wrong = how === "left out" ? leavingOut(attempt, filters) : {};
    const at = exchanges.flatMap((page) => disobeyed(page, placeOn(page), wrong));
    return at.length === 0 ? { exchanges } : { exchanges, at };
  }
  const after = pages.findIndex((page) => recordsOf(page).some((record) => attemptOf(record).at < attempt.at));
  const end = after < 0 ? pages.length : after + 1;
  const exchanges = pages.slice(Math.max(0, end - 2), end);
  return { exchanges, at: exchanges.slice(-1).map((page) => lacking(page, described(attempt))) };
}
