// Written by "npx bylaw compile" from what there is to list. Do not edit.
import { brandVerification } from "./brand-verification.ts";
import { chosenTime } from "./chosen-time.ts";
import { dormantPlan } from "./dormant-plan.ts";
import { editedEndpoint } from "./edited-endpoint.ts";
import { emittedEvent } from "./emitted-event.ts";
import { finestGranularity } from "./finest-granularity.ts";
import { forcedAnswers } from "./forced-answers.ts";
import { freshOrganization } from "./fresh-organization.ts";
import { fullBucket } from "./full-bucket.ts";
import { givenRevokedKey } from "./given-revoked-key.ts";
import { inboundText } from "./inbound-text.ts";
import { key } from "./key.ts";
import { leastTopUp } from "./least-top-up.ts";
import { lifetimeSpend } from "./lifetime-spend.ts";
import { limitOverride } from "./limit-override.ts";
import { lineType } from "./line-type.ts";
import { manualClock } from "./manual-clock.ts";
import { movedCampaign } from "./moved-campaign.ts";
import { movedMessage } from "./moved-message.ts";
import { noPlan } from "./no-plan.ts";
import { numberAssignment } from "./number-assignment.ts";
import { numberStock } from "./number-stock.ts";
import { organizationKind } from "./organization-kind.ts";
import { organizationState } from "./organization-state.ts";
import { otherOrganization } from "./other-organization.ts";
import { outage } from "./outage.ts";
import { quietHours } from "./quiet-hours.ts";
import { receiver } from "./receiver.ts";
import { resellerMode } from "./reseller-mode.ts";
import { revocation } from "./revocation.ts";
import { sentCallback } from "./sent-callback.ts";
import { signedInUser } from "./signed-in-user.ts";
import { wallet } from "./wallet.ts";

/** Every arrangement of the folder, in the order in which guides tell of them. */
export const listed = [
  freshOrganization,
  fullBucket,
  key,
  manualClock,
  otherOrganization,
  receiver,
  chosenTime,
  dormantPlan,
  finestGranularity,
  leastTopUp,
  lifetimeSpend,
  limitOverride,
  noPlan,
  organizationKind,
  quietHours,
  resellerMode,
  wallet,
  brandVerification,
  editedEndpoint,
  emittedEvent,
  forcedAnswers,
  givenRevokedKey,
  inboundText,
  lineType,
  movedCampaign,
  movedMessage,
  numberAssignment,
  numberStock,
  organizationState,
  outage,
  revocation,
  sentCallback,
  signedInUser,
] as const;
