import type { Check } from "../../context/check.ts";
import { callDraws, sumOfDraws } from "../../context/draws.ts";
import { forEachOperation } from "../../context/for-each-operation.ts";
import { leftAsItWas, watchingEffects } from "../../steps/effect-of.ts";
import { soundCall } from "../../steps/sound-call.ts";
import { soundInputCost } from "../../steps/sound-input.ts";

/** Every operation that reads, asked for what is there. */
export const safeReads: readonly Check[] = forEachOperation((operation) => {
  const { id, method, path, draws } = operation;
  if (method !== "GET") return null;
  const asked = soundInputCost(operation, 1);
  return {
    id: "envelope.safe-reads",
    title: `${method} ${path} changes nothing of what the organization has, and costs nothing`,
    rules: ["ENV-45"],
    kind: "scenario",
    needs: ["state"],
    effects: ["creates"],
    draws: sumOfDraws([asked.draws, callDraws(draws, 2)]),
    sharedKeys: asked.sharedKeys,
    run: watchingEffects(async (t, effectOf) => {
      const tenant = await t.tenant({ clock: "manual" });
      const { caller, exchange, again } = await soundCall(t, operation, tenant);
      t.control(exchange, `${method} ${path}`);
      const input = await again();
      const effect = await effectOf(tenant, () => t.call(id, input, caller));
      leftAsItWas(t, "ENV-45", effect, t.control(effect.exchange, `${method} ${path}`));
    }),
  };
});
