import { callBrand, coveredBrand } from "../../steps/brand.ts";
import { callReseller } from "../../steps/reseller-mode.ts";
import type { Situation } from "./machine.ts";
import { walked } from "./walked.ts";

/** Brands that an organization has at most, where each costs something. */
const mostBrands = 3;

interface Facts {
  readonly kind: "commercial" | "personal";
  readonly brands: number;
}

const starts: readonly Situation<Facts>[] = [
  { state: "on", facts: { kind: "commercial", brands: 0 } },
  { state: "off", facts: { kind: "commercial", brands: 0 } },
  { state: "off", facts: { kind: "personal", brands: 0 } },
];

/** Reseller mode of an organization, and its brands. */
export const resellerModeStates = walked({
  entity: "reseller mode",
  title: "Whatever was done before, reseller mode can be turned on by a commercial organization and off without brands",
  needs: ["reseller-mode", "organization-kind", "state"],
  effects: ["creates", "spends"],
  starts,
  async begin(t, { state, facts: { kind } }) {
    const tenant = await t.otherTenant({ clock: "manual", is_reseller: state === "on", kind });
    return { as: await tenant.main() };
  },
  calls: {
    "updateOrganization to turn it on": (t, { as }) => callReseller(t, as, true),
    "updateOrganization to turn it off": (t, { as }) => callReseller(t, as, false),
    createBrand: async (t, { as }) => coveredBrand(await callBrand(t, as)),
  },
  holds: {
    "the organization is commercial": ({ kind }) => kind === "commercial",
    "the organization is not commercial": ({ kind }) => kind !== "commercial",
    "no brand exists": ({ brands }) => brands === 0,
    "a brand exists": ({ brands }) => brands > 0,
  },
  becomes: { createBrand: ({ kind, brands }) => ({ kind, brands: brands + 1 }) },
  within: ({ brands }) => brands <= mostBrands,
  steps: {},
  idle: ["updateOrganization to turn it on", "updateOrganization to turn it off"],
});
