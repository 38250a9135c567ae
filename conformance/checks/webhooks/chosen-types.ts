import { type EventType, eventTypes } from "../../../generated/events.ts";

/** Three types that nothing but the kit makes happen while checks run: those of keys may come with every key. */
export const chosenTypes: readonly [EventType, EventType, EventType] = firstThree(
  eventTypes.filter((type) => !type.startsWith("api_key.")),
);

function firstThree([first, second, third]: readonly EventType[]): readonly [EventType, EventType, EventType] {
  if (first === undefined || second === undefined || third === undefined) throw new Error("The catalog is too small.");
  return [first, second, third];
}
