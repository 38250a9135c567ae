import { outage } from "../../arrangements/outage.ts";
import { callerOf } from "../../context/caller-of.ts";
import type { Check } from "../../context/check.ts";
import { callDraws, sumOfDraws } from "../../context/draws.ts";
import { forEachOperation } from "../../context/for-each-operation.ts";
import { statusOf, summaryOf } from "../../exchange/exchange.ts";
import { unlessLacking } from "../../steps/sound-call.ts";
import { soundInput, soundInputCost } from "../../steps/sound-input.ts";

/** Calls that fail inside the server. What the answer must not tell is watched on every server error of a run. */
export const serverFailure: readonly Check[] = forEachOperation((operation) => ({
  id: "envelope.server-failure",
  title: `A failure inside the server is answered in the envelope at ${operation.method} ${operation.path}, and the next call does not fail`,
  rules: ["ENV-32"],
  kind: "scenario",
  needs: ["outage"],
  effects: ["creates"],
  draws: sumOfDraws([{ apiKeyWrites: 1 }, soundInputCost(operation, 1).draws, callDraws(operation.draws, 2)]),
  async run(t) {
    const { id } = operation;
    const tenant = await t.tenant();
    const caller = await callerOf(operation, tenant);
    const input = await soundInput(id, t, tenant);
    await tenant.arrange(outage, { kind: "unhandled_error", calls: 1 });
    const failed = await t.attempt(id, input, caller);
    t.refused("ENV-32", failed, "InternalError");
    const next = unlessLacking(await t.call(id, input, caller));
    t.verify("ENV-32", (statusOf(next) ?? 500) < 500, {
      expected: "no failure of the call after it",
      actual: summaryOf(next),
      exchanges: [failed, next],
      // The rule speaks of the failed call alone.
      warnOnly: true,
    });
  },
}));
