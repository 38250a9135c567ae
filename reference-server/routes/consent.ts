import type { Choices } from "../../generated/choices.ts";
import { refuse } from "../../generated/error-rows.ts";
import type * as wire from "../../generated/models/consents.ts";
import type { ConsentsHandlers } from "../../generated/server/consents.ts";
import { earliestTimestamp, timestamp } from "../domain/clock.ts";
import { type Consent, consentAfter } from "../domain/consent/consent.ts";
import { refuseDormantPlan } from "../domain/consent/plan-floor.ts";
import { millisecondUpTo } from "../domain/instant.ts";
import { type Caller, callerTime } from "../domain/organizations/caller.ts";
import type { World } from "../domain/world.ts";
import type { Store } from "../store/store.ts";

export interface ConsentParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
}

export function consentHandlers({ store, world, choices }: ConsentParts): ConsentsHandlers<Caller> {
  return {
    async captureConsent({ body }, caller) {
      const { organization } = caller;
      const refusal = refuseDormantPlan(organization);
      if (refusal !== null) return refusal;
      const consent = captured(body, organization.id, callerTime(caller, world.now()));
      if (consent.capturedAt < earliestTimestamp) return refuseBeforeTime();
      await store.atomically(organization.id, async (tx) => {
        await tx.consents.put(consentAfter(await tx.consents.of(consent.phoneNumber), consent));
      });
      return wireConsent(consent, choices.timestampPrecision);
    },
  };
}

/** An offset can put a time of the first year before it. */
const refuseBeforeTime = () =>
  refuse.ValidationFailed("The request has invalid fields.", {
    captured_at: "must not lie before the year 0000 in UTC",
  });

/** What the request tells. A consent that is yet to come would outlive an opt-out, so it counts as given now. */
function captured(
  { phone_number: phoneNumber, source, captured_at: at }: wire.CaptureConsentRequest,
  organizationId: string,
  now: number,
): Consent {
  const capturedAt = at === undefined ? now : Math.min(millisecondUpTo(at), now);
  return { organizationId, phoneNumber, state: "opted-in", source, capturedAt };
}

const wireConsent = (consent: Consent, precision: Choices["timestampPrecision"]): wire.Consent => ({
  phone_number: consent.phoneNumber,
  source: consent.source,
  captured_at: timestamp(consent.capturedAt, precision),
});
