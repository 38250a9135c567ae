import { constants } from "../../../generated/constants.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { rowNamed, rowText } from "../../exchange/admits.ts";
import { type Exchange, errorOf, summaryOf } from "../../exchange/exchange.ts";
import { newLabel } from "../../provision/new-label.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { grantable, unknownScope } from "../../steps/grantable.ts";
import type { NearMiss } from "../../steps/near-misses/near-miss.ts";
import { nearMisses } from "../../steps/near-misses/near-misses.ts";
import { wide } from "./valid-creations.ts";

/** Lists that hold what is almost a scope, or a scope twice, in every place. */
export const nearMissScopes = check({
  id: "api-keys.near-miss-scopes",
  title: "What is almost a scope is unknown, and a scope given twice is refused wherever it stands",
  rules: ["KEYC-15", "KEYC-16", "KEYC-18", "KEYC-19", "KEYC-20"],
  kind: "sampled",
  needs: ["key"],
  effects: ["creates"],
  draws: { apiKeyWrites: 100 },
  async run(t) {
    const main = await (await t.tenant({ limits: wide })).main();
    const scopes = grantable(main);
    const [first = unknownScope, ...others] = scopes;
    const last = others.at(-1) ?? first;
    await t.createKey(main, scopes);
    const create = (list: readonly unknown[]) =>
      t.call("createApiKey", { body: { label: newLabel(), scopes: list } }, main);

    for (const [scope, { dimension, values, arguable }] of missesOf(t, scopes)) {
      for (const value of values) {
        const exchange = await create([value]);
        t.verify("KEYC-15", answeredBy(exchange, "InvalidInput"), {
          expected: `${rowText(rowNamed("InvalidInput"))} for ${scope} with ${dimension}`,
          admits: ["InvalidInput"],
          actual: summaryOf(exchange),
          exchanges: [exchange],
          warnOnly: arguable,
        });
      }
    }
    for (const scope of jokers) {
      const exchange = await create([scope]);
      t.verify("KEYC-15", answeredBy(exchange, "InvalidInput"), {
        expected: `${rowText(rowNamed("InvalidInput"))} for the scope ${scope}`,
        admits: ["InvalidInput"],
        actual: summaryOf(exchange),
        exchanges: [exchange],
        // Scopes of this form may be known that the document does not name.
        warnOnly: scope.includes(":"),
      });
    }
    await refusedAgain(t, "KEYC-15", () => create([...scopes, ""]));
    for (const list of placed(unknownScope, scopes)) await refusedAgain(t, "KEYC-15", () => create(list));
    for (const list of placed(constants.unknownScope, scopes)) await refusedAgain(t, "KEYC-16", () => create(list));
    for (const list of [
      [...scopes, first],
      [first, first, ...others],
      [...scopes, last],
      [...scopes, ...scopes],
      [first, first, first],
    ])
      await refusedAgain(t, "KEYC-18", () => create(list));
  },
});

/** What might mean more than one scope. */
const jokers = ["*", "all", "admin", "*:*", "admin:*"] as const;

/** All near misses of one scope, and of each other scope a few. */
function missesOf(t: CheckContext, scopes: readonly string[]): readonly (readonly [string, NearMiss])[] {
  const whole = Math.floor(t.random() * scopes.length);
  return scopes.flatMap((scope, index) => {
    const all = nearMisses(scope, { kind: "name" }, t.random);
    const from = Math.floor(t.random() * all.length);
    return (index === whole ? all : all.slice(from, from + 2)).map((each) => [scope, each] as const);
  });
}

/** Lists with the scope before, amid and behind others that are sound. */
const placed = (scope: string, scopes: readonly string[]): readonly (readonly string[])[] => {
  const half = Math.ceil(scopes.length / 2);
  return [
    [scope, ...scopes],
    [...scopes.slice(0, half), scope, ...scopes.slice(half)],
    [...scopes, scope],
  ];
};

/** Decides that a list is refused, without details, and that the same is said of it when it is sent again. */
async function refusedAgain(
  t: CheckContext,
  rule: "KEYC-15" | "KEYC-16" | "KEYC-18",
  create: () => Promise<Exchange>,
): Promise<void> {
  const exchange = await create();
  if (!t.refused(rule, exchange, "InvalidInput")) return;
  t.equal("KEYC-19", "error.details", errorOf(exchange)?.details, undefined, exchange);
  for (const again of [await create(), await create()]) t.refused("KEYC-20", again, "InvalidInput");
}
