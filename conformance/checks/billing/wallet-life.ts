import * as fc from "fast-check";
import { outage } from "../../arrangements/outage.ts";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked } from "../../outcome/verdict.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy, hasCodeOf } from "../../steps/answered-by.ts";
import {
  callTopUp,
  creditedBy,
  disableAutoTopUp,
  microsInCent,
  type Product,
  productsOf,
} from "../../steps/billing.ts";
import { brandPriceMicros, callBrand } from "../../steps/brand.ts";
import { balanceOf, balanceOnce, callLookup } from "../../steps/lookup.ts";

type WalletRule = "BIL-12" | "BIL-23" | "BIL-95" | "BRD-01" | "LKP-04" | "LKP-05" | "LKP-08";

const owners = [0, 1] as const;

type Owner = (typeof owners)[number];

interface Real {
  readonly t: CheckContext<WalletRule>;
  readonly callers: readonly [Credential, Credential];
  readonly smallest: readonly [Product, Product];
}

/** What one call did to the wallet of its organization, in millionths of a US dollar. */
interface Move {
  readonly exchange: Exchange;
  readonly before: number;
  readonly after: number;
}

type WalletCommand = fc.AsyncCommand<object, Real>;

/** The wallet before a call, and once it is as wanted after it, or what it is in the end. */
async function moved(
  t: CheckContext,
  as: Credential,
  call: () => Promise<Exchange>,
  wanted: (exchange: Exchange, before: number) => (balance: number) => boolean,
): Promise<Move> {
  const before = await balanceOf(as.tenant);
  const exchange = await call();
  return { exchange, before, after: await balanceOnce(t, as.tenant, wanted(exchange, before)) };
}

/** A command of one organization, which is to leave the wallet of the other one alone. */
const command = (name: string, owner: Owner, run: (real: Real, as: Credential) => Promise<Move>): WalletCommand => ({
  check: () => true,
  async run(_, real) {
    const { t, callers } = real;
    const other = callers[owner === 0 ? 1 : 0];
    const theirs = await balanceOf(other.tenant);
    const { exchange } = await run(real, callers[owner]);
    t.equal("BIL-95", "the wallet of another organization", await balanceOf(other.tenant), theirs, exchange);
  },
  toString: () => `${name}(${owner})`,
});

/** Whether nothing was charged for want of money. Blocks where a call is refused for anything else. */
function isUncovered(t: CheckContext<"BIL-12">, what: string, { exchange, before, after }: Move): boolean {
  if (isSuccess(exchange)) return false;
  if (!hasCodeOf(exchange, "InsufficientCredit"))
    throw new Blocked(`${what} was answered ${summaryOf(exchange)}`, "see the rules of its refusals first", "server");
  return t.equal("BIL-12", `the wallet after ${what} that it does not cover`, after, before, exchange);
}

const lookUp = (owner: Owner): WalletCommand =>
  command("lookUp", owner, async ({ t }, as) => {
    const move = await moved(
      t,
      as,
      () => callLookup(t, as),
      (exchange, before) => (balance) => !isSuccess(exchange) || balance < before,
    );
    if (isUncovered(t, "a lookup", move) || !isSuccess(move.exchange)) return move;
    t.verify("LKP-05", move.after < move.before, {
      expected: `less than ${move.before} millionths of a US dollar`,
      actual: String(move.after),
      exchanges: [move.exchange],
    });
    return move;
  });

const failToLookUp = (owner: Owner): WalletCommand =>
  command("failToLookUp", owner, async ({ t }, as) => {
    await as.tenant.arrange(outage, { kind: "lookup", calls: 1 });
    const move = await moved(
      t,
      as,
      () => callLookup(t, as),
      (_, before) => (balance) => balance === before,
    );
    // One that is refused for want of money may fail no lookup: the next would.
    await as.tenant.arrange(outage, { kind: "lookup", calls: 0 });
    if (answeredBy(move.exchange, "LookupFailed"))
      t.equal("LKP-08", "the wallet after a failed lookup", move.after, move.before, move.exchange);
    else if (!isUncovered(t, "a failing lookup", move))
      throw new Blocked(`a failing lookup was answered ${summaryOf(move.exchange)}`, "see LKP-07 first", "server");
    return move;
  });

/** A number of Germany. */
const elsewhere = "+493012345678";

const lookUpElsewhere = (owner: Owner): WalletCommand =>
  command("lookUpElsewhere", owner, async ({ t }, as) => {
    const move = await moved(
      t,
      as,
      () => callLookup(t, as, { number: elsewhere }),
      (_, before) => (balance) => balance === before,
    );
    if (!isSuccess(move.exchange))
      t.equal("LKP-04", "the wallet after a lookup elsewhere", move.after, move.before, move.exchange);
    return move;
  });

const register = (owner: Owner): WalletCommand =>
  command("register", owner, async ({ t }, as) => {
    const move = await moved(
      t,
      as,
      () => callBrand(t, as),
      (exchange, before) => (balance) => !isSuccess(exchange) || balance <= before - brandPriceMicros,
    );
    if (!isUncovered(t, "a brand", move) && isSuccess(move.exchange))
      t.equal("BRD-01", "the wallet after a brand", move.after, move.before - brandPriceMicros, move.exchange);
    return move;
  });

const payIn = (owner: Owner): WalletCommand =>
  command("payIn", owner, async ({ t, smallest }, as) => {
    const { id, cents } = smallest[owner];
    const wanted = (before: number): number => before + cents * microsInCent;
    const before = await balanceOf(as.tenant);
    const exchange = t.control(await callTopUp(t, as, id), "a top-up");
    const after = await creditedBy(t, as.tenant, [exchange], (balance) => balance === wanted(before), before);
    t.equal("BIL-23", "the wallet after a top-up", after, wanted(before), exchange);
    return { exchange, before, after };
  });

/** Wallets of two organizations, which cover a brand and a little more at first. */
export const walletLife = check({
  id: "billing.wallet-life",
  title: "Whatever was paid before, each charge, refusal, refund and top-up moves its own wallet by what it says",
  rules: ["BIL-12", "BIL-23", "BIL-95", "BRD-01", "LKP-04", "LKP-05", "LKP-08"],
  kind: "property",
  needs: ["state", "wallet", "outage", "reseller-mode"],
  effects: ["creates", "spends"],
  draws: {},
  mostRuns: 10,
  async run(t) {
    const wish = { clock: "manual", is_reseller: true, wallet_micros: brandPriceMicros + 2 * microsInCent } as const;
    const run = async (sequence: Iterable<WalletCommand>): Promise<void> => {
      const callers = [await (await t.otherTenant(wish)).main(), await (await t.otherTenant(wish)).main()] as const;
      // What tops a wallet up by itself would hide what a charge left.
      for (const as of callers) await disableAutoTopUp(t, as);
      // Each has its own, which may be products for nobody else.
      const [[one], [other]] = [await productsOf(t, callers[0]), await productsOf(t, callers[1])];
      const smallest = [one, other] as const;
      for (const each of sequence) await each.run({}, { t, callers, smallest });
    };
    const owner = fc.constantFrom<Owner[]>(...owners);
    const commands = [lookUp, failToLookUp, lookUpElsewhere, register, payIn].map((make) => owner.map(make));
    // An array, whose path says all that is needed to find a sequence again.
    await t.property(fc.array(fc.oneof(...commands), { minLength: 2, maxLength: 8, size: "max" }), run);
    // Shrinking aside, every rule must have been put to the test at least once.
    await run([
      ...[lookUp(0), failToLookUp(0), lookUpElsewhere(1), register(0), register(0), register(0), failToLookUp(0)],
      ...[payIn(0), failToLookUp(0), lookUp(0), register(1), lookUp(1), register(1), payIn(1), lookUp(1), register(1)],
    ]);
  },
});
