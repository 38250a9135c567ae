import { bounds } from "../../../generated/limits.ts";
import type { CheckContext } from "../../check/context.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { type Attempt, attemptOf } from "./attempt.ts";
import { metaOf, type Paging, recordsOf } from "./feed.ts";

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
  }
  eachOnce(t, pages, attempts, endless);
  leadsOn(t, pages, attempts, endless);
  for (const [index, page] of pages.entries()) {
    const [before, after] = [pages[index - 1], recordsOf(page)[0]];
    const last = before && recordsOf(before).at(-1);
    if (before && last && after) newestFirst(t, "WHL-24", [last, after].map(attemptOf), [before, page]);
  }
}

/** Decides whether attempts come newest first. */
export function newestFirst(
  t: CheckContext,
  rule: "WHL-18" | "WHL-24",
  attempts: readonly Attempt[],
  exchanges: readonly Exchange[],
): void {
  const index = attempts.findIndex(({ at }, i) => at > (attempts[i - 1]?.at ?? at));
  const [before, late] = [attempts[index - 1], attempts[index]];
  const text = (attempt: Attempt | undefined): string => new Date(attempt?.at ?? 0).toISOString();
  t.verify(rule, index < 0, {
    expected: "records newest first by occurred_at",
    actual: index < 0 ? "that" : `${text(late)} after ${text(before)}`,
    exchanges,
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
  t.verify("WHL-23", fault === null, {
    expected: `${attempts.length} attempts, each once`,
    actual: fault ?? "those",
    exchanges: pages.filter((page, index) => shows(page, twice) || index >= pages.length - 2).slice(0, 4),
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
