import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, errorOf, objectOf } from "../../exchange/exchange.ts";
import { feedScope } from "../../steps/feed.ts";
import { keyLacking, scopesLacking } from "../../steps/key-lacking.ts";
import { malformedIds } from "../../steps/malformed-ids.ts";
import { nearIds } from "../../steps/near-misses/near-ids.ts";
import { neverIssued } from "../../steps/never-issued.ts";
import { ownDelivery } from "../../steps/own-delivery.ts";
import { refusedAlways } from "../../steps/refused-always.ts";
import { callReplay, replay, replayScope } from "../../steps/replay.ts";

/** Reasons that are no text; null is left out, as it may stand for none. */
const badReasons: readonly unknown[] = [1, 0, true, false, {}, [], ["bylaw"], { text: "bylaw" }];

/** Bodies that are no object; null is left out, as it may stand for none. */
const badBodies: readonly unknown[] = [[], [{}], [{ reason: "bylaw" }], "bylaw", "", 1, true];

/** Ids that are asked for although no delivery has them. */
const unknownIds = 7;

/** Replays with one defect each. */
export const badReplays = check({
  id: "deliveries.bad-replays",
  title: "A replay with an invalid body, or of a delivery that never was, is refused",
  rules: ["WHP-11", "WHP-12", "WHP-30", "WHP-31"],
  kind: "sampled",
  needs: ["key"],
  effects: ["creates"],
  // Refused calls may draw, too.
  draws: { deliveryReplays: 1 + badReasons.length + badBodies.length + unknownIds + malformedIds.length },
  async run(t) {
    const main = await (await t.tenant({ clock: "manual" })).main();
    const { id, endpoint } = await ownDelivery(t, main);
    await replay(t, main, id);
    for (const reason of badReasons) judgeBadReason(t, await callReplay(t, main, id, { reason }));
    for (const body of badBodies) t.refused("WHP-12", await callReplay(t, main, id, body), "ValidationFailed");
    // No other record's id is a delivery's.
    for (const unknown of [neverIssued(id, t.random), ...nearIds(id), endpoint.id])
      t.refused("WHP-30", await callReplay(t, main, unknown), "NotFound");
    for (const malformed of malformedIds) {
      const exchange = await callReplay(t, main, malformed);
      if (!t.refused("WHP-31", exchange, "ValidationFailed400", "ValidationFailed")) continue;
      const details = Object.keys(objectOf(errorOf(exchange)?.details) ?? {});
      t.verify("WHP-31", details.length > 0, {
        expected: "error.details that name what is wrong",
        actual: "none",
        exchanges: [exchange],
      });
    }
  },
});

/** Decides the answer to a replay whose reason is no text. */
export function judgeBadReason(t: CheckContext, exchange: Exchange): void {
  if (!t.refused("WHP-11", exchange, "ValidationFailed")) return;
  const keys = Object.keys(objectOf(errorOf(exchange)?.details) ?? {});
  t.verify(
    "WHP-11",
    keys.some((key) => key.includes("reason")),
    {
      expected: "error.details with a key that contains reason",
      actual: keys.length > 0 ? keys.join(", ") : "no details",
      exchanges: [exchange],
    },
  );
}

/** Callers that may not replay. */
export const replayNeedsScope = check({
  id: "deliveries.replay-needs-scope",
  title: "A key without the scope of changing webhooks replays nothing, also when it may read the feed",
  rules: ["WHP-32"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { deliveryReplays: 1 },
  sharedKeys: [scopesLacking(replayScope), [feedScope]],
  async run(t) {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    const { id } = await ownDelivery(t, main);
    await replay(t, main, id);
    for (const caller of [await keyLacking(replayScope, tenant), await tenant.keyWith([feedScope])]) {
      await refusedAlways(t, "WHP-32", () => callReplay(t, caller, id), "Forbidden");
    }
  },
});
