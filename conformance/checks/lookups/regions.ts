import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, errorOf, summaryOf } from "../../exchange/exchange.ts";
import type { Credential } from "../../provision/tenant.ts";
import { noNumbers } from "../../steps/consent.ts";
import { watchingEffects } from "../../steps/effect-of.ts";
import { isRefused } from "../../steps/endpoint.ts";
import { callLookup, makeLookup, numberElsewhere, paid } from "../../steps/lookup.ts";

/** Numbers of other calling codes, of forms that are in use there. */
const numbersElsewhere = [
  ...[numberElsewhere, "+33123456789", "+493012345678", "+34810123456", "+551123456789", "+81312345678"],
  ...["+61212345678", "+917410410123", "+201001234567", "+522221234567", "+79161234567"],
];

/** Shares the calling code +1. */
const numberOfJamaica = "+18765230123";

/** The same of the Bahamas, Bermuda, the Dominican Republic and Trinidad and Tobago. */
const numbersBeside = ["+12423230123", "+14412950123", "+18092210123", "+18686230123"] as const;

const noNumbersAtAll = [...noNumbers, "++12025550123", "+1", "+1202555012a"];

/** Decides that a number is refused for where it is; what came. */
async function lookedUpElsewhere(
  t: CheckContext,
  rule: "LKP-03" | "LKP-21",
  as: Credential,
  number: string,
): Promise<Exchange> {
  const exchange = await callLookup(t, as, { number });
  // Real money may have been used up by the sound one.
  if (!as.tenant.fresh) paid(exchange);
  t.refused(rule, exchange, "LookupUnsupportedRegion");
  return exchange;
}

/** Numbers that cannot be looked up. */
export const regions = check({
  id: "lookups.regions",
  title: "A number outside the United States and Canada, or none at all, is refused",
  rules: ["LKP-03", "LKP-12", "LKP-13"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const tenant = await t.tenant();
    const main = await tenant.main();
    await makeLookup(t, main);
    for (const number of numbersElsewhere) {
      const exchange = await lookedUpElsewhere(t, "LKP-03", main, number);
      t.equal("LKP-03", "error.details", errorOf(exchange)?.details, undefined, exchange);
    }
    t.refused("LKP-12", await callLookup(t, main, { number: numberOfJamaica }), "LookupUnsupportedRegion");
    for (const number of noNumbersAtAll) {
      const exchange = await callLookup(t, main, { number });
      t.verify("LKP-13", isRefused(exchange), {
        expected: `a refusal of the number ${JSON.stringify(number)}`,
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
    }
  },
});

/** Numbers that look as if they could. */
export const regionsBeside = check({
  id: "lookups.regions-beside",
  title: "A number of another country that shares the calling code of the United States is refused",
  rules: ["LKP-21"],
  kind: "scenario",
  needs: ["key"],
  effects: ["creates", "spends"],
  draws: {},
  async run(t) {
    const main = await (await t.tenant()).main();
    await makeLookup(t, main);
    for (const number of numbersBeside) await lookedUpElsewhere(t, "LKP-21", main, number);
  },
});

/** What such a refusal costs. */
export const regionCharge = check({
  id: "lookups.region-charge",
  title: "A number that cannot be looked up is charged nothing",
  rules: ["LKP-04"],
  kind: "scenario",
  needs: ["state"],
  effects: ["creates", "spends"],
  draws: {},
  run: watchingEffects(async (t, effectOf) => {
    const tenant = await t.tenant({ clock: "manual" });
    const main = await tenant.main();
    await makeLookup(t, main);
    for (const number of numbersElsewhere.slice(0, 3)) {
      const { exchange, before, after } = await effectOf(tenant, () => callLookup(t, main, { number }));
      t.equal("LKP-04", "the wallet", after.wallet_micros, before.wallet_micros, exchange);
    }
  }),
});
