import { randomUUID } from "node:crypto";
import { constants } from "../../../generated/constants.ts";
import type { Check } from "../../context/check.ts";
import { callDraws, sumOfDraws } from "../../context/draws.ts";
import { type ApiOperation, forEachOperation } from "../../context/for-each-operation.ts";
import { type Exchange, isSuccess, type RepeatedHeaders, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { isFrontRefusal } from "../../exchange/front-refusal.ts";
import { NotApplicable } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { takesBody } from "../../steps/flaws.ts";
import { roomyLimits } from "../../steps/roomy-limits.ts";
import { sameMessage } from "../../steps/same-message.ts";
import { soundCall } from "../../steps/sound-call.ts";
import { soundInputCost } from "../../steps/sound-input.ts";
import { envelopeFlaws } from "./envelope-flaws.ts";

/** As the monitor looks for it in requests. */
const requestId = constants.requestIdHeader.toLowerCase();

/** A sound call of every operation that reads or takes a body, then the same with a header that comes twice. */
export const repeatedHeaders: readonly Check[] = forEachOperation((operation) => {
  const { id, method, path, draws } = operation;
  if (method !== "GET" && !takesBody(operation)) return null;
  const all = repetitions(operation, "");
  // What was done once can be done again only where nothing was changed.
  const inputs = soundInputCost(operation, method === "GET" ? 1 : 2 + all.length);
  return {
    id: "envelope.repeated-headers",
    title: `A header that comes twice does not make the server fail at ${method} ${path}`,
    rules: ["AUTH-07", "ENV-40"],
    kind: "scenario",
    needs: ["key"],
    effects: ["creates"],
    draws: sumOfDraws([inputs.draws, callDraws(draws, 1 + all.length)]),
    sharedKeys: inputs.sharedKeys,
    async run(t) {
      const tenant = await t.tenant(roomyLimits(operation));
      const { caller, exchange: sound, again } = await soundCall(t, operation, tenant);
      t.control(sound, `${method} ${sound.request.url}`);
      let input = await again();
      const refusals: (readonly [anonymous: Exchange, refused: Exchange])[] = [];
      for (const { what, headers, twice } of repetitions(operation, `Bearer ${caller.token}`)) {
        const exchange = await t.call(id, { ...input, headers, repeatedHeaders: twice, isOddHttp: true }, caller);
        const held =
          isSuccess(exchange) ||
          isFrontRefusal(exchange) ||
          (envelopeFlaws(exchange).length === 0 && (statusOf(exchange) ?? 0) < 500);
        t.verify("ENV-40", held, {
          expected: `success or a refusal for a request with ${what}`,
          actual: summaryOf(exchange),
          exchanges: [exchange],
        });
        // The message may name what was called.
        if (answeredBy(exchange, "Unauthorized")) refusals.push([await t.attempt(id, input, null), exchange]);
        // What was taken must not come again: a server may want every creation to be another.
        if (isSuccess(exchange)) input = await again();
      }
      if (refusals.length === 0) throw new NotApplicable("credentials that come twice are not refused for it");
      for (const pair of refusals) sameMessage(t, "AUTH-07", "Unauthorized", pair);
    },
  };
});

interface Repetition {
  readonly what: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly twice: RepeatedHeaders;
}

/** What can come twice in a request of the operation by this caller, to whom one of two credentials belongs at least. */
function repetitions(operation: ApiOperation, authorization: string): readonly Repetition[] {
  const { idempotencyHeader: key } = operation;
  const unknown = `Bearer ${constants.liveKeyPrefix}bylaw`;
  const json = { "content-type": "application/json" };
  return [
    { what: "a key twice", headers: {}, twice: [["authorization", authorization]] },
    { what: "a key and an unknown one", headers: {}, twice: [["authorization", unknown]] },
    {
      what: "an unknown key and a known one",
      headers: { authorization: unknown },
      twice: [["authorization", authorization]],
    },
    {
      what: "two request ids",
      headers: { [requestId]: randomUUID() },
      twice: [[requestId, randomUUID()]],
    },
    ...(takesBody(operation)
      ? ([
          { what: "the media type of JSON twice", headers: json, twice: [["content-type", json["content-type"]]] },
          { what: "two media types", headers: json, twice: [["content-type", "text/plain"]] },
        ] as const)
      : []),
    ...(key === null
      ? []
      : ([{ what: "two idempotency keys", headers: { [key]: randomUUID() }, twice: [[key, randomUUID()]] }] as const)),
  ];
}
