import { randomUUID } from "node:crypto";
import { check, sharedStock } from "../../context/check.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import { bodyRefusals } from "../../steps/body-refusals.ts";
import { moveCampaignTo, registerCampaign } from "../../steps/campaign.ts";
import { watchingEffects } from "../../steps/effect-of.ts";
import {
  activeCampaignOf,
  assignedNumberOf,
  attachCampaign,
  attachedNumber,
  detachCampaign,
  onceAssigned,
  onceReady,
  orderForCampaign,
  shownWith,
  unassign,
  unfitCampaigns,
} from "../../steps/number-campaign.ts";
import { releaseNumber, shownNumber, updateNumber } from "../../steps/phone-number.ts";
import { releasedNumber } from "../../steps/released-number.ts";
import { isSameId } from "../../steps/settle.ts";
import { refusedUnchanged } from "./unchanged-number.ts";

/** Campaigns that cannot be attached. */
export const unfitAttachments = check({
  id: "phone-numbers.unfit-attachments",
  title: "A campaign that is not active, is not there, or whose brand is not verified, is attached to no number",
  rules: ["NUM-20", "NUM-21", "NUM-56"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["brand-verification", "campaign-move"],
  effects: ["creates", "spends"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const main = await (await t.tenant({ clock: "manual" })).main();
    await attachedNumber(t, main, (await activeCampaignOf(t, main)).id);
    const { id } = await assignedNumberOf(t, main);
    const attach = (campaign: string) => (): Promise<Exchange> =>
      onceAssigned(t, main, () => attachCampaign(t, main, id, campaign));
    for (const { id: campaign, row, rows } of await unfitCampaigns(t, main)) {
      const rule = row === "BrandNotVerified" ? "NUM-21" : "NUM-20";
      await refusedUnchanged(t, rule, effectOf, { as: main, id, rows }, attach(campaign));
    }
    await refusedUnchanged(
      t,
      "NUM-56",
      effectOf,
      { as: main, id, rows: async () => ["NotFound", ...bodyRefusals] as const },
      attach(randomUUID()),
    );
  }),
});

/** Campaigns that carriers rejected: which refusal tells of them is open, as is the status that they have. */
export const rejectedCampaigns = check({
  id: "phone-numbers.rejected-campaigns",
  title: "A campaign that carriers rejected is neither attached nor ordered for",
  rules: ["NUM-58"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["brand-verification", "campaign-move"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const sound = await activeCampaignOf(t, main);
    const sending = await attachedNumber(t, main, sound.id);
    const showsCampaigns = isSameId((await shownWith(t, main, sending.id, sound.id)).campaign_id, sound.id);
    const { id } = await assignedNumberOf(t, main);
    t.control(await orderForCampaign(t, main, sound.id), "ordering a number with an active campaign");
    const { id: rejected } = await registerCampaign(t, main);
    await moveCampaignTo(t, main, rejected, "rejected");

    const attached = await onceAssigned(t, main, () => attachCampaign(t, main, id, rejected));
    // What is answered with a success may still come to nothing.
    const { campaign_id } = isSuccess(attached)
      ? await shownWith(t, main, id, rejected)
      : await shownNumber(t, main, id);
    t.verify("NUM-58", !isSameId(campaign_id, rejected), {
      expected: "a number that does not come to send for a campaign that carriers rejected",
      actual: `${summaryOf(attached)}, and the number shows that campaign`,
      exchanges: [attached],
    });
    const ordered = await orderForCampaign(t, main, rejected);
    t.verify("NUM-58", !isSuccess(ordered), {
      expected: "an order with a campaign that carriers rejected to be refused",
      actual: summaryOf(ordered),
      exchanges: [ordered],
    });
    if (isSuccess(attached) && !showsCampaigns)
      throw new Blocked(
        "a campaign that carriers rejected was attached with success, and no number shows its campaign",
        "say where a number shows its campaign: shapes of getPhoneNumber in the target file",
      );
  },
});

/** Numbers that are in another state than assigned. */
export const unassignedNumbers = check({
  id: "phone-numbers.unassigned",
  title: "No campaign is attached to a number that is not assigned, nor detached from it",
  rules: ["NUM-18", "NUM-19", "NUM-55"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["brand-verification", "campaign-move", "number-assignment"],
  effects: ["creates", "spends"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const campaign = await activeCampaignOf(t, main);
    const sound = await attachedNumber(t, main, campaign.id);
    t.control(await onceReady(t, main, () => detachCampaign(t, main, sound.id)), "detaching a campaign");
    const [free, attached] = [await assignedNumberOf(t, main), await attachedNumber(t, main, campaign.id)];
    // It may take a while: what is attached at last is not to come while its number is looked at.
    await shownWith(t, main, attached.id, campaign.id);
    for (const { id } of [free, attached]) await unassign(t, main, id);

    const unassigned = { as: main, id: free.id, rows: async () => ["NumberNotAssigned"] as const };
    await refusedUnchanged(t, "NUM-18", effectOf, unassigned, () => attachCampaign(t, main, free.id, campaign.id));
    await refusedUnchanged(t, "NUM-55", effectOf, unassigned, () =>
      updateNumber(t, main, free.id, { label: "conformance", campaign_id: campaign.id }),
    );

    // A number may lose its campaign with its assignment: then there is none to detach either.
    const { campaign_id: kept } = await shownNumber(t, main, attached.id);
    if (typeof kept !== "string" && isSuccess(await detachCampaign(t, main, attached.id)))
      throw new Blocked(
        "a number that is not assigned sends for no campaign here, and to detach none is a success",
        "nothing: the contract leaves both open (Q107, Q111)",
      );
    const rows = ["NumberNotAssigned", ...(typeof kept === "string" ? [] : (["Conflict"] as const))] as const;
    await refusedUnchanged(t, "NUM-19", effectOf, { as: main, id: attached.id, rows: async () => rows }, () =>
      detachCampaign(t, main, attached.id),
    );
  }),
});

/** Numbers that are gone. */
export const releasedNumbers = check({
  id: "phone-numbers.released-attachments",
  title: "No campaign is attached to a number that was released, nor detached from it",
  rules: ["TEN-14"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["brand-verification", "campaign-move"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const campaign = await activeCampaignOf(t, main);
    const { id } = await attachedNumber(t, main, campaign.id);
    await releasedNumber(t, main, id, t.control(await releaseNumber(t, main, id), "releasing a number"));
    for (const exchange of [
      await attachCampaign(t, main, id, campaign.id),
      await detachCampaign(t, main, id),
      await attachCampaign(t, main, id, campaign.id),
    ])
      t.refused("TEN-14", exchange, "NotFound");
  },
});
