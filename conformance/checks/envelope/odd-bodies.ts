import type { Check } from "../../context/check.ts";
import { callDraws, sumOfDraws } from "../../context/draws.ts";
import { forEachOperation } from "../../context/for-each-operation.ts";
import { isSuccess, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { takesBody } from "../../steps/flaws.ts";
import { roomyLimits } from "../../steps/roomy-limits.ts";
import { soundCall } from "../../steps/sound-call.ts";
import { soundInputCost } from "../../steps/sound-input.ts";
import { envelopeFlaws } from "./envelope-flaws.ts";

/** The text of a sound body with one member more. */
const withMember = (json: string, member: string): string =>
  json.replace(/^\{/, json === "{}" ? `{${member}` : `{${member},`);

/** The body with a member whose text is these bytes. */
const withBytes = (json: string, bytes: readonly number[]): Uint8Array => {
  const [before = "", after = ""] = withMember(json, '"bylaw":"|"').split("|");
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
};

/** The body with more at the end of each of its texts, however deep. */
const withEachText = (json: string, more: string): string =>
  JSON.stringify(JSON.parse(json), (_, value: unknown) => (typeof value === "string" ? `${value}${more}` : value));

/** Bodies that a client may well send, by what is odd about them; whether they are refused is open. */
const odd: Readonly<Record<string, (json: string) => string | Uint8Array>> = {
  "no text at all": () => "",
  "blanks alone": () => "  \n",
  null: () => "null",
  "a list": (json) => `[${json}]`,
  "an empty list": () => "[]",
  "a text": (json) => JSON.stringify(json),
  "a number": () => "7",
  "a member more": (json) => withMember(json, '"bylaw":{"a":[1,null]}'),
  "a member that JavaScript knows": (json) =>
    withMember(json, '"__proto__":{"a":1},"constructor":{"prototype":{"a":1}}'),
  "a member twice": (json) => withMember(json, json.slice(1, -1) || '"reason":"a","reason":"b"'),
  "a member without a name": (json) => withMember(json, '"":1'),
  "numbers that no double holds": (json) => withMember(json, '"bylaw":[9007199254740993,1e400,-0,1e-400]'),
  "half a surrogate pair": (json) => withMember(json, '"bylaw":"\\ud800"'),
  // Whoever tells what was wrong writes it into the answer.
  "half a surrogate pair in a member's name": (json) => withMember(json, '"\\ud800":1'),
  "half a surrogate pair in each text": (json) => withEachText(json, "\ud800"),
  "a NUL in each text": (json) => withEachText(json, "\0"),
  "a NUL in a text": (json) => withMember(json, '"bylaw":"a\\u0000b"'),
  "a thousand lists in each other": (json) => withMember(json, `"bylaw":${"[".repeat(1000)}${"]".repeat(1000)}`),
  "a text of 150000 characters": (json) => withMember(json, `"bylaw":"${"a".repeat(150_000)}"`),
  "a byte order mark": (json) => `\ufeff${json}`,
  "a byte in a text that no UTF-8 has": (json) => withBytes(json, [0xff]),
  "a letter of Latin-1 in a text": (json) => withBytes(json, [0xe9]),
  "an overlong slash in a text": (json) => withBytes(json, [0xc0, 0xaf]),
  "half a surrogate pair in three bytes": (json) => withBytes(json, [0xed, 0xa0, 0x80]),
  "a code point beyond Unicode": (json) => withBytes(json, [0xf4, 0x90, 0x80, 0x80]),
  "half of a letter": (json) => withBytes(json, [0xc3]),
  "UTF-16": (json) => Buffer.from(`\ufeff${json}`, "utf16le"),
};

/** Media types that are not that of JSON. */
const otherTypes = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "bylaw"];

/** A sound call of every operation that takes a body, then the same with a body that is odd. */
export const oddBodies: readonly Check[] = forEachOperation((operation) => {
  if (!takesBody(operation)) return null;
  const { id, method, path, draws } = operation;
  const calls = 1 + Object.keys(odd).length + otherTypes.length;
  const inputs = soundInputCost(operation, calls);
  return {
    id: "envelope.odd-bodies",
    title: `An odd body for ${method} ${path} is taken or refused, and does not make the server fail`,
    rules: ["ENV-36"],
    kind: "scenario",
    needs: ["key"],
    effects: ["creates"],
    draws: sumOfDraws([inputs.draws, callDraws(draws, calls)]),
    sharedKeys: inputs.sharedKeys,
    async run(t) {
      const tenant = await t.tenant(roomyLimits(operation));
      const { caller, exchange: sound, again } = await soundCall(t, operation, tenant);
      t.control(sound, `${method} ${sound.request.url}`);
      let { body, ...rest } = await again();
      const bodies = [
        ...Object.entries(odd).map(([what, of]) => ({ what, of, headers: {} })),
        ...otherTypes.map((type) => ({
          what: `the media type ${type}`,
          of: (json: string): string | Uint8Array => json,
          headers: { "content-type": type },
        })),
      ];
      for (const { what, of, headers } of bodies) {
        const exchange = await t.call(id, { ...rest, headers, rawBody: of(JSON.stringify(body)) }, caller);
        const held = isSuccess(exchange) || (envelopeFlaws(exchange).length === 0 && (statusOf(exchange) ?? 0) < 500);
        t.verify("ENV-36", held, {
          expected: `success or a 4xx in the envelope for a body with ${what}`,
          actual: summaryOf(exchange),
          exchanges: [exchange],
        });
        // What was taken all the same must not come again: a server may want every creation to be another.
        if (isSuccess(exchange)) ({ body, ...rest } = await again());
      }
    },
  };
});
