import type { Choices } from "../../generated/choices.ts";
import { refuse } from "../../generated/error-rows.ts";
import type { ContactsHandlers } from "../../generated/server/contacts.ts";
import { timestamp } from "../domain/clock.ts";
import { isKeptWhenErased } from "../domain/consent/erasure.ts";
import { type Caller, callerTime } from "../domain/organizations/caller.ts";
import type { World } from "../domain/world.ts";
import type { Store } from "../store/store.ts";
import { cancelMessagesTo } from "./cancel-messages-to.ts";

/** E.164. */
const aNumber = /^\+[1-9]\d{1,14}$/;

/** Null when it is a phone number (open question Q124). */
const refuseNoNumber = (text: string) =>
  aNumber.test(text)
    ? null
    : refuse.ValidationFailed400("The request has invalid fields.", {
        contact_number: "must be a phone number in the form of E.164, with its plus sign",
      });

export interface ContactsParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
}

export function contactsHandlers({ store, world, choices }: ContactsParts): ContactsHandlers<Caller> {
  return {
    async eraseContact({ path: { contact_number: phoneNumber } }, caller) {
      const refusal = refuseNoNumber(phoneNumber);
      if (refusal !== null) return refusal;
      const { id } = caller.organization;
      const erasedAt = callerTime(caller, world.now());
      return store.atomically(id, async (tx) => {
        const consent = await tx.consents.of(phoneNumber);
        if (consent !== null && !isKeptWhenErased(consent)) await tx.consents.remove(phoneNumber);
        await tx.doubleOptIns.remove(phoneNumber);
        await cancelMessagesTo(phoneNumber, tx, { now: erasedAt, choices });
        await tx.hostedForms.remove(phoneNumber);
        return { phone_number: phoneNumber, erased_at: timestamp(erasedAt, choices.timestampPrecision) };
      });
    },
  };
}
