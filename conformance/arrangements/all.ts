import { chosenTime } from "./chosen-time.ts";
import { dormantPlan } from "./dormant-plan.ts";
import { editedEndpoint } from "./edited-endpoint.ts";
import { emittedEvent } from "./emitted-event.ts";
import { forcedAnswers } from "./forced-answers.ts";
import { freshOrganization, newOrganization } from "./fresh-organization.ts";
import { fullBucket } from "./full-bucket.ts";
import { givenRevokedKey } from "./given-revoked-key.ts";
import { inboundText } from "./inbound-text.ts";
import { key } from "./key.ts";
import { lifetimeSpend } from "./lifetime-spend.ts";
import { limitOverride } from "./limit-override.ts";
import { lineType } from "./line-type.ts";
import { manualClock } from "./manual-clock.ts";
import { movedMessage } from "./moved-message.ts";
import { organizationState } from "./organization-state.ts";
import { otherOrganization } from "./other-organization.ts";
import { outage } from "./outage.ts";
import { quietHours } from "./quiet-hours.ts";
import { receiver } from "./receiver.ts";
import type { HookDefinition, Requirement, SecretDefinition } from "./requirement.ts";
import { revocation } from "./revocation.ts";
import { sentCallback } from "./sent-callback.ts";
import { signedInUser } from "./signed-in-user.ts";
import { verifySignature } from "./verified-signature.ts";
import { wallet } from "./wallet.ts";

const all = [
  key,
  otherOrganization,
  revocation,
  givenRevokedKey,
  signedInUser,
  freshOrganization,
  fullBucket,
  manualClock,
  chosenTime,
  limitOverride,
  lifetimeSpend,
  wallet,
  dormantPlan,
  quietHours,
  emittedEvent,
  editedEndpoint,
  movedMessage,
  sentCallback,
  forcedAnswers,
  inboundText,
  lineType,
  organizationState,
  outage,
  receiver,
] as const;

/** What a check must be able to arrange. A target that cannot is told the cheapest way to provide it. */
export type Need = (typeof all)[number]["need"];

/** All that checks can need, in the order in which guides tell of it. */
export const requirements: readonly Requirement<Need>[] = all;

/** Those that an organization has from its creation. */
export const settings = requirements.flatMap(({ setting, ...rest }) => (setting ? [{ ...rest, setting }] : []));

/** All hooks that a target file may name. */
export const hookDefinitions: readonly HookDefinition[] = [
  ...requirements.flatMap(({ hooks = [] }) => hooks),
  verifySignature,
].map((hook) => (hook === newOrganization ? { ...hook, settings: settings.map(({ setting }) => setting) } : hook));

/** All secrets that the kit can be given, besides the key as which it calls. */
export const secretDefinitions: readonly SecretDefinition[] = requirements.flatMap(({ secret }) => secret ?? []);

const byNeed = new Map(requirements.map((one) => [one.need, one]));

/** What a check means by that name. */
export function requirementOf(need: Need): Requirement {
  const found = byNeed.get(need);
  if (found === undefined) throw new Error(`Nothing in conformance/arrangements arranges ${need}.`);
  return found;
}
