import { constants } from "../../../generated/constants.ts";
import { numberAssignment } from "../../arrangements/number-assignment.ts";
import { sharedStock } from "../../context/check.ts";
import type { Credential } from "../../provision/tenant.ts";
import {
  activeCampaignOf,
  assignedNumberOf,
  attachCampaign,
  detachCampaign,
  onceReady,
  unassign,
} from "../../steps/number-campaign.ts";
import { readNumber, releaseNumber } from "../../steps/phone-number.ts";
import { releasedNumber } from "../../steps/released-number.ts";
import { walked } from "./walked.ts";

const { assignedNumber } = constants;

interface PhoneNumber {
  readonly as: Credential;
  readonly id: string;
  readonly campaignId: string;
}

/** A number from its order to its release, and a campaign that it may send for. */
export const phoneNumberStates = walked({
  entity: "phone number",
  title: "A number takes a campaign and lets go of it while it is assigned, and is not found once it is released",
  needs: ["brand-verification", "campaign-move", "number-assignment", "state"],
  effects: ["creates", "spends"],
  inTurn: sharedStock,
  starts: [{ state: assignedNumber, facts: { isAttached: false } }],
  async begin(t): Promise<PhoneNumber> {
    const as = await (await t.otherTenant({ clock: "manual" })).main();
    const campaign = await activeCampaignOf(t, as);
    return { as, id: (await assignedNumberOf(t, as)).id, campaignId: campaign.id };
  },
  calls: {
    async attachCampaign(t, { as, id, campaignId }, state) {
      const attach = () => attachCampaign(t, as, id, campaignId);
      return state === assignedNumber ? onceReady(t, as, attach) : attach();
    },
    async detachCampaign(t, { as, id }, state) {
      const detach = () => detachCampaign(t, as, id);
      return state === assignedNumber ? onceReady(t, as, detach) : detach();
    },
    getPhoneNumber: (t, { as, id }) => readNumber(t, as, id),
    async releasePhoneNumber(t, { as, id }, state) {
      const exchange = await releaseNumber(t, as, id);
      if (state === assignedNumber) await releasedNumber(t, as, id, exchange);
      return exchange;
    },
  },
  holds: {
    // To attach it once more, or to detach none, is to ask for what is so already.
    "the campaign is active, and its brand verified": ({ isAttached }) => !isAttached,
    "it has a campaign": ({ isAttached }) => isAttached,
  },
  becomes: {
    attachCampaign: () => ({ isAttached: true }),
    detachCampaign: () => ({ isAttached: false }),
  },
  left: [
    // Whether one with a campaign can be released is open.
    {
      state: assignedNumber,
      call: "releasePhoneNumber",
      where: ({ isAttached }) => isAttached,
      decidedBy: "phone-numbers.release",
    },
    // A number may lose its campaign with its assignment, and then there is none to detach either.
    { state: "not assigned", call: "detachCampaign", decidedBy: "phone-numbers.unassigned" },
  ],
  steps: {
    unassign: {
      becomes: ({ state, facts }) =>
        state === assignedNumber && !facts.isAttached ? { state: "not assigned", facts } : null,
      run: (t, { as, id }) => unassign(t, as, id),
    },
    assign: {
      becomes: ({ state, facts }) => (state === "not assigned" ? { state: assignedNumber, facts } : null),
      run: (_, { as, id }) => as.tenant.arrange(numberAssignment, { phone_number_id: id, assigned: true }),
    },
  },
});
