import type { Choices } from "../../generated/choices.ts";
import { refuse } from "../../generated/error-rows.ts";
import type * as wire from "../../generated/models/phone-numbers.ts";
import { Refusal } from "../../generated/runtime/refusal.ts";
import { scopeNamed } from "../../generated/scopes.ts";
import type { PhoneNumbersHandlers } from "../../generated/server/phone-numbers.ts";
import { timestamp } from "../domain/clock.ts";
import type { Event } from "../domain/events/event.ts";
import { newEventId } from "../domain/events/new-event.ts";
import { type Caller, callerTime, holds } from "../domain/organizations/caller.ts";
import {
  campaignAssignedEvent,
  refuseAttached,
  refuseCampaign,
  refuseDetached,
  refuseUnassigned,
} from "../domain/phone-numbers/number-campaign.ts";
import { availableNumbers, simulatedStock, stockOf } from "../domain/phone-numbers/number-stock.ts";
import {
  bulkOrderEvent,
  numberNotFound,
  numbersOf,
  type PhoneNumber,
  refuseUncoveredRent,
  rentEntry,
  shortBulkOrder,
  shortOrder,
  updatedNumber,
} from "../domain/phone-numbers/phone-number.ts";
import { campaignNotFound } from "../domain/registration/campaign.ts";
import type { World } from "../domain/world.ts";
import { refuseFields } from "../http/refuse-fields.ts";
import type { Store } from "../store/store.ts";
import type { UnitOfWork } from "../store/unit-of-work.ts";
import { newCharge } from "./charge.ts";
import { once } from "./once.ts";

export interface PhoneNumbersParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
}

/** Numbers that a search shows at most. */
const searchSize = 20;

export function phoneNumbersHandlers({ store, world, choices }: PhoneNumbersParts): PhoneNumbersHandlers<Caller> {
  const orderMax = Number(choices.numberOrderMax);
  const shown = (number: PhoneNumber) => wireNumber(number, choices.timestampPrecision);
  const shownOrder = (numbers: readonly PhoneNumber[]): wire.PhoneNumberOrder => ({
    phone_numbers: numbers.map(shown),
  });

  /** A new order of the caller's, and an id for each of its numbers: made before the unit of work that needs them. */
  const newOrder = (caller: Caller, count: number) => ({
    order: {
      id: world.newId(),
      organizationId: caller.organization.id,
      rent: Number(choices.numberRentMicros),
      at: callerTime(caller, world.now()),
    },
    ids: Array.from({ length: count }, () => world.newId()),
  });

  /** What is known of an event of the caller's before there is one. */
  const newEvent = (caller: Caller): Pick<Event, "id" | "createdAt"> => ({
    id: newEventId(world),
    createdAt: callerTime(caller, world.now()),
  });

  async function tellOfCampaign(
    { enqueue }: UnitOfWork,
    number: PhoneNumber,
    before: string | null,
    event: Pick<Event, "id" | "createdAt">,
  ): Promise<void> {
    const told = campaignAssignedEvent(number, before, event, choices);
    if (told !== null) await enqueue(told, "subscribed");
  }

  return {
    async searchPhoneNumbers({ body }, caller) {
      const { id } = caller.organization;
      const stock = stockGiven(id, await store.numberStock(id));
      const held = (numbers: readonly string[]) => store.heldNumbers(numbers);
      return { phone_numbers: await availableNumbers(stock.numbers(body.area_code), held, searchSize) };
    },

    async orderPhoneNumbers({ body: { phone_numbers: wanted, campaign_id: campaignId } }, caller) {
      const says = faultOfOrder(wanted, orderMax);
      if (says !== null) return refuseFields([{ pointer: "/phone_numbers", says }], choices);
      const { order, ids } = newOrder(caller, wanted.length);
      const events = wanted.map(() => newEvent(caller));
      const charge = newCharge(world, choices);
      const { id } = caller.organization;
      return once({ store, now: order.at, choices }, caller, async (tx) => {
        const { phoneNumbers, ledger } = tx;
        const campaign = campaignId === undefined ? null : await campaignOf(tx, campaignId);
        if (campaign instanceof Refusal) return campaign;
        const stock = stockGiven(id, await phoneNumbers.stock());
        const held = await phoneNumbers.held(wanted);
        const unavailable = wanted.filter((number) => !stock.has(number) || held.has(number));
        if (unavailable.length > 0) return shortOrder(wanted.length - unavailable.length, unavailable);
        const uncovered = refuseUncoveredRent(await ledger.wallet(), order.rent, wanted.length);
        if (uncovered !== null) return uncovered;
        const numbers = numbersOf(order, wanted, ids, campaign);
        await phoneNumbers.insert(numbers);
        await charge(tx, rentEntry(order, numbers.length));
        for (const [index, event] of events.entries()) {
          const number = numbers[index];
          if (number !== undefined) await tellOfCampaign(tx, number, null, event);
        }
        return shownOrder(numbers);
      });
    },

    async bulkOrderPhoneNumbers({ body: { area_code: areaCode, quantity } }, caller) {
      if (quantity < 1 || quantity > orderMax)
        return refuseFields([{ pointer: "/quantity", says: `must be from 1 to ${orderMax}` }], choices);
      const { order, ids } = newOrder(caller, quantity);
      const eventId = newEventId(world);
      const charge = newCharge(world, choices);
      const { id } = caller.organization;
      return once({ store, now: order.at, choices }, caller, async (tx) => {
        const { phoneNumbers, ledger, enqueue } = tx;
        const stock = stockGiven(id, await phoneNumbers.stock());
        const found = await availableNumbers(stock.numbers(areaCode), phoneNumbers.held, quantity);
        if (found.length < quantity) return shortBulkOrder();
        const uncovered = refuseUncoveredRent(await ledger.wallet(), order.rent, quantity);
        if (uncovered !== null) return uncovered;
        const numbers = numbersOf(order, found, ids);
        await phoneNumbers.insert(numbers);
        await charge(tx, rentEntry(order, quantity));
        const event = bulkOrderEvent(order, numbers, eventId, choices);
        if (event !== null) await enqueue(event, "subscribed");
        return shownOrder(numbers);
      });
    },

    async getPhoneNumber({ path }, caller) {
      const number = await store.phoneNumber(caller.organization.id, path.id);
      return number === null ? numberNotFound() : shown(number);
    },

    async updatePhoneNumber({ path, body }, caller) {
      const event = newEvent(caller);
      return store.atomically(caller.organization.id, async (tx) => {
        const number = await tx.phoneNumbers.find(path.id);
        if (number === null) return numberNotFound();
        const { label, inbound_url: inboundUrl, status_url: statusUrl, campaign_id: wanted } = body;
        const refusal = wanted === undefined ? null : refuseUnassigned(number);
        if (refusal !== null) return refusal;
        const campaignId = typeof wanted === "string" ? await campaignOf(tx, wanted) : wanted;
        if (campaignId instanceof Refusal) return campaignId;
        const updated = updatedNumber(number, { label, inboundUrl, statusUrl, campaignId });
        await tx.phoneNumbers.update(updated);
        await tellOfCampaign(tx, updated, number.campaignId, event);
        return shown(updated);
      });
    },

    async attachCampaign({ path, body }, caller) {
      const event = newEvent(caller);
      return store.atomically(caller.organization.id, async (tx) => {
        const number = await tx.phoneNumbers.find(path.id);
        if (number === null) return numberNotFound();
        const refusal = refuseUnassigned(number);
        if (refusal !== null) return refusal;
        const campaignId = await campaignOf(tx, body.campaign_id);
        if (campaignId instanceof Refusal) return campaignId;
        const conflict = refuseAttached(number, campaignId);
        if (conflict !== null) return conflict;
        const attached = { ...number, campaignId };
        await tx.phoneNumbers.update(attached);
        await tellOfCampaign(tx, attached, number.campaignId, event);
        return shown(attached);
      });
    },

    async detachCampaign({ path }, caller) {
      return store.atomically(caller.organization.id, async ({ phoneNumbers }) => {
        const number = await phoneNumbers.find(path.id);
        if (number === null) return numberNotFound();
        const refusal = refuseUnassigned(number) ?? refuseDetached(number);
        if (refusal !== null) return refusal;
        const detached = { ...number, campaignId: null };
        await phoneNumbers.update(detached);
        return shown(detached);
      });
    },

    async releasePhoneNumber({ path, query }, caller) {
      const { return_to_carrier: toCarrier } = query;
      if (toCarrier && !holds(caller, scopeNamed.numbersRelease))
        return refuse.Forbidden(`To return a number to its carrier takes the scope ${scopeNamed.numbersRelease}.`);
      return store.atomically(caller.organization.id, async ({ phoneNumbers }) => {
        const number = await phoneNumbers.find(path.id);
        if (number === null) return numberNotFound();
        await phoneNumbers.remove(number.id);
        return shown({ ...number, status: "released" });
      });
    },
  };
}

/** The id of the campaign that numbers are to send for; or why they cannot. */
async function campaignOf({ campaigns, brands }: UnitOfWork, wanted: string) {
  const campaign = await campaigns.find(wanted.toLowerCase());
  if (campaign === null) return campaignNotFound();
  const brand = await brands.find(campaign.brandId);
  if (brand === null) throw new Error(`The campaign ${campaign.id} has no brand.`);
  return refuseCampaign(campaign, brand) ?? campaign.id;
}

/** What an organization finds: what a sandbox has set, or what this server has. */
const stockGiven = (organizationId: string, given: Awaited<ReturnType<UnitOfWork["phoneNumbers"]["stock"]>>) =>
  given === null ? simulatedStock(organizationId) : stockOf(given);

/** What is wanted of the numbers of an order (open question Q186); null when nothing is wrong with them. */
function faultOfOrder(wanted: readonly string[], most: number): string | null {
  if (wanted.length > most) return `must hold at most ${most} numbers`;
  return new Set(wanted).size < wanted.length ? "must not hold the same number twice" : null;
}

const wireNumber = (number: PhoneNumber, precision: Choices["timestampPrecision"]): wire.PhoneNumber => ({
  id: number.id,
  phone_number: number.phoneNumber,
  status: number.status,
  label: number.label,
  inbound_url: number.inboundUrl,
  status_url: number.statusUrl,
  campaign_id: number.campaignId,
  ordered_at: timestamp(number.orderedAt, precision),
});
