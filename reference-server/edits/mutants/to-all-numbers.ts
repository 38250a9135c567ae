import type { PhoneNumbers } from "../../store/unit-of-work.ts";
import type { PortChange } from "../edit.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";

/** Does to all numbers of an organization what is done to one of them. */
export const toAllNumbers = (
  change: (numbers: PhoneNumbers, others: readonly string[]) => Partial<PhoneNumbers>,
): PortChange =>
  working(() => {
    const owned = new Map<string | undefined, readonly string[]>();
    return ({ organization, phoneNumbers }) => {
      const known = owned.get(organization?.id) ?? [];
      const { insert } = phoneNumbers;
      return {
        phoneNumbers: withMembers(phoneNumbers, {
          ...change(phoneNumbers, known),
          async insert(numbers) {
            await insert(numbers);
            owned.set(organization?.id, [...known, ...numbers.map(({ id }) => id)]);
          },
        }),
      };
    };
  });
