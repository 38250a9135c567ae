import type { Check } from "../../context/check.ts";
import { callDraws } from "../../context/draws.ts";
import { forEachOperation } from "../../context/for-each-operation.ts";
import { takesBody } from "../../steps/flaws.ts";
import { roomyLimits } from "../../steps/roomy-limits.ts";
import { soundCall } from "../../steps/sound-call.ts";

/** Ways to write the media type of JSON. */
const written = ["application/json; charset=utf-8", "Application/JSON", "application/json;charset=UTF-8"];

/** A sound call of every operation that takes a body, its media type written in other ways. */
export const mediaTypes: readonly Check[] = forEachOperation((operation) => {
  if (!takesBody(operation)) return null;
  const { id, method, path, draws } = operation;
  return {
    id: "envelope.media-types",
    title: `${method} ${path} reads JSON however its media type is written`,
    rules: ["ENV-35"],
    kind: "scenario",
    needs: ["key"],
    effects: ["creates"],
    draws: callDraws(draws, 1 + written.length),
    async run(t) {
      const tenant = await t.tenant(roomyLimits(operation));
      const { caller, exchange, again } = await soundCall(t, operation, tenant);
      t.control(exchange, `${method} ${exchange.request.url}`);
      for (const type of written)
        t.accepted("ENV-35", await t.call(id, { ...(await again()), headers: { "content-type": type } }, caller));
    },
  };
});
