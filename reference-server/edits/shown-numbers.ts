import { operationSchemas } from "../../generated/schemas.ts";
import { type ApiOperation, apiOperations } from "./api-operations.ts";
import { onData } from "./wire.ts";

/** What an answer shows of a phone number. */
export type ShownNumber = Readonly<Record<string, unknown>>;

/** Operations whose answer is a record of the model. */
const showingModel = (model: string): readonly ApiOperation["id"][] =>
  apiOperations
    .map(({ id }) => id)
    .filter((id) => JSON.stringify(operationSchemas[id].answer).includes(`"#/components/schemas/${model}"`));

/** Operations that show the numbers of an order. */
export const orders = showingModel("PhoneNumberOrder");
/** Operations that show one number. */
export const singles = showingModel("PhoneNumber");

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
