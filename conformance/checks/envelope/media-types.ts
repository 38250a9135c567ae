import type { Check } from "../../context/check.ts";
import { callDraws, sumOfDraws } from "../../context/draws.ts";
import { forEachOperation } from "../../context/for-each-operation.ts";
import { takesBody } from "../../steps/flaws.ts";
import { roomyLimits } from "../../steps/roomy-limits.ts";
import { soundCall } from "../../steps/sound-call.ts";
import { soundInputCost } from "../../steps/sound-input.ts";

/** Ways to write the media type of JSON. */
const written = ["application/json; charset=utf-8", "Application/JSON", "application/json;charset=UTF-8"];

/** A sound call of every operation that takes a body, its media type written in other ways. */
export const mediaTypes: readonly Check[] = forEachOperation((operation) => {
  if (!takesBody(operation)) return null;
  const { id, method, path, draws } = operation;
  const calls = 1 + written.length;
  const inputs = soundInputCost(operation, calls);
  return {
    id: "envelope.media-types",
    title: `${method} ${path} reads JSON however its media type is written`,
    rules: ["ENV-35"],
    kind: "scenario",
    needs: ["key"],
    effects: ["creates"],
    draws: sumOfDraws([inputs.draws, callDraws(draws, calls)]),
    sharedKeys: inputs.sharedKeys,
    async run(t) {
      const tenant = await t.tenant(roomyLimits(operation));
      const { caller, exchange, again } = await soundCall(t, operation, tenant);
      t.control(exchange, `${method} ${exchange.request.url}`);
      for (const type of written)
        t.accepted("ENV-35", await t.call(id, { ...(await again()), headers: { "content-type": type } }, caller));
    },
  };
});
