import { constants } from "../../../generated/constants.ts";
import { eventType } from "../../../generated/events.ts";
import { check, sharedStock } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { refusesBody } from "../../steps/body-refusals.ts";
import {
  activeCampaignOf,
  assignedNumberOf,
  attachCampaign,
  attachedNumber,
  detachCampaign,
  endCampaign,
  isOnceAssigned,
  onceAssigned,
  onceItIsAssigned,
  onceReady,
  orderForCampaign,
  shownWith,
} from "../../steps/number-campaign.ts";
import {
  bulkOrderNumbers,
  callOrder,
  type HeldNumber,
  metOrder,
  releaseNumber,
  shownNumber,
  updateNumber,
} from "../../steps/phone-number.ts";
import { releasedNumber } from "../../steps/released-number.ts";
import { eventually, eventuallyByClock, isSameId } from "../../steps/settle.ts";
import { byFeed, byReceiver, forEachVantage, seenEvents } from "../../steps/vantage.ts";
import { unchanged } from "./unchanged-number.ts";

/** Decides that a number comes to show this campaign; null for none. */
async function showsCampaign(
  t: CheckContext<"NUM-51">,
  as: Credential,
  id: string,
  campaign: string | null,
  exchange: Exchange,
): Promise<void> {
  const isShown = (shown: unknown): boolean =>
    campaign === null ? shown === null || shown === undefined : isSameId(shown, campaign);
  let shown: unknown;
  await eventuallyByClock(t, as.tenant, "the campaign of a number", async () => {
    shown = (await shownNumber(t, as, id)).campaign_id;
    return isShown(shown) ? true : null;
  });
  t.verify("NUM-51", isShown(shown), {
    expected: campaign === null ? "a number without a campaign" : `a number with the campaign ${campaign}`,
    actual: `campaign_id is ${JSON.stringify(shown)}`,
    exchanges: [exchange],
  });
}

/** Campaigns that come to a number and go. */
export const attachments = check({
  id: "phone-numbers.attachments",
  title: "A campaign is attached to a number, and detached, again and again, and other numbers are left alone",
  rules: ["NUM-22", "NUM-51", "NUM-53"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["brand-verification", "campaign-move"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const [one, other] = [await assignedNumberOf(t, main), await assignedNumberOf(t, main)];
    const before = await shownNumber(t, main, other.id);
    for (const campaign of [await activeCampaignOf(t, main), await activeCampaignOf(t, main, constants.vettedBrand)]) {
      const attached = await onceReady(t, main, () => attachCampaign(t, main, one.id, campaign.id));
      t.accepted("NUM-22", attached);
      if (!isSuccess(attached)) return;
      await showsCampaign(t, main, one.id, campaign.id, attached);
      await unchanged(t, "NUM-53", { as: main, id: other.id, before }, attached);
      const detached = await onceReady(t, main, () => detachCampaign(t, main, one.id));
      t.accepted("NUM-22", detached);
      if (!isSuccess(detached)) return;
      await showsCampaign(t, main, one.id, null, detached);
    }
    const campaign = await activeCampaignOf(t, main);
    // Whether a campaign may take another's place is open, and that it has when it is said so is not.
    t.control(await onceReady(t, main, () => attachCampaign(t, main, one.id, campaign.id)), "attaching a campaign");
    const next = await activeCampaignOf(t, main);
    const replaced = await onceAssigned(t, main, () => attachCampaign(t, main, one.id, next.id));
    if (isSuccess(replaced)) await showsCampaign(t, main, one.id, next.id, replaced);
    // The numbers of a bulk order may be there, and assigned, a little later.
    const [ofBulk] = (await bulkOrderNumbers(t, main, 1)).numbers;
    if (ofBulk !== undefined && (await isOnceAssigned(t, main, ofBulk.id))) {
      const attached = await onceReady(t, main, () => attachCampaign(t, main, ofBulk.id, campaign.id));
      if (t.accepted("NUM-22", attached))
        t.accepted("NUM-22", await onceReady(t, main, () => detachCampaign(t, main, ofBulk.id)));
    }
    // Several numbers may send for one campaign: what is taken from one of them stays with the other.
    const [first, second] = [await attachedNumber(t, main, campaign.id), await attachedNumber(t, main, campaign.id)];
    const kept = await shownWith(t, main, second.id, campaign.id);
    const detached = await onceReady(t, main, () => detachCampaign(t, main, first.id));
    t.accepted("NUM-22", detached);
    await unchanged(t, "NUM-53", { as: main, id: second.id, before: kept }, detached);
    // Of one order, which they have in common, and its campaign.
    const order = metOrder(t, await orderForCampaign(t, main, campaign.id, 2));
    for (const number of order.numbers) {
      const { id } = await onceItIsAssigned(t, main, number);
      await showsCampaign(t, main, id, campaign.id, order.exchange);
    }
    const [changed, sibling] = order.numbers;
    if (changed === undefined || sibling === undefined) return;
    const ordered = await shownWith(t, main, sibling.id, campaign.id);
    const exchange = await onceAssigned(t, main, () => attachCampaign(t, main, changed.id, next.id));
    await unchanged(t, "NUM-53", { as: main, id: sibling.id, before: ordered }, exchange);
    await orderedAgain(t, main, sibling);
  },
});

/** Lets go of a number that sends for a campaign, and orders it again for none, where it can be had again. */
async function orderedAgain(t: CheckContext<"NUM-51">, as: Credential, { id, phoneNumber }: HeldNumber): Promise<void> {
  if (phoneNumber === null) return;
  const released = await onceAssigned(t, as, () => releaseNumber(t, as, id));
  if (!isSuccess(released) || isSuccess(await releasedNumber(t, as, id, released))) return;
  const exchange = await callOrder(t, as, [phoneNumber]);
  const [again] = isSuccess(exchange) ? metOrder(t, exchange).numbers : [];
  if (again !== undefined) await showsCampaign(t, as, again.id, null, exchange);
}

/** Attachments and detachments of what is so already. */
export const inEffectAlready = check({
  id: "phone-numbers.attached-already",
  title: "To attach a campaign twice, or to detach none, changes nothing",
  rules: ["NUM-50"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["brand-verification", "campaign-move"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const campaign = await activeCampaignOf(t, main);
    const free = await assignedNumberOf(t, main);
    const attached = await attachedNumber(t, main, campaign.id);
    const calls: readonly (readonly [number: { id: string }, call: (id: string) => Promise<Exchange>])[] = [
      [attached, (id) => attachCampaign(t, main, id, campaign.id)],
      [free, (id) => onceAssigned(t, main, () => detachCampaign(t, main, id))],
    ];
    for (const [{ id }, call] of calls) {
      const before = await (id === attached.id ? shownWith(t, main, id, campaign.id) : shownNumber(t, main, id));
      for (let count = 1; count <= 2; count += 1) {
        const exchange = await call(id);
        t.verify("NUM-50", isSuccess(exchange) || answeredBy(exchange, "Conflict"), {
          expected: "a success, or Conflict",
          actual: summaryOf(exchange),
          exchanges: [exchange],
        });
        await unchanged(t, "NUM-50", { as: main, id, before }, exchange);
      }
    }
  },
});

/** Decides that a number is not kept from something by a campaign; what else may be in its way only warns. */
const judgeUnhindered = (t: CheckContext<"NUM-13" | "NUM-17">, rule: "NUM-13" | "NUM-17", exchange: Exchange): void =>
  void t.verify(rule, isSuccess(exchange), {
    expected: "a success of what names no campaign",
    actual: summaryOf(exchange),
    exchanges: [exchange],
    warnOnly: !(["CampaignNotActive", "BrandNotVerified", "NumberNotAssigned"] as const).some((row) =>
      answeredBy(exchange, row),
    ),
  });

/** Campaigns that came to their end while numbers sent for them. */
export const endedCampaigns = check({
  id: "phone-numbers.ended-campaigns",
  title:
    "A campaign that has ended since numbers sent for it is let go by them, hinders them in nothing else, and is given to no other",
  rules: ["NUM-10", "NUM-11", "NUM-13", "NUM-17", "NUM-20", "NUM-21", "NUM-54"],
  inTurn: sharedStock,
  kind: "scenario",
  needs: ["brand-verification", "campaign-move"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    for (const end of ["expired", "unverified"] as const) {
      const campaign = await activeCampaignOf(t, main);
      const { id } = await attachedNumber(t, main, campaign.id);
      const ordered = await orderForCampaign(t, main, campaign.id);
      const [beside] = metOrder(t, ordered).numbers;
      const { id: other } = await assignedNumberOf(t, main);
      const { rows } = await endCampaign(t, main, campaign, end);
      const [ofOrders, ofAttachments] =
        end === "expired" ? (["NUM-10", "NUM-20"] as const) : (["NUM-11", "NUM-21"] as const);
      // That it was fit when somebody looked at it last is no matter.
      t.refused(ofOrders, await orderForCampaign(t, main, campaign.id), ...(await rows()));
      const again = await onceAssigned(t, main, () => attachCampaign(t, main, other, campaign.id));
      t.refused(ofAttachments, again, ...(await rows()));
      const updated = await onceAssigned(t, main, () => updateNumber(t, main, id, { label: "conformance" }));
      // Which labels there may be is open.
      if (!refusesBody(updated)) judgeUnhindered(t, "NUM-13", updated);
      if (beside !== undefined)
        judgeUnhindered(t, "NUM-17", await onceAssigned(t, main, () => releaseNumber(t, main, beside.id)));
      const exchange = await onceAssigned(t, main, () => detachCampaign(t, main, id));
      const isRefusedForIt = answeredBy(exchange, "CampaignNotActive") || answeredBy(exchange, "BrandNotVerified");
      // A number may have lost its campaign with that one's end.
      t.verify("NUM-54", isSuccess(exchange) || answeredBy(exchange, "Conflict"), {
        expected: "a success, or Conflict where the number has lost it already",
        actual: summaryOf(exchange),
        exchanges: [exchange],
        warnOnly: !isRefusedForIt,
      });
      if (!isSuccess(exchange)) continue;
      // Nor does it come back to a number that it was attached to while it was fit.
      const back = await onceAssigned(t, main, () => attachCampaign(t, main, id, campaign.id));
      // The number may be seen to have lost it a little later.
      if (!answeredBy(back, "Conflict")) t.refused(ofAttachments, back, ...(await rows()));
    }
  },
});

/** What an endpoint is sent of an attachment. Nothing says which operation sends which event, so it is only recorded. */
export const attachmentEvents = forEachVantage([byReceiver, byFeed], ({ watch }) =>
  check({
    id: "phone-numbers.attachment-events",
    title: "A campaign that is attached is told",
    rules: ["NUM-52"],
    inTurn: sharedStock,
    kind: "scenario",
    needs: ["key", "brand-verification", "campaign-move"],
    effects: ["creates", "spends"],
    draws: {},
    async run(t) {
      const event = eventType.phoneNumberCampaignAssigned;
      const tenant = await t.otherTenant({ clock: "manual" });
      const main = await tenant.main();
      const watched = await watch(t, main, { events: [event] });
      const campaign = await activeCampaignOf(t, main);
      await attachedNumber(t, main, campaign.id);
      const isTold = await eventually(t, tenant, async () =>
        (await seenEvents(watched)).some((one) => one.eventType === event) ? true : null,
      );
      const what = isTold === true ? "was sent" : "was not sent in time";
      t.observe("NUM-52", `${event} ${what} after a campaign was attached`);
    },
  }),
);
