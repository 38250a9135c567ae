import type { Choices } from "../../../generated/choices.ts";
import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { eventType } from "../../../generated/events.ts";
import type { Event } from "../events/event.ts";
import type { LedgerEntry, Wallet } from "../wallet/wallet.ts";

/** Where a number is in its life. */
export const numberStatuses = ["pending", constants.assignedNumber, "released"] as const;
export type NumberStatus = (typeof numberStatuses)[number];

export const isNumberStatus = (text: string): text is NumberStatus => numberStatuses.some((status) => status === text);

/** A number that an organization holds. */
export interface PhoneNumber {
  readonly id: string;
  readonly organizationId: string;
  /** E.164. Nobody else holds it. */
  readonly phoneNumber: string;
  readonly status: NumberStatus;
  readonly label: string | null;
  /** Where the platform tells of messages that come in, and what became of those that were sent. */
  readonly inboundUrl: string | null;
  readonly statusUrl: string | null;
  readonly campaignId: string | null;
  /** Milliseconds since 1970. */
  readonly orderedAt: number;
}

/** An order of so many numbers, at a first month's rent for each in millionths of a US dollar. */
export interface NumberOrder {
  readonly id: string;
  readonly organizationId: string;
  readonly rent: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The numbers that an order assigns. */
export const numbersOf = (
  order: NumberOrder,
  phoneNumbers: readonly string[],
  ids: readonly string[],
  campaignId: string | null = null,
): readonly PhoneNumber[] =>
  phoneNumbers.map((phoneNumber, index) => {
    const id = ids[index];
    if (id === undefined) throw new Error("An order has an id for each of its numbers.");
    return {
      ...{ id, organizationId: order.organizationId, phoneNumber, status: constants.assignedNumber },
      ...{ label: null, inboundUrl: null, statusUrl: null, campaignId, orderedAt: order.at },
    };
  });

/** Null when the wallet covers the rent of so many numbers. */
export const refuseUncoveredRent = ({ balance }: Pick<Wallet, "balance">, rent: number, count: number) =>
  balance >= rent * count
    ? null
    : refuse.InsufficientCredit("The wallet does not cover the first month's rent. Top it up first.");

/** The charge for an order of so many numbers. */
export const rentEntry = ({ id, rent, at }: NumberOrder, count: number): LedgerEntry => ({
  kind: "charge",
  amount: rent * count,
  reference: `phone-number order ${id}`,
  at,
});

/** What an order that names its numbers gets where some of them cannot be had. */
export const shortOrder = (available: number, unavailable: readonly string[]) =>
  refuse.InsufficientInventoryOnOrder("Not all of these numbers can be had, and none was assigned.", {
    data: { available_count: available, unavailable },
  });

/** What an order of any numbers of an area gets where there are fewer. */
export const shortBulkOrder = () =>
  refuse.InsufficientInventory("There are fewer such numbers than were asked for, and none was assigned.");

/** The event that tells of a bulk order; null where none is sent. */
export function bulkOrderEvent(
  { id, organizationId, at }: NumberOrder,
  numbers: readonly PhoneNumber[],
  eventId: string,
  choices: Pick<Choices, "keyEvents">,
): Event | null {
  if (choices.keyEvents === "not-sent") return null;
  const data = { id, phone_numbers: numbers.map(({ phoneNumber }) => phoneNumber) };
  return { id: eventId, organizationId, type: eventType.phoneNumberBulkOrderCompleted, data, createdAt: at };
}

/** What of a number can be changed by whoever holds it; what is left out stays as it is. */
export interface NumberUpdate {
  readonly label?: string | null | undefined;
  readonly inboundUrl?: string | null | undefined;
  readonly statusUrl?: string | null | undefined;
  readonly campaignId?: string | null | undefined;
}

/** The number as it is after an update. */
export const updatedNumber = (number: PhoneNumber, update: NumberUpdate): PhoneNumber => ({
  ...number,
  label: changed(number.label, update.label),
  inboundUrl: changed(number.inboundUrl, update.inboundUrl),
  statusUrl: changed(number.statusUrl, update.statusUrl),
  campaignId: changed(number.campaignId, update.campaignId),
});

const changed = <Value>(before: Value, wanted: Value | undefined): Value => (wanted === undefined ? before : wanted);

/** One answer for an unknown number, another organization's and a released one. */
export const numberNotFound = () => refuse.NotFound("There is no such phone number.");
