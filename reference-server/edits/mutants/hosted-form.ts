import { consentOf } from "../../domain/consent/hosted-form.ts";
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
