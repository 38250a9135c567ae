import type { Check } from "../../context/check.ts";
import { answer, reading } from "./answer.ts";
import { charge, failure, uncovered } from "./charges.ts";
import { completedEventChecks } from "./completed-event.ts";
import { lookupLife } from "./lookup-life.ts";
import { regionCharge, regions } from "./regions.ts";
import { concurrentRetries, foreignKeys, retry, retryAfterFailure, retryCharge } from "./retries.ts";

/** Checks of lookups, of what they cost and of what retries get. */
export const lookupChecks: readonly Check[] = [
  ...[answer, reading, regions, regionCharge, charge, uncovered, failure],
  ...[retry, retryCharge, retryAfterFailure, concurrentRetries, foreignKeys, lookupLife],
  ...completedEventChecks,
];
