import type * as wire from "../../generated/models/organization-settings.ts";
import type { OrganizationSettingsHandlers } from "../../generated/server/organization-settings.ts";
import type { Caller } from "../domain/organizations/caller.ts";
import type { Organization } from "../domain/organizations/organization.ts";
import { refuseResellerMode } from "../domain/organizations/reseller-mode.ts";
import type { Store } from "../store/store.ts";

export function organizationSettingsHandlers({
  store,
}: {
  readonly store: Store;
}): OrganizationSettingsHandlers<Caller> {
  return {
    async updateOrganization({ body: { is_reseller: wanted } }, caller) {
      return store.atomically(caller.organization.id, async (tx) => {
        const organization = tx.organization ?? caller.organization;
        if (wanted === undefined) return wireOrganization(organization);
        const refusal = refuseResellerMode(organization, wanted, await tx.brands.count());
        if (refusal !== null) return refusal;
        if (wanted !== organization.isReseller) await tx.setReseller(wanted);
        return wireOrganization({ ...organization, isReseller: wanted });
      });
    },
  };
}

const wireOrganization = ({ id, kind, isReseller }: Organization): wire.OwnOrganization => ({
  id,
  kind,
  is_reseller: isReseller,
});
