import type { Check } from "../../context/check.ts";
import { apiKeyBurst, refill } from "./api-key-burst.ts";
import { bucketOwners, readsDrawNothing, sessionsDraw } from "./bucket-owner.ts";
import { concurrentBurst, throttledWithoutEffect } from "./concurrent-burst.ts";
import { limiterChecks } from "./limiter.ts";
import { replaysApart, throttledReplays } from "./replay-bucket.ts";
import { concurrentReplays, replayBurst } from "./replay-burst.ts";
import { rotationBurst, sharedBucket } from "./shared-bucket.ts";

/** Checks of the limits. */
export const limitChecks: readonly Check[] = [
  ...[apiKeyBurst, refill, sharedBucket, rotationBurst],
  ...[...bucketOwners, sessionsDraw, readsDrawNothing, concurrentBurst, throttledWithoutEffect],
  ...[replayBurst, concurrentReplays, replaysApart, throttledReplays],
  ...limiterChecks,
];
