import { constants } from "../../generated/constants.ts";
import { timeOf } from "../domain/clock.ts";
import type { Organization } from "../domain/organizations/organization.ts";
import type { PhoneNumber } from "../domain/phone-numbers/phone-number.ts";
import type { PortChange } from "./edit.ts";
import { storing, together } from "./port-changes.ts";
import { withMembers } from "./ports.ts";
import { working } from "./unit-changes.ts";

/** Has the numbers of an order be pending for so many milliseconds of their organization's time. */
export const assigningByClock = (after: number): PortChange => ({
  ports(ports) {
    const isPending = ({ orderedAt }: PhoneNumber, organization: Organization | null): boolean =>
      organization !== null && timeOf(organization.clock, ports.world.now()) < orderedAt + after;
    const asItIs = (number: PhoneNumber | null, organization: Organization | null): PhoneNumber | null =>
      number !== null && isPending(number, organization) ? { ...number, status: "pending" } : number;
    return together(
      storing((store) => ({
        async phoneNumber(organizationId, id) {
          return asItIs(await store.phoneNumber(organizationId, id), await store.organization(organizationId));
        },
      })),
      working(() => ({ phoneNumbers, organization }) => ({
        phoneNumbers: withMembers(phoneNumbers, {
          find: async (id) => asItIs(await phoneNumbers.find(id), organization),
          // What is pending for a while only is not to be kept so.
          update: (number) =>
            phoneNumbers.update(
              isPending(number, organization) ? { ...number, status: constants.assignedNumber } : number,
            ),
        }),
      })),
    ).ports(ports);
  },
});
