import type { Check } from "../../context/check.ts";
import { callDraws, sumOfDraws } from "../../context/draws.ts";
import { forEachOperation } from "../../context/for-each-operation.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
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

/** A letter that such texts take which take any. */
const letter = [...Buffer.from("é")];

/** Texts of a body that are tried at most, to find one that takes any letter. */
const mostTexts = 4;

/** A sound call of every operation whose body has a text that takes any letter, then the same with bytes that are none. */
export const noUnicode: readonly Check[] = forEachOperation((operation) => {
  if (!takesBody(operation)) return null;
  const { id, method, path, draws } = operation;
  const calls = 1 + 2 * mostTexts + Object.keys(bytes).length;
  const inputs = soundInputCost(operation, 1 + calls);
  return {
    id: "envelope.no-unicode",
    title: `Bytes that are no text are not taken for one by ${method} ${path}`,
    rules: ["ENV-41"],
    kind: "scenario",
    needs: ["key"],
    effects: ["creates"],
    draws: sumOfDraws([inputs.draws, callDraws(draws, calls)]),
    sharedKeys: inputs.sharedKeys,
    async run(t) {
      const tenant = await t.tenant(roomyLimits(operation));
      const { caller, exchange: sound, again } = await soundCall(t, operation, tenant);
      t.control(sound, `${method} ${sound.request.url}`);
      const callWith = async (place: number, inserted: readonly number[]): Promise<Exchange | null> => {
        const { body, ...rest } = await again();
        const rawBody = inText(JSON.stringify(body), place, inserted);
        return rawBody === null ? null : t.call(id, { ...rest, rawBody }, caller);
      };
      // Another letter may be a defect by itself, as in a phone number.
      const isFree = async (place: number): Promise<boolean> => {
        const exchange = await callWith(place, letter);
        return exchange !== null && isSuccess(exchange);
      };
      let place = 0;
      // A server reads a text if it refuses an object in its place; another text may mean nothing to the server.
      const isRead = async (place: number): Promise<boolean> => {
        const { body, ...rest } = await again();
        const rawBody = withObject(JSON.stringify(body), place);
        return rawBody !== null && !isSuccess(await t.call(id, { ...rest, rawBody }, caller));
      };
      while (place < mostTexts && !((await isFree(place)) && (await isRead(place)))) place += 1;
      if (place === mostTexts)
        throw new NotApplicable(`a sound body of ${id} has no text that the server reads and that takes any letter`);
      for (const [what, inserted] of Object.entries(bytes)) {
        const exchange = await callWith(place, inserted);
        if (exchange === null) continue;
        t.verify("ENV-41", !isSuccess(exchange), {
          expected: `a refusal of a text with ${what} in it`,
          actual: summaryOf(exchange),
          exchanges: [exchange],
        });
      }
    },
  };
});

/** The texts of a body's properties, each with the colon before it and without the quotation mark after it. */
const textsIn = (json: string): readonly RegExpExecArray[] => [...json.matchAll(/":"(?:[^"\\]|\\.)*(?=")/g)];

/** The body with an object in place of one of its texts, counted from 0; null if there is no such text. */
function withObject(json: string, place: number): string | null {
  const text = textsIn(json)[place];
  if (text === undefined) return null;
  return `${json.slice(0, text.index)}":{}${json.slice(text.index + text[0].length + 1)}`;
}

/** The body with bytes at the end of one of its texts, counted from 0; null if there is no such text. */
function inText(json: string, place: number, inserted: readonly number[]): Uint8Array | null {
  const text = textsIn(json)[place];
  if (text === undefined) return null;
  const end = text.index + text[0].length;
  return Buffer.concat([Buffer.from(json.slice(0, end)), Buffer.from(inserted), Buffer.from(json.slice(end))]);
}
