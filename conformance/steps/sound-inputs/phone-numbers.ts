import type { CheckContext } from "../../context/context.ts";
import type { Credential, Tenant } from "../../provision/tenant.ts";
import type { SoundInputs } from "../input-maker.ts";
import {
  type ActiveCampaign,
  activeCampaignOf,
  assignedNumberOf,
  attachBody,
  attachedNumber,
} from "../number-campaign.ts";
import {
  areaWithNumbers,
  availableNumbers,
  bulkBody,
  orderBody,
  orderNumber,
  soundSearchBody,
} from "../phone-number.ts";

export const soundInputs: SoundInputs<"phone-numbers"> = {
  searchPhoneNumbers: {
    make: async (t, tenant) => ({ body: await soundSearchBody(t, await tenant.main()) }),
  },
  orderPhoneNumbers: {
    effects: ["spends"],
    make: async (t, tenant) => ({ body: orderBody(t, await availableNumbers(t, await tenant.main(), 1)) }),
  },
  bulkOrderPhoneNumbers: {
    effects: ["spends"],
    make: async (t, tenant) => ({
      body: bulkBody(t, { areaCode: await areaWithNumbers(t, await tenant.main()), quantity: 1 }),
    }),
  },
  getPhoneNumber: {
    effects: ["spends"],
    make: async (t, tenant) => ({ path: { id: (await orderNumber(t, await tenant.main())).id } }),
  },
  updatePhoneNumber: {
    effects: ["spends"],
    make: async (t, tenant) => ({
      path: { id: (await orderNumber(t, await tenant.main())).id },
      body: { label: "conformance" },
    }),
    // The number is new, so that each value is another one than before.
    makeWide: async (t, tenant) => ({
      path: { id: (await orderNumber(t, await tenant.main())).id },
      body: {
        label: "conformance",
        inbound_url: "https://receiver.example.com/inbound",
        status_url: "https://receiver.example.com/status",
      },
    }),
  },
  releasePhoneNumber: {
    effects: ["spends"],
    make: async (t, tenant) => ({ path: { id: (await orderNumber(t, await tenant.main())).id } }),
  },
  attachCampaign: {
    effects: ["spends"],
    async make(t, tenant) {
      const main = await tenant.main();
      const { id } = await assignedNumberOf(t, main);
      return { path: { id }, body: attachBody(t, (await campaignIn(t, main)).id) };
    },
  },
  detachCampaign: {
    effects: ["spends"],
    async make(t, tenant) {
      const main = await tenant.main();
      return { path: { id: (await attachedNumber(t, main, (await campaignIn(t, main)).id)).id } };
    },
  },
};

/** Active campaigns that checks have registered, by their organization. */
const active = new WeakMap<CheckContext, Map<Tenant, ActiveCampaign>>();

/** The active campaign of a check: one that numbers can send for, however many. */
async function campaignIn(t: CheckContext, as: Credential): Promise<ActiveCampaign> {
  const known = active.get(t) ?? new Map<Tenant, ActiveCampaign>();
  active.set(t, known);
  const campaign = known.get(as.tenant) ?? (await activeCampaignOf(t, as));
  known.set(as.tenant, campaign);
  return campaign;
}
