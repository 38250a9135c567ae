import type { Check } from "../check/check.ts";
import { badScopes } from "./api-keys/bad-scopes.ts";
import { createAnswer } from "./api-keys/create-answer.ts";
import { apiKeyBurst } from "./limits/api-key-burst.ts";
import { bucketOwner, readsDrawNothing } from "./limits/bucket-owner.ts";
import { concurrentBurst, throttledWithoutEffect } from "./limits/concurrent-burst.ts";
import { rotationBurst, sharedBucket } from "./limits/shared-bucket.ts";

/** Every check of the kit. */
export const allChecks: readonly Check[] = [
  createAnswer,
  badScopes,
  apiKeyBurst,
  sharedBucket,
  rotationBurst,
  bucketOwner,
  readsDrawNothing,
  concurrentBurst,
  throttledWithoutEffect,
];
