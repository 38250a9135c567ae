import type { Check } from "../../context/check.ts";
import { callDraws, sumOfDraws } from "../../context/draws.ts";
import { forEachOperation } from "../../context/for-each-operation.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { NotApplicable } from "../../outcome/verdict.ts";
import { takesBody } from "../../steps/flaws.ts";
import { roomyLimits } from "../../steps/roomy-limits.ts";
import { soundCall } from "../../steps/sound-call.ts";
import { soundInputCost } from "../../steps/sound-input.ts";

/** Bytes that are no UTF-8, by what they are. */
const bytes: Readonly<Record<string, readonly number[]>> = {
  "a byte that no UTF-8 has": [0xff],
  "a letter of Latin-1": [0xe9],
  "half a surrogate pair": [0xed, 0xa0, 0x80],
};

/** A sound call of every operation whose body has texts, then the same with bytes in one that are no text. */
export const noUnicode: readonly Check[] = forEachOperation((operation) => {
  if (!takesBody(operation)) return null;
  const { id, method, path, draws } = operation;
  const calls = 1 + Object.keys(bytes).length;
  const inputs = soundInputCost(operation, 1 + calls);
  return {
    id: "envelope.no-unicode",
    title: `Bytes that are no text are not taken for one by ${method} ${path}`,
    rules: ["ENV-41"],
    kind: "scenario",
    needs: draws.length === 0 ? ["key"] : ["limit-override"],
    effects: ["creates"],
    draws: sumOfDraws([inputs.draws, callDraws(draws, calls)]),
    sharedKeys: inputs.sharedKeys,
    async run(t) {
      const tenant = await t.tenant(roomyLimits(operation));
      const main = await tenant.main();
      const { exchange: sound, again } = await soundCall(t, operation, tenant);
      t.control(sound, `${method} ${sound.request.url}`);
      let { body, ...rest } = await again();
      for (const [what, inserted] of Object.entries(bytes)) {
        const rawBody = inFirstText(JSON.stringify(body), inserted);
        if (rawBody === null) throw new NotApplicable(`a sound body of ${id} has no text`);
        const exchange = await t.call(id, { ...rest, rawBody }, main);
        t.verify("ENV-41", !isSuccess(exchange), {
          expected: `a refusal of a text with ${what} in it`,
          actual: summaryOf(exchange),
          exchanges: [exchange],
        });
        if (isSuccess(exchange)) ({ body, ...rest } = await again());
      }
    },
  };
});

/** The body with bytes at the end of the first text that a member has; null where there is none. */
function inFirstText(json: string, inserted: readonly number[]): Uint8Array | null {
  const [before = ""] = /^.*?:"[^"]*/s.exec(json) ?? [];
  if (before === "") return null;
  return Buffer.concat([Buffer.from(before), Buffer.from(inserted), Buffer.from(json.slice(before.length))]);
}
