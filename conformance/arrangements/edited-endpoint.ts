import { changeEndpoint } from "../../generated/client/sandbox-webhooks.ts";
import type { EndpointChange } from "../../generated/models/sandbox-webhooks.ts";
import { arrangement } from "./arrangement.ts";
import { member, noMembers } from "./hook-members.ts";

/** An endpoint and what changes about it; what is left out stays. */
export interface EditedEndpoint extends EndpointChange {
  readonly endpoint_id: string;
}

/** Another state or other subscriptions of a webhook endpoint. */
export const editedEndpoint = arrangement({
  need: "endpoint-edit",
  sandboxOperation: "changeEndpoint",
  does: "change an endpoint",
  async sandbox({ ask, path }, { endpoint_id, ...body }: EditedEndpoint) {
    const at = { ...path, endpoint_id };
    await ask("change an endpoint", (transport) => changeEndpoint(transport, { path: at, body }));
  },
  hook: {
    definition: {
      name: "change_endpoint",
      says: "Changes what a webhook endpoint subscribes to and whether it is active.",
      unlocks: "endpoints that are switched off or subscribe to something else",
      input: {
        properties: {
          endpoint_id: { type: "string", description: "The endpoint." },
          active: { type: "boolean", description: "Whether it is active; stays as it is when left out." },
          events: {
            type: "array",
            items: { type: "string", description: "A type of event." },
            description: "All that it subscribes to; stays as it is when left out.",
          },
          organization_id: member.organization,
        },
        optional: ["active", "events"],
      },
      answer: noMembers,
    },
    async ask(ask, change) {
      await ask({ ...change });
    },
  },
});
