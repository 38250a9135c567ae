import * as fc from "fast-check";
import { satisfying } from "../../../compiler/schema/bounded-filter.ts";
import { arbitraryBreaching, type Breach, breaches } from "../../../compiler/schema/break-one-constraint.ts";
import { encodesToItself } from "../../../compiler/schema/survives-json.ts";
import { components } from "../../../generated/schemas.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { objectOf } from "../../exchange/exchange.ts";
import type { Credential } from "../../provision/tenant.ts";
import { ownDelivery } from "../../steps/own-delivery.ts";
import { callReplay, replay } from "../../steps/replay.ts";
import { roomyBucket } from "../../steps/roomy-bucket.ts";
import { judgeBadReason } from "./bad-replays.ts";

/** A bucket that a property's replays do not empty: whether refused calls draw is open. */
const wide = { deliveryReplays: roomyBucket };

/** A body with one defect, and the rule that the defect belongs to. */
interface BadBody {
  readonly rule: "WHP-11" | "WHP-12";
  readonly body: unknown;
}

/** Replays that break exactly one constraint of the contract's schema. */
export const invalidReplays = check({
  id: "deliveries.invalid-replays",
  title: "Whatever constraint of the schema the body of a replay breaks, the replay is refused",
  rules: ["WHP-11", "WHP-12"],
  kind: "property",
  needs: ["key"],
  effects: ["creates"],
  draws: { deliveryReplays: 12 },
  async run(t) {
    const main = await (await t.tenant({ limits: wide })).main();
    const { id } = await ownDelivery(t, main);
    await replay(t, main, id);
    // Members that the contract does not name may be refused too, so that there must be none.
    const schema = { ...components.ReplayDeliveryRequest, additionalProperties: false };
    const cases = breaches(schema, components).flatMap((breach) => {
      const rule = ruleOf(breach);
      const bodies = satisfying(arbitraryBreaching(breach), isClear, () => `a body of a replay: ${breach.describe}`);
      return rule === null || bodies === null ? [] : [bodies.map((body): BadBody => ({ rule, body }))];
    });
    // One of each first, so that a rule is decided however few values are tried.
    for (const each of cases) {
      const [sample] = fc.sample(each, { numRuns: 1, seed: Math.floor(t.random() * 2 ** 31) });
      if (sample) await decide(t, main, id, sample);
    }
    await t.property(fc.oneof(...cases), (bad) => decide(t, main, id, bad));
  },
});

async function decide(t: CheckContext, main: Credential, id: string, { rule, body }: BadBody): Promise<void> {
  const exchange = await callReplay(t, main, id, body);
  if (rule === "WHP-11") judgeBadReason(t, exchange);
  else t.refused(rule, exchange, "ValidationFailed");
}

/** The rule that a breach belongs to; null for one that the contract leaves open. */
function ruleOf({ pointer, keyword }: Breach): BadBody["rule"] | null {
  if (keyword !== "type") return null;
  return pointer === "" ? "WHP-12" : pointer === "/reason" ? "WHP-11" : null;
}

/** A null may stand for no body or no reason, and only what JSON keeps as it is arrives with its defect. */
const isClear = (body: unknown): boolean => body !== null && objectOf(body)?.reason !== null && encodesToItself(body);
