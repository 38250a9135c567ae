import type { Check } from "../context/check.ts";
import { apiKeyChecks } from "./api-keys/all.ts";
import { authenticationChecks } from "./authentication/all.ts";
import { feedChecks, replayChecks } from "./deliveries/all.ts";
import { envelopeChecks } from "./envelope/all.ts";
import { eventChecks } from "./events/all.ts";
import { limitChecks } from "./limits/all.ts";
import { lookupChecks } from "./lookups/all.ts";
import { tenancyChecks } from "./tenancy/all.ts";
import { webhookChecks } from "./webhooks/all.ts";

/** Every check of the kit. */
export const allChecks: readonly Check[] = [
  ...envelopeChecks,
  ...authenticationChecks,
  ...tenancyChecks,
  ...apiKeyChecks,
  ...limitChecks,
  ...feedChecks,
  ...replayChecks,
  ...webhookChecks,
  ...eventChecks,
  ...lookupChecks,
];
