import type { Check } from "../../context/check.ts";
import { changedEndpointChecks } from "./changed-endpoint.ts";
import { creation, unknownSubscriptions } from "./creation.ts";
import { deletedWhileFailing } from "./deleted-while-failing.ts";
import { deletion } from "./deletion.ts";
import { concurrentEndpoints, endpointLimit, endpointLimitOwner } from "./endpoint-limit.ts";
import { endpointSecret } from "./endpoint-secret.ts";
import { exactAddresses } from "./exact-addresses.ts";
import {
  endpointSecretKept,
  organizationRotation,
  organizationSecretGrace,
  overlappingGraces,
} from "./organization-secret.ts";
import { refusedCreations } from "./refused-creations.ts";
import { rotateAnswer } from "./rotate-answer.ts";
import { signedRotation } from "./signed-rotation.ts";
import { subscriptionChecks } from "./subscriptions.ts";
import { testDelivery, testRecorded } from "./test-delivery.ts";
import { rotationNeedsScope, unrotatableIds } from "./unrotatable.ts";

/** Checks of webhook endpoints and of the secrets that sign what they are sent. */
export const webhookChecks: readonly Check[] = [
  ...[rotateAnswer, unrotatableIds, rotationNeedsScope, endpointSecret, signedRotation],
  ...[organizationRotation, organizationSecretGrace, overlappingGraces, endpointSecretKept],
  ...[creation, unknownSubscriptions, refusedCreations, endpointLimit, concurrentEndpoints, endpointLimitOwner],
  ...[deletion, testDelivery, testRecorded, exactAddresses, ...subscriptionChecks],
  ...[...changedEndpointChecks, ...deletedWhileFailing],
];
