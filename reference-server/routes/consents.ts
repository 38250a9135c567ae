import type { Choices } from "../../generated/choices.ts";
import { refuse } from "../../generated/error-rows.ts";
import type * as wire from "../../generated/models/consents.ts";
import type { ConsentsHandlers } from "../../generated/server/consents.ts";
import { earliestTimestamp, timestamp } from "../domain/clock.ts";
import { type Consent, consentAfter } from "../domain/consent/consent.ts";
import { millisecondUpTo } from "../domain/instant.ts";
import { type Caller, callerTime } from "../domain/organizations/caller.ts";
import type { World } from "../domain/world.ts";
import type { Store } from "../store/store.ts";
import type { Consents } from "../store/unit-of-work.ts";

export interface ConsentParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
}

export function consentsHandlers({ store, world, choices }: ConsentParts): ConsentsHandlers<Caller> {
  const shown = (consent: Consent) => wireConsent(consent, choices.timestampPrecision);

  return {
    async captureConsent({ body }, caller) {
      const { organization } = caller;
      const consent = captured(body, organization.id, callerTime(caller, world.now()));
      if (isBeforeTime(consent)) return refuseBeforeTime(["captured_at"]);
      await store.atomically(organization.id, ({ consents }) => keep(consents, consent));
      return shown(consent);
    },

    async captureConsentBatch({ body: { records } }, caller) {
      const { id } = caller.organization;
      const now = callerTime(caller, world.now());
      const consents = records.map((record) => captured(record, id, now));
      const early = consents.flatMap((consent, index) =>
        isBeforeTime(consent) ? [`records.${index}.captured_at`] : [],
      );
      if (early.length > 0) return refuseBeforeTime(early);
      await store.atomically(id, (tx) => keepAll(tx.consents, consents));
      return { records: consents.map(shown) };
    },
  };
}

async function keep(known: Consents, consent: Consent): Promise<void> {
  await known.put(consentAfter(await known.of(consent.phoneNumber), consent));
}

/** Keeps them in their order: of two of one recipient the one that counts. */
async function keepAll(known: Consents, consents: readonly Consent[]): Promise<void> {
  const latest = new Map(await known.ofAll(consents.map(({ phoneNumber }) => phoneNumber)));
  for (const consent of consents) {
    const { phoneNumber } = consent;
    latest.set(phoneNumber, consentAfter(latest.get(phoneNumber) ?? null, consent));
  }
  await known.putAll([...latest.values()]);
}

/** An offset can put a time of the first year before it. */
const isBeforeTime = ({ capturedAt }: Consent): boolean => capturedAt < earliestTimestamp;

const refuseBeforeTime = (fields: readonly string[]) =>
  refuse.ValidationFailed(
    "The request has invalid fields.",
    Object.fromEntries(fields.map((field) => [field, "must not lie before the year 0000 in UTC"])),
  );

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
