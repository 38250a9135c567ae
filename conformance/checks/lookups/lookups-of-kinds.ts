import { type Check, check } from "../../context/check.ts";
import { balanceOf, balanceOnce, makeLookup } from "../../steps/lookup.ts";
import { organizationKinds } from "../../steps/organization-kinds.ts";

/** Charges of lookups for each kind of organization. */
export const lookupsOfKinds: readonly Check[] = organizationKinds.map(({ id, what, needs, wish }) =>
  check({
    id: `lookups.charge-of.${id}`,
    title: `A successful lookup is charged to ${what}`,
    rules: ["LKP-05"],
    kind: "scenario",
    needs: ["state", ...needs],
    effects: ["creates", "spends"],
    draws: {},
    async run(t) {
      const tenant = await t.otherTenant({ clock: "manual", ...wish });
      const before = await balanceOf(tenant);
      const { exchange } = await makeLookup(t, await tenant.main());
      const after = await balanceOnce(t, tenant, (balance) => balance < before);
      t.verify("LKP-05", after < before, {
        expected: `less in the wallet of ${what} after a lookup than before`,
        actual: `${after} after ${before} millionths of a US dollar`,
        exchanges: [exchange],
      });
    },
  }),
);
