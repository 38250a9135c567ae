import type { Check } from "../../context/check.ts";
import { afterRevocation, lastingKey, revocationOfOne } from "./after-revocation.ts";
import { afterRotation } from "./after-rotation.ts";
import { badScopes } from "./bad-scopes.ts";
import { concurrentCreations } from "./concurrent-creations.ts";
import { concurrentRotations } from "./concurrent-rotations.ts";
import { createAnswer } from "./create-answer.ts";
import { creationNeedsScope, grantsDocumentedScopes, grantsNoMore, grantsOwnScopes } from "./granting.ts";
import { invalidCreations } from "./invalid-creations.ts";
import { keyLife } from "./key-life.ts";
import { lastUse } from "./last-use.ts";
import { laterUse } from "./later-use.ts";
import { malformedRotations } from "./malformed-rotations.ts";
import { nearMissScopes } from "./near-miss-scopes.ts";
import { oddLabels } from "./odd-labels.ts";
import { readBack } from "./read-back.ts";
import { richLabels } from "./rich-labels.ts";
import { rotation } from "./rotation.ts";
import { unheldScopes } from "./unheld-scopes.ts";
import { readingNeedsScope, revokedKeyRead } from "./unreadable.ts";
import { unreadableIds } from "./unreadable-ids.ts";
import { validCreations } from "./valid-creations.ts";
import { wrongTypes } from "./wrong-types.ts";

/** Checks of the operations on API keys. */
export const apiKeyChecks: readonly Check[] = [
  ...[createAnswer, readBack, lastUse, rotation, revokedKeyRead, afterRotation, revocationOfOne, ...afterRevocation],
  ...[badScopes, nearMissScopes, wrongTypes, unreadableIds],
  ...[grantsDocumentedScopes, grantsOwnScopes, grantsNoMore, creationNeedsScope, readingNeedsScope],
  ...[validCreations, invalidCreations, keyLife, richLabels, concurrentCreations, concurrentRotations],
  ...[unheldScopes, laterUse, lastingKey, malformedRotations, oddLabels],
];
