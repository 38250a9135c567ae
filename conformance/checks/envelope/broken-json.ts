import { rowAllows, rowNamed, rowsWithCode } from "../../check/admits.ts";
import type { Check } from "../../check/check.ts";
import { newLabel } from "../../check/new-label.ts";
import { codeOf, isSuccess, statusOf } from "../../exchange/exchange.ts";
import { readScope } from "../api-keys/grantable.ts";
import { envelopeFlaws, envelopeSummary } from "./envelope-flaws.ts";

/** Ways to break the text of a JSON object, each with one fault of syntax. */
const faults: Readonly<Record<string, (json: string) => string>> = {
  "cut short": (json) => json.slice(0, -1),
  "a brace too many": (json) => `${json}}`,
  "a trailing comma": (json) => json.replace(/\}$/, ",}"),
  "single quotes": (json) => json.replaceAll('"', "'"),
  "a name without quotes": (json) => json.replace('"label"', "label"),
  "a bare word": (json) => json.replace(/"label":"[^"]*"/, '"label":bylaw'),
  "a NUL between two tokens": (json) => json.replace("{", "{\u0000"),
};

/** A body that is no JSON, otherwise a sound creation. */
export const brokenJson: Check = {
  id: "envelope.broken-json",
  title: "A body of broken JSON is refused in the error envelope",
  rules: ["ENV-31"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: 1 + Object.keys(faults).length,
  async run(t) {
    const main = await (await t.tenant()).main();
    await t.createKey(main, [readScope]);
    const rows = [rowNamed("InvalidInput"), rowNamed("ValidationFailed")];
    for (const [fault, broken] of Object.entries(faults)) {
      const sound = JSON.stringify({ label: newLabel(), scopes: [readScope] });
      const exchange = await t.call("createApiKey", { rawBody: broken(sound) }, main);
      const status = statusOf(exchange) ?? 0;
      const enveloped = envelopeFlaws(exchange).length === 0;
      t.verify("ENV-31", rows.some((row) => rowAllows(row, status)) && enveloped, {
        expected: `${rows.map((row) => row.referenceStatus).join(" or ")} in the error envelope for JSON with ${fault}`,
        actual: envelopeSummary(exchange),
        exchanges: [exchange],
        // Some parsers read more than JSON, and new codes may come with a status of their own.
        warnOnly:
          isSuccess(exchange) || (enveloped && status < 500 && rowsWithCode(codeOf(exchange) ?? "").length === 0),
      });
    }
  },
};
