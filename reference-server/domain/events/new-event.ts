import type { Choices } from "../../../generated/choices.ts";
import { constants } from "../../../generated/constants.ts";
import { eventType } from "../../../generated/events.ts";
import type { ApiKey } from "../keys/api-keys.ts";
import type { World } from "../world.ts";
import type { Event } from "./event.ts";

export const newEventId = (world: Pick<World, "newId">): string => `${constants.eventIdPrefix}${world.newId()}`;

/** What can become of a key; there is an event for each. */
export type KeyChange = "created" | "rotated" | "revoked";

const eventOfChange = {
  created: eventType.apiKeyCreated,
  rotated: eventType.apiKeyRotated,
  revoked: eventType.apiKeyRevoked,
} as const satisfies Record<KeyChange, Event["type"]>;

/** The event that tells of a change, with the key as it is afterwards; null where none is sent. */
export function keyEvent(
  change: KeyChange,
  key: Pick<ApiKey, "id" | "organizationId" | "label" | "prefix" | "scopes">,
  at: number,
  world: Pick<World, "newId">,
  choices: Pick<Choices, "keyEvents">,
): Event | null {
  if (choices.keyEvents === "not-sent") return null;
  const { id, organizationId, label, prefix, scopes } = key;
  const data = { id, label, prefix, scopes };
  return { id: newEventId(world), organizationId, type: eventOfChange[change], data, createdAt: at };
}
