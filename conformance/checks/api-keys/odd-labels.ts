import { check } from "../../check/check.ts";
import { newLabel } from "../../check/new-label.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { answeredBy } from "../authentication/answered-by.ts";
import { readScope } from "./grantable.ts";
import { wide } from "./valid-creations.ts";

/** Labels that a server may well refuse, by what is odd about them. */
const odd: Readonly<Record<string, string>> = {
  "no characters": "",
  "blanks alone": "   ",
  "a NUL": "a\u0000b",
  "a line break and a tab": "a\n\tb",
  "a terminal's escape": "\u001b[31mred",
  "half a surrogate pair": "a\ud800b",
  "a character that is none": "a\uffffb",
  "an override of the direction": "a\u202eb",
  "256 characters": "a".repeat(256),
  "1000 characters beyond the first plane": "𝒷".repeat(1000),
  "10000 characters": "a".repeat(10_000),
  "a quote of SQL": "'; --",
};

/** Creations with labels of which nothing says whether they are admitted. */
export const oddLabels = check({
  id: "api-keys.odd-labels",
  title: "An odd label is admitted or refused as invalid",
  rules: ["KEYC-40"],
  kind: "scenario",
  needs: ["limit-override"],
  effects: ["creates"],
  draws: { apiKeyWrites: 1 + Object.keys(odd).length },
  async run(t) {
    const main = await (await t.tenant({ limits: wide })).main();
    await t.createKey(main, [readScope]);
    const { label: _, ...unnamed } = { label: newLabel(), scopes: [readScope] };
    const bodies = [
      ...Object.entries(odd).map(([what, label]) => [what, { ...unnamed, label }] as const),
      ["no label", unnamed] as const,
      ["null for a label", { ...unnamed, label: null }] as const,
    ];
    const rows = ["InvalidInput", "ValidationFailed400", "ValidationFailed"] as const;
    for (const [what, body] of bodies) {
      const exchange = await t.call("createApiKey", { body }, main);
      t.verify("KEYC-40", isSuccess(exchange) || rows.some((row) => answeredBy(exchange, row)), {
        expected: `success, or a refusal as invalid, for ${what}`,
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
    }
  },
});
