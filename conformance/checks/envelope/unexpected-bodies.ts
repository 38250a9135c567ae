import type { Check } from "../../context/check.ts";
import { callDraws, sumOfDraws } from "../../context/draws.ts";
import { forEachOperation } from "../../context/for-each-operation.ts";
import { rowAllows, rowNamed, rowsWithCode } from "../../exchange/admits.ts";
import { codeOf, isSuccess, statusOf } from "../../exchange/exchange.ts";
import { isFrontRefusal } from "../../exchange/front-refusal.ts";
import { NotApplicable } from "../../outcome/verdict.ts";
import { takesBody } from "../../steps/flaws.ts";
import { roomyLimits } from "../../steps/roomy-limits.ts";
import { soundCall } from "../../steps/sound-call.ts";
import { soundInputCost } from "../../steps/sound-input.ts";
import { envelopeFlaws, envelopeSummary } from "./envelope-flaws.ts";

/** Bodies where none is expected: whether they are read is open. */
const bodies = ["{", '{"bylaw":', "[]", "null", '"bylaw"', '{"bylaw":1}'] as const;

/** A sound call of every operation that takes no body and changes something, then the same with a body. */
export const unexpectedBodies: readonly Check[] = forEachOperation((operation) => {
  const { id, method, path, draws } = operation;
  if (takesBody(operation) || method === "GET") return null;
  const inputs = soundInputCost(operation, 2 + bodies.length);
  return {
    id: "envelope.unexpected-bodies",
    title: `${method} ${path}, which takes no body, overlooks one or refuses it in the envelope`,
    rules: ["ENV-31", "ENV-36"],
    kind: "scenario",
    needs: ["key"],
    effects: ["creates"],
    draws: sumOfDraws([inputs.draws, callDraws(draws, 1 + bodies.length)]),
    sharedKeys: inputs.sharedKeys,
    async run(t) {
      const tenant = await t.tenant(roomyLimits(operation));
      const { caller, exchange: sound, again } = await soundCall(t, operation, tenant);
      t.control(sound, `${method} ${sound.request.url}`);
      // What stands before a server may refuse to pass on what RFC 9110 (9.3.5) gives no meaning.
      const isOddHttp = method === "DELETE";
      const headers = { "content-type": "application/json" };
      const refused = [rowNamed("InvalidInput"), rowNamed("ValidationFailed")];
      let input = await again();
      let isRefused = false;
      for (const rawBody of bodies) {
        const exchange = await t.call(id, { ...input, headers, rawBody, isOddHttp }, caller);
        if (isFrontRefusal(exchange)) {
          const what = `the body ${rawBody} gives ${envelopeSummary(exchange)}`;
          t.observe("ENV-31", what, exchange);
          t.observe("ENV-36", what, exchange);
          continue;
        }
        const taken = isSuccess(exchange);
        const status = statusOf(exchange) ?? 0;
        const enveloped = envelopeFlaws(exchange).length === 0;
        const isNew = status >= 400 && status < 500 && rowsWithCode(codeOf(exchange) ?? "").length === 0;
        if (!taken) {
          isRefused = true;
          t.verify("ENV-31", enveloped && (isNew || refused.some((row) => rowAllows(row, status))), {
            expected: `success, or ${refused.map((row) => row.referenceStatus).join(" or ")} in the error envelope, for the body ${rawBody}`,
            actual: envelopeSummary(exchange),
            exchanges: [exchange],
            warnOnly: (isOddHttp && status < 500) || isJson(rawBody),
          });
        }
        t.verify("ENV-36", taken || (enveloped && status < 500), {
          expected: `success or a 4xx in the envelope for the body ${rawBody}`,
          actual: envelopeSummary(exchange),
          exchanges: [exchange],
          warnOnly: isOddHttp && status < 500,
        });
        if (taken) input = await again();
      }
      if (!isRefused) throw new NotApplicable(`${id} overlooks every body`);
    },
  };
});

function isJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}
