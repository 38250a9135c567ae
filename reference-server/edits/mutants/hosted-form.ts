import { timeOf } from "../../domain/clock.ts";
import { consentOf, type HostedForm } from "../../domain/consent/hosted-form.ts";
import type { Mutant } from "../edit.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import { mutantOf } from "./mutant.ts";

/** Servers whose hosted forms are none. */
export const hostedFormMutants: readonly Mutant[] = [
  mutantOf("CON-38", "at-once", "takes a form for its submission", [
    working(() => (tx) => ({
      hostedForms: withMembers(tx.hostedForms, {
        async insert(form) {
          await tx.hostedForms.insert(form);
          await tx.consents.put(consentOf(form, form.createdAt));
        },
      }),
    })),
  ]),
  mutantOf("CON-38", "lapsed", "takes a form that nobody has submitted in time for a submission", [
    working(({ world }) => {
      const forms = new Map<string, HostedForm>();
      const placeOf = (organizationId: string, phoneNumber: string): string => `${organizationId} ${phoneNumber}`;
      return ({ consents, hostedForms, organization }) => ({
        hostedForms: withMembers(hostedForms, {
          async insert(form) {
            forms.set(placeOf(form.organizationId, form.phoneNumber), form);
            await hostedForms.insert(form);
          },
        }),
        consents: withMembers(consents, {
          async of(phoneNumber) {
            const known = await consents.of(phoneNumber);
            const form = organization && forms.get(placeOf(organization.id, phoneNumber));
            if (known !== null || !organization || !form) return known;
            return timeOf(organization.clock, world.now()) < form.expiresAt ? known : consentOf(form, form.expiresAt);
          },
        }),
      });
    }),
  ]),
  mutantOf("CON-38", "abroad", "takes a form for a recipient in Canada for its submission", [
    working(() => (tx) => ({
      hostedForms: withMembers(tx.hostedForms, {
        async insert(form) {
          await tx.hostedForms.insert(form);
          if (form.phoneNumber.startsWith("+1416")) await tx.consents.put(consentOf(form, form.createdAt));
        },
      }),
    })),
  ]),
];
