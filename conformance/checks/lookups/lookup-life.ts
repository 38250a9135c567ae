import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import type { Credential } from "../../provision/tenant.ts";
import { balanceOf, balanceOnce, callLookup, lookupIn, paid, priceOf, shownIn } from "../../steps/lookup.ts";
import { isSameId } from "../../steps/settle.ts";

type LifeRule = "LKP-09" | "LKP-10" | "LKP-14" | "LKP-15" | "LKP-16";

const owners = [0, 1] as const;
const keys = [0, 1, 2] as const;

type Owner = (typeof owners)[number];
type Key = (typeof keys)[number];

/** What the model knows: the lookup under each key of each organization, and what was made in all. */
interface Model {
  readonly known: Map<string, { readonly id: string; readonly exchange: Exchange }>;
  readonly made: Set<string>;
}

interface Real {
  readonly t: CheckContext<LifeRule>;
  readonly callers: readonly [Credential, Credential];
  /** What a lookup costs each of them. */
  readonly prices: readonly [number, number];
  /** Texts of the keys, new for each sequence. */
  readonly texts: readonly string[];
}

type LifeCommand = fc.AsyncCommand<Model, Real>;

/** Lookups of two organizations, with a few keys that both use, one by one and at once. */
export const lookupLife = check({
  id: "lookups.lookup-life",
  title: "Whatever was asked before, a key stands for one lookup of its organization, which is charged once",
  rules: ["LKP-09", "LKP-10", "LKP-14", "LKP-15", "LKP-16"],
  kind: "property",
  needs: ["state"],
  effects: ["creates", "spends"],
  draws: {},
  mostRuns: 20,
  async run(t) {
    const callers = [
      await (await t.tenant({ clock: "manual" })).main(),
      await (await t.otherTenant({ clock: "manual" })).main(),
    ] as const;
    const prices = [await priceOf(t, callers[0]), await priceOf(t, callers[1])] as const;
    const owner = fc.constantFrom<Owner[]>(...owners);
    const key = fc.constantFrom<Key[]>(...keys);
    const commands = [
      fc.tuple(owner, key).map(([whose, which]) => call(whose, which, 1)),
      fc.tuple(owner, key, fc.integer({ min: 2, max: 4 })).map(([whose, which, times]) => call(whose, which, times)),
      owner.map(keyless),
    ];
    const run = async (sequence: Iterable<LifeCommand>): Promise<void> => {
      const model: Model = { known: new Map(), made: new Set() };
      const real: Real = { t, callers, prices, texts: keys.map(() => randomUUID()) };
      for (const command of sequence) if (command.check(model)) await command.run(model, real);
    };
    // An array, whose path says all that is needed to find a sequence again.
    await t.property(fc.array(fc.oneof(...commands), { maxLength: 8 }), run);
    // Shrinking aside, every rule must have been put to the test at least once.
    await run([call(0, 0, 1), call(0, 0, 1), call(1, 0, 1), keyless(0), call(0, 1, 3), call(0, 0, 2)]);
  },
});

/** So many calls at once with one key. */
const call = (owner: Owner, key: Key, times: number): LifeCommand => ({
  check: () => true,
  async run(model, { t, callers, prices, texts }) {
    const [as, price] = [callers[owner], prices[owner]];
    const before = await balanceOf(as.tenant);
    const wish = { key: texts[key] ?? "" };
    const exchanges = await Promise.all(Array.from({ length: times }, () => callLookup(t, as, wish)));
    const place = `${owner} ${key}`;
    const known = model.known.get(place);
    const isCharged = (balance: number): boolean =>
      known !== undefined || !exchanges.some(isSuccess) || balance < before;
    const cost = before - (await balanceOnce(t, as.tenant, isCharged));
    const ids = exchanges.filter(isSuccess).map((exchange) => shownIn(t, "createLookup", exchange).id ?? "");
    if (known !== undefined) {
      // Whatever else may meet, one of them finds what there is.
      t.verify("LKP-09", ids.length > 0 && ids.every((id) => isSameId(id, known.id)), {
        expected: `the lookup ${known.id}, which there is already`,
        actual: ids.length === 0 ? exchanges.map(summaryOf).join(", ") : ids.join(", "),
        exchanges: [known.exchange, ...exchanges],
      });
      t.equal("LKP-10", "what retries cost", cost, 0, known.exchange, ...exchanges);
      return;
    }
    const [first = exchanges[0]] = exchanges.filter(isSuccess);
    if (first === undefined) throw new Error("No call was made.");
    const { id } = lookupIn(t, paid(first));
    const isNew = !model.made.has(id.toLowerCase());
    const isOthers = model.known.get(`${1 - owner} ${key}`)?.id.toLowerCase() === id.toLowerCase();
    t.verify("LKP-15", !isOthers, {
      expected: "a lookup of the organization's own",
      actual: `the other organization's lookup ${id}`,
      exchanges: [first],
    });
    t.verify("LKP-16", isNew && cost > 0, {
      expected: "another lookup for another key, with a charge of its own",
      actual: `the lookup ${id}, ${cost} charged`,
      exchanges: [first],
    });
    if (times > 1)
      t.verify("LKP-14", cost < 2 * price && ids.every((each) => isSameId(each, id)), {
        expected: `one lookup, and less charged for ${times} calls at once than two lookups for ${price}`,
        actual: `${new Set(ids).size} lookups and ${cost} charged`,
        exchanges,
      });
    model.known.set(place, { id, exchange: first });
    model.made.add(id.toLowerCase());
  },
  toString: () => `call(organization ${owner}, key ${key}${times > 1 ? `, ${times} at once` : ""})`,
});

/** A call without a key is a lookup of its own. */
const keyless = (owner: Owner): LifeCommand => ({
  check: () => true,
  async run(model, { t, callers }) {
    const as = callers[owner];
    const before = await balanceOf(as.tenant);
    const { id, exchange } = lookupIn(t, paid(await callLookup(t, as)));
    await balanceOnce(t, as.tenant, (balance) => balance < before);
    t.verify("LKP-16", !model.made.has(id.toLowerCase()), {
      expected: "another lookup for a call without a key",
      actual: `the lookup ${id} again`,
      exchanges: [exchange],
      // The rule speaks of another key; who has none may be told what is known of the number.
      warnOnly: true,
    });
    model.made.add(id.toLowerCase());
  },
  toString: () => `call(organization ${owner}, no key)`,
});
