import type { Check } from "../../check/check.ts";
import { apiKeyBurst } from "./api-key-burst.ts";
import { bucketOwner, readsDrawNothing } from "./bucket-owner.ts";
import { concurrentBurst, throttledWithoutEffect } from "./concurrent-burst.ts";
import { rotationBurst, sharedBucket } from "./shared-bucket.ts";

/** Checks of the limits. */
export const limitChecks: readonly Check[] = [
  ...[apiKeyBurst, sharedBucket, rotationBurst],
  ...[bucketOwner, readsDrawNothing, concurrentBurst, throttledWithoutEffect],
];
