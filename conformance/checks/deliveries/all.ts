import type { Check } from "../../check/check.ts";
import { attemptRecords } from "./attempt-records.ts";
import { badCursors, badFilters } from "./bad-filters.ts";
import { eventTypeFilter } from "./event-type-filter.ts";
import { feedFilters, receivedFilters } from "./feed-filters.ts";
import { feedList } from "./feed-list.ts";
import { feedPages } from "./feed-pages.ts";
import { feedNeedsScope } from "./feed-scopes.ts";
import { growingFeed } from "./growing-feed.ts";
import { invalidFilters } from "./invalid-filters.ts";
import { listWhileThrottled } from "./list-while-throttled.ts";
import { receivedAttempts } from "./received-attempts.ts";
import { retriedAttempts } from "./retried-attempts.ts";
import { unthrottledReads } from "./unthrottled-reads.ts";

/** Checks of the feed of delivery attempts. */
export const feedChecks: readonly Check[] = [
  ...[feedList, feedNeedsScope, unthrottledReads, listWhileThrottled],
  ...[badFilters, badCursors, eventTypeFilter, invalidFilters],
  ...[attemptRecords, retriedAttempts, receivedAttempts],
  ...[feedFilters, receivedFilters, feedPages, growingFeed],
];
