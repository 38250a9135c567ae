import { emitEvent } from "../../generated/client/sandbox-webhooks.ts";
import type { EventType } from "../../generated/events.ts";
import type { EventRequest } from "../../generated/models/sandbox-webhooks.ts";
import { arrangement } from "./arrangement.ts";
import { member } from "./hook-members.ts";

/** An event that the kit made happen. */
export interface MadeEvent {
  readonly type: EventType;
  /** Null when the kit was not told. */
  readonly id: string | null;
}

/** An event of a chosen type. */
export const emittedEvent = arrangement({
  need: "emit",
  sandboxOperation: "emitEvent",
  does: "make an event happen",
  async sandbox({ ask, path }, { type, data = {} }: EventRequest): Promise<MadeEvent> {
    const body = { type, data };
    const { event_id } = await ask("emit an event", (transport) => emitEvent(transport, { path, body }));
    return { type, id: event_id };
  },
  hook: {
    definition: {
      name: "emit_event",
      says: "Makes an event happen.",
      unlocks: "events of a chosen type; others come from testing an endpoint",
      input: {
        properties: {
          type: { type: "string", description: "Type of the event." },
          data: { type: "object", description: "What the event tells." },
          organization_id: member.organization,
        },
      },
      answer: { properties: { event_id: { type: "string", description: "Id of the event." } }, optional: ["event_id"] },
    },
    async ask(ask, { type, data = {} }) {
      const { event_id } = await ask({ type, data });
      return { type, id: typeof event_id === "string" ? event_id : null };
    },
  },
});
