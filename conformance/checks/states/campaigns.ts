import { constants } from "../../../generated/constants.ts";
import { sharedStock } from "../../context/check.ts";
import type { Credential } from "../../provision/tenant.ts";
import { moveCampaignTo, registerCampaign } from "../../steps/campaign.ts";
import {
  assignedNumberOf,
  attachCampaign,
  detachCampaign,
  onceAssigned,
  onceReady,
  orderForCampaign,
} from "../../steps/number-campaign.ts";
import { walked } from "./walked.ts";

const { pendingCampaign, activeCampaign, expiredCampaign } = constants;

interface Campaign {
  readonly as: Credential;
  readonly id: string;
  readonly numberId: string;
}

/** A campaign of a verified brand, and a number that may send for it. */
export const campaignStates = walked({
  entity: "campaign",
  title: "A campaign can be attached to a number, and ordered for, while it is active and at no other time",
  needs: ["brand-verification", "campaign-move", "state"],
  effects: ["creates", "spends"],
  inTurn: sharedStock,
  starts: [{ state: pendingCampaign, facts: { isAttached: false, orders: 0 } }],
  async begin(t): Promise<Campaign> {
    const as = await (await t.otherTenant({ clock: "manual" })).main();
    const { id } = await registerCampaign(t, as);
    await moveCampaignTo(t, as, id, pendingCampaign);
    return { as, id, numberId: (await assignedNumberOf(t, as)).id };
  },
  calls: {
    attachCampaign: (t, { as, id, numberId }, state) =>
      (state === activeCampaign ? onceReady : onceAssigned)(t, as, () => attachCampaign(t, as, numberId, id)),
    orderPhoneNumbers: (t, { as, id }) => orderForCampaign(t, as, id),
  },
  holds: {
    // To attach it once more is to ask for what is so already.
    "its brand is verified, and the number assigned": ({ isAttached }) => !isAttached,
    "its brand is verified, and the stock covers the order": () => true,
  },
  becomes: {
    attachCampaign: (facts) => ({ ...facts, isAttached: true }),
    orderPhoneNumbers: (facts) => ({ ...facts, orders: facts.orders + 1 }),
  },
  within: ({ orders }) => orders <= 1,
  steps: {
    activate: {
      becomes: ({ state, facts }) => (state === pendingCampaign ? { state: activeCampaign, facts } : null),
      run: (t, { as, id }) => moveCampaignTo(t, as, id, activeCampaign),
    },
    // What becomes of numbers whose campaign ends is open.
    expire: {
      becomes: ({ state, facts }) =>
        state === activeCampaign && !facts.isAttached && facts.orders === 0 ? { state: expiredCampaign, facts } : null,
      run: (t, { as, id }) => moveCampaignTo(t, as, id, expiredCampaign),
    },
    detach: {
      becomes: ({ state, facts }) => (facts.isAttached ? { state, facts: { ...facts, isAttached: false } } : null),
      async run(t, { as, numberId }) {
        t.control(await onceReady(t, as, () => detachCampaign(t, as, numberId)), "detaching a campaign");
      },
    },
  },
});
