import { onData } from "./wire.ts";

/** What an answer shows of a phone number. */
export type ShownNumber = Readonly<Record<string, unknown>>;

/** Operations that show the numbers of an order. */
export const orders = ["orderPhoneNumbers", "bulkOrderPhoneNumbers"] as const;
/** Operations that show one number. */
export const singles = [
  "getPhoneNumber",
  "updatePhoneNumber",
  "releasePhoneNumber",
  "attachCampaign",
  "detachCampaign",
] as const;

/** Shows each number in another way, wherever it stands. */
export const showing = (change: (number: ShownNumber) => ShownNumber) => [
  ...singles.map((id) => ({ wire: onData(id, change) })),
  ...showingInOrders(change),
];

/** Shows each number of an order in another way. */
export const showingInOrders = (change: (number: ShownNumber) => ShownNumber) =>
  orders.map((id) => ({
    wire: onData(id, ({ phone_numbers, ...data }) => ({
      ...data,
      phone_numbers: Array.isArray(phone_numbers) ? phone_numbers.map((one) => change(Object(one))) : phone_numbers,
    })),
  }));
