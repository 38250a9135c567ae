import type { Contract } from "../contract.ts";
import { banner } from "./banner.ts";
import { literal } from "./literal.ts";

/** Event types and the headers of a delivery. */
export function printEvents(contract: Contract): string {
  const types = contract.eventTypes.map((type) => `  "${type}",\n`).join("");
  const headers = contract.deliveryHeaders.map((header) => `  ${literal(header, "  ", 2)},\n`).join("");
  return `${banner}/** Every type of event that an endpoint can subscribe to. */
export const eventTypes = [
${types}] as const;

export type EventType = (typeof eventTypes)[number];

/** Headers of a delivery request. */
export const deliveryHeaders = [
${headers}] as const;
`;
}
