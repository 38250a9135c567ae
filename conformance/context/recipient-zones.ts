import { type NumberPart, numberParts } from "../target/phone-numbers.ts";

/** A zone that there is a recipient in. */
export type RecipientZone = Extract<NumberPart, `${string}/${string}`>;

export const recipientZones: readonly RecipientZone[] = numberParts.map(({ name }) => name).filter(isZone);

function isZone(name: NumberPart): name is RecipientZone {
  return name.includes("/");
}
