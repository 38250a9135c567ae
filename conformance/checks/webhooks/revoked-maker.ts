import { revocation } from "../../arrangements/revocation.ts";
import { check } from "../../context/check.ts";
import { deliverOne, newcomersTo } from "../../steps/deliver-one.ts";
import { createEndpoint, usualEvent } from "../../steps/endpoint.ts";
import { grantable } from "../../steps/grantable.ts";
import { eventually } from "../../steps/settle.ts";

/** Endpoints of one organization, of which the key that made one is no more. */
export const revokedMaker = check({
  id: "webhooks.revoked-maker",
  title: "An endpoint is sent events after the key that made it was revoked, as it is the organization's",
  rules: ["WHE-14"],
  kind: "scenario",
  needs: ["receiver", "emit", "revocation"],
  effects: ["creates"],
  draws: { apiKeyWrites: 1 },
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const maker = await tenant.keyWith(main.scopes ?? grantable(main), { unused: true });
    const [inbox, beside] = [t.inbox(), t.inbox()];
    const endpoint = await createEndpoint(t, maker, { inbox });
    await deliverOne(t, endpoint, inbox, usualEvent);
    await tenant.arrange(revocation, maker);
    const isNew = newcomersTo(inbox);
    // One that was made since tells that something has happened.
    const sibling = await createEndpoint(t, main, { inbox: beside });
    const known = await deliverOne(t, sibling, beside, usualEvent);
    const arrived = await eventually(t, tenant, async () => inbox.deliveries().find(isNew) ?? null);
    t.verify("WHE-14", arrived !== null, {
      expected: `a delivery at ${inbox.url} as at ${beside.url}, whichever key made the endpoint`,
      actual: arrived === null ? "none in time" : "one",
      isSilence: true,
      exchanges: [endpoint.exchange, sibling.exchange],
      deliveries: [known, ...(arrived === null ? [] : [arrived])],
    });
  },
});
