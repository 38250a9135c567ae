import type { Check } from "../../context/check.ts";
import { attemptRecords } from "./attempt-records.ts";
import { attemptTime } from "./attempt-time.ts";
import { badCursors, badFilters } from "./bad-filters.ts";
import { badReplays, replayNeedsScope } from "./bad-replays.ts";
import { eventTypeFilter } from "./event-type-filter.ts";
import { failingReplayChecks } from "./failing-replay.ts";
import { feedFilters, receivedFilters } from "./feed-filters.ts";
import { feedIsolation } from "./feed-isolation.ts";
import { feedList } from "./feed-list.ts";
import { feedPages } from "./feed-pages.ts";
import { feedNeedsScope } from "./feed-scopes.ts";
import { growingFeed } from "./growing-feed.ts";
import { invalidFilters } from "./invalid-filters.ts";
import { invalidReplays } from "./invalid-replays.ts";
import { listWhileThrottled } from "./list-while-throttled.ts";
import { nearCursors, nearEndpoints } from "./near-filters.ts";
import { receivedAttempts } from "./received-attempts.ts";
import { replayAnswer } from "./replay-answer.ts";
import { replayDelivery } from "./replay-delivery.ts";
import { replayExpiry } from "./replay-expiry.ts";
import { replayOfReplay } from "./replay-of-replay.ts";
import { replayOutcomes, replayReceivedOutcomes } from "./replay-outcomes.ts";
import { replayRecord } from "./replay-record.ts";
import { replayTime } from "./replay-time.ts";
import { replayUnsubscribed } from "./replay-unsubscribed.ts";
import { refusedAttempts, retriedAttempts } from "./retried-attempts.ts";
import { richReasons } from "./rich-reasons.ts";
import { unthrottledReads } from "./unthrottled-reads.ts";

/** Checks of the feed of delivery attempts. */
export const feedChecks: readonly Check[] = [
  ...[feedList, feedNeedsScope, unthrottledReads, listWhileThrottled],
  ...[badFilters, badCursors, nearCursors, nearEndpoints, eventTypeFilter, invalidFilters],
  ...[attemptRecords, attemptTime, retriedAttempts, refusedAttempts, receivedAttempts],
  ...[feedFilters, receivedFilters, feedPages, growingFeed, feedIsolation],
];

/** Checks of replays; those of their limit are among the checks of limits. */
export const replayChecks: readonly Check[] = [
  ...[replayAnswer, replayTime, badReplays, invalidReplays, replayNeedsScope, richReasons],
  ...[replayRecord, replayOfReplay, replayDelivery, ...replayUnsubscribed],
  ...[replayOutcomes, replayReceivedOutcomes, ...failingReplayChecks, replayExpiry],
];
