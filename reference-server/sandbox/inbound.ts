import type { Choices } from "../../generated/choices.ts";
import type { SandboxInboundHandlers } from "../../generated/server/sandbox-inbound.ts";
import { timeOf } from "../domain/clock.ts";
import { endEvent } from "../domain/consent/double-opt-in.ts";
import { afterReply } from "../domain/consent/reply.ts";
import { newEventId } from "../domain/events/new-event.ts";
import type { World } from "../domain/world.ts";
import { cancelMessagesTo } from "../routes/cancel-messages-to.ts";
import type { Store } from "../store/store.ts";
import type { SandboxCaller } from "./sandbox-path.ts";
import { unknownOrganization } from "./unknown-organization.ts";

export interface SandboxInboundParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
}

export function sandboxInboundHandlers({
  store,
  world,
  choices,
}: SandboxInboundParts): SandboxInboundHandlers<SandboxCaller> {
  return {
    async receiveText({ path, body: { from, text } }) {
      const now = world.now();
      const eventId = newEventId(world);
      return store.atomically(path.id, async (tx) => {
        if (tx.organization === null) return unknownOrganization();
        const { id: organizationId, clock } = tx.organization;
        const reply = { organizationId, from, text, at: timeOf(clock, now) };
        const known = { consent: await tx.consents.of(from), doubleOptIn: await tx.doubleOptIns.pending(from) };
        const { consent, doubleOptIn } = afterReply(known, reply);
        if (consent !== null) await tx.consents.put(consent);
        if (consent?.state === "opted-out") await cancelMessagesTo(from, tx, { now: reply.at, choices });
        if (doubleOptIn !== null) {
          await tx.doubleOptIns.end(doubleOptIn);
          const event = endEvent(doubleOptIn, { id: eventId, createdAt: reply.at }, choices);
          if (event !== null) await tx.enqueue(event, "subscribed");
        }
        return { from, text };
      });
    },
  };
}
