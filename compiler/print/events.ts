import type { Contract } from "../contract.ts";
import { camelCased } from "../text/camel-cased.ts";
import { banner } from "./banner.ts";
import { literal } from "./literal.ts";

/** Event types and the headers of a delivery. */
export function printEvents(contract: Contract): string {
  const types = contract.eventTypes.map((type) => `  ${camelCased(type)}: "${type}",\n`).join("");
  const headers = contract.deliveryHeaders
    .map(({ scheme: _, ...header }) => `  ${literal(header, "  ", 2)},\n`)
    .join("");
  return `${banner}/** Every type of event that an endpoint can subscribe to, by name. */
export const eventType = {
${types}} as const;

export type EventType = (typeof eventType)[keyof typeof eventType];

/** The same as a list. */
export const eventTypes = [
${contract.eventTypes.map((type) => `  eventType.${camelCased(type)},\n`).join("")}] as const;

/** Headers of a delivery request. */
export const deliveryHeaders = [
${headers}] as const;
`;
}
