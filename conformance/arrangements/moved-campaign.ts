import { moveCampaign } from "../../generated/client/sandbox-registration.ts";
import { constants } from "../../generated/constants.ts";
import type { CampaignMove } from "../../generated/models/sandbox-registration.ts";
import { arrangement } from "./arrangement.ts";
import { member, noMembers } from "./hook-members.ts";

/** A campaign, and where in its life it is to be. */
export interface MovedCampaign extends CampaignMove {
  readonly campaign_id: string;
}

/** A campaign that has come to some stage, and stays there. */
export const movedCampaign = arrangement({
  need: "campaign-move",
  sandboxOperation: "moveCampaign",
  does: "move a campaign on in its life",
  async sandbox({ ask, path }, { campaign_id, ...body }: MovedCampaign) {
    const at = { ...path, campaign_id };
    await ask("move a campaign on", (transport) => moveCampaign(transport, { path: at, body }));
  },
  hook: {
    definition: {
      name: "move_campaign",
      says: "Moves a campaign on to a stage of its life, past those between, and leaves it there.",
      unlocks: "numbers with campaigns that are active, and with campaigns that are not",
      input: {
        properties: {
          campaign_id: { type: "string", description: "The campaign, which has not come as far yet." },
          to: {
            type: "string",
            enum: [constants.pendingCampaign, constants.activeCampaign, constants.expiredCampaign, "rejected"],
            description: "Its status from now on; rejected: the one of a campaign that carriers rejected.",
          },
          organization_id: member.organization,
        },
      },
      answer: noMembers,
    },
    async ask(ask, moved) {
      await ask({ ...moved });
    },
  },
});
