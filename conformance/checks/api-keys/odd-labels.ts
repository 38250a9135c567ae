import { check } from "../../context/check.ts";
import { dataOf, isSuccess, objectOf, summaryOf } from "../../exchange/exchange.ts";
import { NotApplicable } from "../../outcome/verdict.ts";
import { newLabel } from "../../provision/new-label.ts";
import { refusesBody } from "../../steps/body-refusals.ts";
import { readScope } from "../../steps/grantable.ts";
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
  title: "An odd label is admitted or refused as invalid, and one that is given twice names two keys",
  rules: ["KEYC-12", "KEYC-40"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 5 + Object.keys(odd).length },
  async run(t) {
    const main = await (await t.tenant({ limits: wide })).main();
    await t.createKey(main, [readScope]);
    const { label: _, ...unnamed } = { label: newLabel(), scopes: [readScope] };
    const bodies = [
      ...Object.entries(odd).map(([what, label]) => [what, { ...unnamed, label }] as const),
      ["no label", unnamed] as const,
      ["null for a label", { ...unnamed, label: null }] as const,
    ];
    const twice = { ...unnamed, label: newLabel() };
    const [one, two] = [
      await t.call("createApiKey", { body: twice }, main),
      await t.call("createApiKey", { body: twice }, main),
    ];
    // Whether two keys may have one label is open.
    if (isSuccess(one) && isSuccess(two)) {
      for (const name of ["id", "plaintext"]) {
        const [first, second] = [one, two].map((exchange) => objectOf(dataOf(exchange))?.[name]);
        t.verify("KEYC-12", first !== second, {
          expected: `two values of ${name} for two creations with one label`,
          actual: "one",
          exchanges: [one, two],
        });
      }
    }
    let isRefused = false;
    for (const [what, body] of bodies) {
      const exchange = await t.call("createApiKey", { body }, main);
      if (isSuccess(exchange)) continue;
      isRefused = true;
      t.verify("KEYC-40", refusesBody(exchange), {
        expected: `success, or a refusal as invalid, for ${what}`,
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
    }
    if (!isRefused) throw new NotApplicable("every odd label was admitted");
    if (!isSuccess(one) || !isSuccess(two))
      throw new NotApplicable(`a second key of one label was answered ${summaryOf(isSuccess(one) ? two : one)}`);
  },
});
