import type { ErrorRowName } from "../../../generated/error-rows.ts";
import { operations } from "../../../generated/operations.ts";
import { organizationState } from "../../arrangements/organization-state.ts";
import { callerOf } from "../../context/caller-of.ts";
import type { Check } from "../../context/check.ts";
import type { CallInput, CheckContext } from "../../context/context.ts";
import { callDraws, sumOfDraws } from "../../context/draws.ts";
import { type ApiOperation, forEachOperation } from "../../context/for-each-operation.ts";
import { type Exchange, isSuccess, summaryOf } from "../../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../../outcome/verdict.ts";
import type { Tenant } from "../../provision/tenant.ts";
import { hasCodeOf } from "../../steps/answered-by.ts";
import { leftAsItWas, stateText, untilAtRest } from "../../steps/effect-of.ts";
import { balanceOf, balanceOnce } from "../../steps/lookup.ts";
import { soundInput, soundInputCost } from "../../steps/sound-input.ts";

const uncoveredRow: ErrorRowName = "InsufficientCredit";

/** Organizations in which it is tried again what seems to be wrong: what was done before may have to do with it. */
const patience = 3;

/** Every operation that is charged, with a wallet that is empty and with one that lacks a millionth of a dollar. */
export const uncovered: readonly Check[] = forEachOperation((operation) => {
  const { id, method, path, draws, shortages } = operation;
  if (!shortages.includes("credit")) return null;
  return {
    id: "billing.uncovered",
    title: `${method} ${path} changes nothing where the wallet does not cover it`,
    rules: ["BIL-12"],
    kind: "scenario",
    needs: ["state", "wallet"],
    effects: ["creates"],
    draws: sumOfDraws([soundInputCost(operation, 3).draws, callDraws(draws, 3)]),
    async run(t) {
      const rich = await t.tenant({ clock: "manual" });
      const input = await soundInput(id, t, rich);
      const before = await balanceOf(rich);
      t.control(await t.call(id, input, await callerOf(operation, rich)), `${method} ${path} with money`);
      const price = before - (await balanceOnce(t, rich, (balance) => balance < before));
      if (price <= 0) throw new NotApplicable(`${id} is charged nothing`);
      for (const balance of price > 1 ? [0, price - 1] : [0]) {
        const { exchange, shows } = await refusalWith(t, operation, balance);
        leftAsItWas(t, "BIL-12", shows, exchange);
      }
    },
  };
});

/** Calls that the wallet covers, of those that arrive together. */
const covered = 2;

/** Calls that arrive together. */
const atOnce = 6;

/** Times that it is looked once more whether a charge is made at once, where more are done than the wallet covers. */
const furtherLooks = 3;

/** Every operation that is charged, asked for at once more often than the wallet covers. */
export const uncoveredAtOnce: readonly Check[] = forEachOperation((operation) => {
  const { id, method, path, draws, shortages } = operation;
  if (!shortages.includes("credit")) return null;
  const calls = 1 + patience * (covered + 1 + atOnce + furtherLooks);
  return {
    id: "billing.uncovered-at-once",
    title: `Of calls of ${method} ${path} at once no more are done than the wallet covers`,
    rules: ["BIL-35"],
    kind: "scenario",
    needs: ["state", "wallet"],
    effects: ["creates", "spends"],
    draws: sumOfDraws([soundInputCost(operation, calls).draws, callDraws(draws, calls)]),
    async run(t) {
      const rich = await t.tenant({ clock: "manual" });
      const input = await soundInput(id, t, rich);
      const before = await balanceOf(rich);
      t.control(await t.call(id, input, await callerOf(operation, rich)), `${method} ${path} with money`);
      const isChargedAtOnce = (await balanceOf(rich)) < before;
      const price = before - (await balanceOnce(t, rich, (balance) => balance < before));
      if (price <= 0) throw new NotApplicable(`${id} is charged nothing`);
      // Until then, a wallet still covers what it pays for.
      if (!isChargedAtOnce) throw new NotApplicable(`${id} is charged later than it is done`);
      const wish = { clock: "manual", wallet_micros: covered * price } as const;
      for (let tries = 1; ; tries += 1) {
        // Prices may depend on whose call it is, and on how many there were: what one after the other comes to tells.
        const most = await doneInTurn(t, operation, await t.otherTenant(wish));
        const done = await doneAtOnce(t, operation, await t.otherTenant(wish));
        // What is charged a moment later is seen too late now and then.
        for (let look = 1; done.length > most && look <= furtherLooks; look += 1) {
          const held = await balanceOf(rich);
          const further = await t.call(id, await soundInput(id, t, rich), await callerOf(operation, rich));
          if (!isSuccess(further)) break;
          if ((await balanceOf(rich)) >= held) throw new NotApplicable(`${id} is charged later than it is done`);
          await balanceOnce(t, rich, (balance) => balance < held);
        }
        // What was charged besides may have been another's of two organizations: what is so each time is not.
        if (done.length > most && tries < patience) continue;
        t.verify("BIL-35", done.length <= most, {
          expected: `at most ${most} of ${atOnce} calls at once done, as one after the other`,
          actual: `${done.length} were`,
          exchanges: done.slice(0, most + 1),
          // What becomes of a send that is not covered is open.
          warnOnly: id === operations.sendMessage.id,
        });
        return;
      }
    },
  };
});

/** The calls that are done of those that an organization makes at once. */
async function doneAtOnce(t: CheckContext, operation: ApiOperation, tenant: Tenant): Promise<readonly Exchange[]> {
  const caller = await callerOf(operation, tenant);
  const inputs: CallInput[] = [];
  for (let call = 1; call <= atOnce; call += 1) inputs.push(await soundInput(operation.id, t, tenant));
  return (await Promise.all(inputs.map((each) => t.call(operation.id, each, caller)))).filter(isSuccess);
}

/** How many calls one after the other are done until the wallet does not cover another one. */
async function doneInTurn(t: CheckContext, operation: ApiOperation, tenant: Tenant): Promise<number> {
  const caller = await callerOf(operation, tenant);
  for (let done = 0; done <= covered; done += 1) {
    const before = await balanceOf(tenant);
    const exchange = await t.call(operation.id, await soundInput(operation.id, t, tenant), caller);
    if (hasCodeOf(exchange, uncoveredRow)) return done;
    t.control(exchange, `${operation.method} ${operation.path}`);
    await balanceOnce(t, tenant, (balance) => balance < before);
  }
  throw new NotApplicable(`${operation.id} is done without money`);
}

/** The refusal of a call that a wallet does not cover, and what the organization had before and after it. */
async function refusalWith(t: CheckContext<"BIL-12">, operation: ApiOperation, wallet_micros: number) {
  for (let tries = 1; ; tries += 1) {
    const poor = await t.otherTenant({ clock: "manual", wallet_micros });
    const caller = await callerOf(operation, poor);
    const input = await soundInput(operation.id, t, poor);
    await untilAtRest(t, poor);
    const before = await poor.arrange(organizationState, {});
    const exchange = await t.call(operation.id, input, caller);
    const after = await poor.arrange(organizationState, {});
    // Whether the wallet is looked at before a call is done is each operation's own rule.
    if (isSuccess(exchange)) throw new NotApplicable(`${operation.id} is done without money: ${summaryOf(exchange)}`);
    // The status is each operation's own rule, and that of the catalog.
    if (!hasCodeOf(exchange, uncoveredRow))
      throw new Blocked(
        `${operation.id} without money was answered ${summaryOf(exchange)}`,
        "see the operation's own rules",
        "server",
        exchange,
      );
    if (stateText(after) === stateText(before) || tries === patience) return { exchange, shows: { before, after } };
  }
}
