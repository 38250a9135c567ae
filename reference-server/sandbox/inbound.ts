import type { SandboxInboundHandlers } from "../../generated/server/sandbox-inbound.ts";
import { timeOf } from "../domain/clock.ts";
import { consentAfterReply } from "../domain/consent/reply.ts";
import type { World } from "../domain/world.ts";
import type { Store } from "../store/store.ts";
import type { SandboxCaller } from "./sandbox-path.ts";
import { unknownOrganization } from "./unknown-organization.ts";

export interface SandboxInboundParts {
  readonly store: Store;
  readonly world: World;
}

export function sandboxInboundHandlers({ store, world }: SandboxInboundParts): SandboxInboundHandlers<SandboxCaller> {
  return {
    async receiveText({ path, body: { from, text } }) {
      const now = world.now();
      return store.atomically(path.id, async (tx) => {
        if (tx.organization === null) return unknownOrganization();
        const { id: organizationId, clock } = tx.organization;
        const reply = { organizationId, from, text, at: timeOf(clock, now) };
        const consent = consentAfterReply(await tx.consents.of(from), reply);
        if (consent !== null) await tx.consents.put(consent);
        return { from, text };
      });
    },
  };
}
