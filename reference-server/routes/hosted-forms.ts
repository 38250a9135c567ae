import type { Choices } from "../../generated/choices.ts";
import type { HostedFormsHandlers } from "../../generated/server/hosted-forms.ts";
import { timestamp } from "../domain/clock.ts";
import { hashFormToken, newFormToken, newHostedForm } from "../domain/consent/hosted-form.ts";
import { type Caller, callerTime } from "../domain/organizations/caller.ts";
import type { World } from "../domain/world.ts";
import type { Store } from "../store/store.ts";

export interface HostedFormsParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
  /** Where the page with this token is. */
  readonly addressOf: (token: string) => string;
}

export function hostedFormsHandlers({
  store,
  world,
  choices,
  addressOf,
}: HostedFormsParts): HostedFormsHandlers<Caller> {
  return {
    async createHostedForm({ body }, caller) {
      const { id: organizationId } = caller.organization;
      const { phone_number: phoneNumber, source, sender_name: senderName } = body;
      const token = newFormToken(world);
      const wish = { id: world.newId(), organizationId, phoneNumber, source, senderName };
      const form = newHostedForm({ ...wish, tokenHash: hashFormToken(token) }, callerTime(caller, world.now()));
      await store.atomically(organizationId, (tx) => tx.hostedForms.insert(form));
      return {
        id: form.id,
        phone_number: form.phoneNumber,
        url: addressOf(token),
        created_at: timestamp(form.createdAt, choices.timestampPrecision),
        expires_at: timestamp(form.expiresAt, choices.timestampPrecision),
      };
    },
  };
}
