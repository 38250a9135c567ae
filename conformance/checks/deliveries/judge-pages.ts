import { bounds } from "../../../generated/limits.ts";
import type { CheckContext } from "../../context/context.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { type Attempt, attemptOf } from "../../steps/attempt.ts";
import { metaOf, type Paging, recordsOf } from "../../steps/feed.ts";
import { lacking } from "../../steps/missing-attempts.ts";

/**
 * Decides what the pages of a feed at rest show. `attempts` are all that they should hold; `limit` is the page size that
 * was asked for, null where none was.
 */
export function judgePages(
  t: CheckContext,
  { pages, refused, endless }: Paging,
  attempts: readonly Attempt[],
  limit: number | null,
): void {
  if (refused !== null) return void t.accepted("WHL-23", refused);
  const size = limit ?? bounds.deliveryPageDefault;
  for (const page of pages) {
    const count = recordsOf(page).length;
    t.verify(limit === null ? "WHL-19" : "WHL-21", count <= size, {
      expected: `no more than ${size} records on a page`,
      actual: `${count} records`,
      exchanges: [page],
    });
    t.equal("ENV-22", "meta.limit", metaOf(page).limit, size, page);
    if (limit === null) t.equal("WHL-19", "meta.limit", metaOf(page).limit, size, page);
  }
  eachOnce(t, pages, attempts, endless);
  leadsOn(t, pages, attempts, endless);
  for (const page of pages) newestFirst(t, "WHL-18", [page]);
  if (pages.length > 1) newestFirst(t, "WHL-24", pages);
}

/** Decides whether the records of these pages, one after the other, come newest first. */
export function newestFirst(t: CheckContext, rule: "WHL-18" | "WHL-24", pages: readonly Exchange[]): void {
  const shown = pages.flatMap((page) => recordsOf(page).map((record) => ({ page, at: attemptOf(record).at })));
  // Nothing is out of order where all happened at once.
  if (new Set(shown.map(({ at }) => at)).size < 2) return;
  const index = shown.findIndex(({ at }, i) => at > (shown[i - 1]?.at ?? at));
  const [before, late] = [shown[index - 1], shown[index]];
  const broken = before !== undefined && late !== undefined;
  const text = (at: number): string => new Date(at).toISOString();
  t.verify(rule, !broken, {
    expected: "records newest first by occurred_at",
    actual: broken ? `${text(late.at)} after ${text(before.at)}` : "that",
    exchanges: broken ? [...new Set([before.page, late.page])] : [],
  });
}

/** Whether the pages hold every attempt once, and end. */
function eachOnce(t: CheckContext, pages: readonly Exchange[], attempts: readonly Attempt[], endless: boolean): void {
  const ids = pages.flatMap(recordsOf).map((record) => attemptOf(record).id);
  const seen = new Set(ids);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  const missing = attempts.find(({ id }) => !seen.has(id));
  const fault =
    twice !== undefined
      ? `${twice} twice`
      : missing !== undefined
        ? `${seen.size} of them, ${missing.id} not among them`
        : endless
          ? `a cursor after all of them, and no end after ${pages.length} pages`
          : null;
  const shown = pages.filter((page, index) => shows(page, twice) || index >= pages.length - 2).slice(0, 4);
  t.verify("WHL-23", fault === null, {
    expected: `${attempts.length} attempts, each once`,
    actual: fault ?? "those",
    exchanges: shown,
    ...(twice === undefined &&
      missing !== undefined && { at: shown.slice(-1).map((page) => lacking(page, missing.id)) }),
  });
}

const shows = (page: Exchange, id: string | undefined): boolean =>
  recordsOf(page).some((record) => attemptOf(record).id === id);

/** Whether pages that others follow have a cursor. */
function leadsOn(t: CheckContext, pages: readonly Exchange[], attempts: readonly Attempt[], endless: boolean): void {
  const seen = new Set(pages.flatMap(recordsOf).map((record) => attemptOf(record).id));
  const left = attempts.filter(({ id }) => !seen.has(id)).length;
  const broken = left > 0 && !endless;
  const last = pages.at(-1);
  if (last === undefined || (!broken && pages.length < 2)) return;
  for (const rule of ["WHL-01", "ENV-24"] as const) {
    t.verify(rule, !broken, {
      expected: "meta.next_cursor, a string, while there is a further page",
      actual: broken
        ? `${JSON.stringify(metaOf(last).next_cursor) ?? "none"} with ${left} of ${attempts.length} attempts to come`
        : "that",
      exchanges: [last],
    });
  }
}
