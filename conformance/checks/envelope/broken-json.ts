import type { Check } from "../../context/check.ts";
import { callDraws, sumOfDraws } from "../../context/draws.ts";
import { forEachOperation } from "../../context/for-each-operation.ts";
import { rowAllows, rowNamed, rowsWithCode } from "../../exchange/admits.ts";
import { codeOf, isSuccess, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { takesBody } from "../../steps/flaws.ts";
import { soundCall } from "../../steps/sound-call.ts";
import { soundInputCost } from "../../steps/sound-input.ts";
import { envelopeFlaws, envelopeSummary } from "./envelope-flaws.ts";

/** Ways to break the text of a JSON object, each with one fault of syntax. */
const faults: Readonly<Record<string, (json: string) => string | Uint8Array>> = {
  "cut short": (json) => json.slice(0, -1),
  "a brace too many": (json) => `${json}}`,
  "a trailing comma": (json) => json.replace(/\}$/, ",}"),
  "single quotes": (json) => json.replaceAll('"', "'"),
  "a name without quotes": (json) => json.replace(/"(\w+)":/, "$1:"),
  "a bare word": (json) => json.replace(/:"[^"]*"/, ":bylaw"),
  "a NUL between two tokens": (json) => json.replace("{", "{\u0000"),
  "a comment": (json) => json.replace("{", "{/* bylaw */"),
  "a line break within a text": (json) => json.replace(/:"/, ':"\n'),
  "a byte that no text has between two tokens": (json) => bytesAfterBrace(json, [0xff]),
  "a letter in Latin-1 between two tokens": (json) => bytesAfterBrace(json, [0xe9]),
};

const bytesAfterBrace = (json: string, bytes: readonly number[]): Uint8Array =>
  Buffer.concat([Buffer.from("{"), Buffer.from(bytes), Buffer.from(json.replace("{", ""))]);

/** A sound call of every operation that takes a body, then the same with a body that is no JSON. */
export const brokenJson: readonly Check[] = forEachOperation((operation) => {
  if (!takesBody(operation)) return null;
  const { id, method, path, draws } = operation;
  const calls = 2 + Object.keys(faults).length;
  const inputs = soundInputCost(operation, calls);
  return {
    id: "envelope.broken-json",
    title: `A body of broken JSON for ${method} ${path} is refused in the error envelope`,
    rules: ["ENV-31"],
    kind: "scenario",
    needs: ["key"],
    effects: ["creates"],
    draws: sumOfDraws([inputs.draws, callDraws(draws, calls)]),
    sharedKeys: inputs.sharedKeys,
    async run(t) {
      const tenant = await t.tenant();
      const { caller, exchange: sound, again } = await soundCall(t, operation, tenant);
      t.control(sound, `${method} ${sound.request.url}`);
      const rows = [rowNamed("InvalidInput"), rowNamed("ValidationFailed")];
      let { body, ...rest } = await again();
      let seen = 0;
      for (const [fault, broken] of Object.entries(faults)) {
        const rawBody = broken(JSON.stringify(body));
        // Not every body has in it what the fault is about.
        if (isJson(rawBody)) continue;
        const exchange = await t.call(id, { ...rest, rawBody }, caller);
        // What was read although it is broken takes up room, and a server may look for room before it reads.
        if (answeredBy(exchange, "LimitExceeded"))
          throw new Blocked(`${id} was answered ${summaryOf(exchange)}`, "delete endpoints that are not used");
        // Some parsers read more than JSON. What was read all the same must not come again: a server may want every
        // creation to be another.
        if (isSuccess(exchange)) {
          ({ body, ...rest } = await again());
          continue;
        }
        const status = statusOf(exchange) ?? 0;
        const enveloped = envelopeFlaws(exchange).length === 0;
        // New codes may come with a status of their own.
        const isNew = status >= 400 && status < 500 && rowsWithCode(codeOf(exchange) ?? "").length === 0;
        t.verify("ENV-31", enveloped && (isNew || rows.some((row) => rowAllows(row, status))), {
          expected: `${rows.map((row) => row.referenceStatus).join(" or ")} in the error envelope for JSON with ${fault}`,
          actual: envelopeSummary(exchange),
          exchanges: [exchange],
        });
        seen += 1;
      }
      if (seen === 0) throw new NotApplicable(`${id} reads all that is nearly JSON`);
    },
  };
});

function isJson(body: string | Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(body).toString());
    return true;
  } catch {
    return false;
  }
}
