import { operations } from "../../../generated/operations.ts";
import { check } from "../../context/check.ts";
import { feedScope, list, readPage } from "../../steps/feed.ts";
import { keyLacking, scopesLacking } from "../../steps/key-lacking.ts";
import { refusedAlways } from "../../steps/refused-always.ts";

/** Callers that may not read the feed. */
export const feedNeedsScope = check({
  id: "deliveries.feed-needs-scope",
  title: "A key without the scope of reading webhooks does not see the feed, also when it may change them",
  rules: ["WHL-49", "WHL-50"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: {},
  sharedKeys: [scopesLacking(feedScope), [operations.replayDelivery.scope]],
  async run(t) {
    const tenant = await t.tenant();
    await readPage(t, await tenant.main());
    const lacking = await keyLacking(feedScope, tenant);
    await refusedAlways(t, "WHL-49", () => list(t, lacking), "Forbidden");
    const writer = await tenant.keyWith([operations.replayDelivery.scope]);
    await refusedAlways(t, "WHL-50", () => list(t, writer), "Forbidden");
  },
});
