import type { Mutant } from "./edit.ts";
import { apiKeyMutants } from "./mutants/api-keys.ts";
import { attemptRecordMutants } from "./mutants/attempt-records.ts";
import { authenticationMutants } from "./mutants/authentication.ts";
import { badFilterMutants } from "./mutants/bad-filters.ts";
import { callersOfOneOperationMutants } from "./mutants/callers-of-one-operation.ts";
import { cornerCaseMutants } from "./mutants/corner-cases.ts";
import { credentialsElsewhereMutants } from "./mutants/credentials-elsewhere.ts";
import { deliveryHeaderMutants } from "./mutants/delivery-headers.ts";
import { endpointAccessMutants } from "./mutants/endpoint-access.ts";
import { envelopeMutants } from "./mutants/envelope.ts";
import { envelopeEverywhereMutants } from "./mutants/envelope-everywhere.ts";
import { feedAccessMutants } from "./mutants/feed-access.ts";
import { feedFilterMutants } from "./mutants/feed-filters.ts";
import { feedPageMutants } from "./mutants/feed-pages.ts";
import { keyLifeMutants } from "./mutants/key-life.ts";
import { limitMutants } from "./mutants/limits.ts";
import { lookupMutants } from "./mutants/lookups.ts";
import { oneOperationMutants } from "./mutants/one-operation.ts";
import { plausibleMutants } from "./mutants/plausible-faults.ts";
import { replayAnswerMutants } from "./mutants/replay-answers.ts";
import { replayLimitMutants } from "./mutants/replay-limits.ts";
import { replayRefusalMutants } from "./mutants/replay-refusals.ts";
import { replayMutants } from "./mutants/replays.ts";
import { retryMutants } from "./mutants/retries.ts";
import { rotationAnswerMutants } from "./mutants/rotation-answers.ts";
import { sentRequestMutants } from "./mutants/sent-requests.ts";
import { settledAttemptMutants } from "./mutants/settled-attempts.ts";
import { signatureMutants } from "./mutants/signatures.ts";
import { signingSecretMutants } from "./mutants/signing-secrets.ts";
import { tenancyMutants } from "./mutants/tenancy.ts";
import { webhookEndpointMutants } from "./mutants/webhook-endpoints.ts";

/** Servers that break one rule each. */
export const mutants: readonly Mutant[] = [
  ...envelopeMutants,
  ...envelopeEverywhereMutants,
  ...authenticationMutants,
  ...credentialsElsewhereMutants,
  ...cornerCaseMutants,
  ...oneOperationMutants,
  ...callersOfOneOperationMutants,
  ...tenancyMutants,
  ...apiKeyMutants,
  ...keyLifeMutants,
  ...limitMutants,
  ...rotationAnswerMutants,
  ...signingSecretMutants,
  ...webhookEndpointMutants,
  ...endpointAccessMutants,
  ...attemptRecordMutants,
  ...feedPageMutants,
  ...feedFilterMutants,
  ...badFilterMutants,
  ...feedAccessMutants,
  ...replayAnswerMutants,
  ...replayRefusalMutants,
  ...replayLimitMutants,
  ...replayMutants,
  ...sentRequestMutants,
  ...settledAttemptMutants,
  ...plausibleMutants,
  ...deliveryHeaderMutants,
  ...signatureMutants,
  ...retryMutants,
  ...lookupMutants,
];
