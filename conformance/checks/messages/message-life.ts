import * as fc from "fast-check";
import { check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import type { Credential, TenantWish } from "../../provision/tenant.ts";
import { balanceOf } from "../../steps/lookup.ts";
import { optIn, sendDraws } from "../../steps/message.ts";
import { roomyBucket } from "../../steps/roomy-bucket.ts";
import {
  advance,
  cancel,
  cancelAsStranger,
  type LifeCommand,
  type LifeModel,
  type LifeReal,
  type LifeRule,
  move,
  type Owner,
  read,
  readAsStranger,
  send,
} from "./message-commands.ts";

/** As many sends as a sequence has, without a wait. */
const roomy: TenantWish = {
  clock: "manual",
  limits: { messageSendsPerSecond: roomyBucket, messageSendsPerMinute: roomyBucket, consentRecords: roomyBucket },
};

const owner = fc.constantFrom<Owner[]>(0, 1);
const message = fc.nat({ max: 30 });

type Weighted = fc.WeightedArbitrary<LifeCommand>;

/** What a client of the API can do. Without messages there is nothing to do. */
const ofClients: readonly Weighted[] = [
  { weight: 3, arbitrary: owner.map((whose) => send(whose, "waiting")) },
  { weight: 3, arbitrary: message.map(cancel) },
  { weight: 1, arbitrary: message.map(read) },
  { weight: 1, arbitrary: message.map(cancelAsStranger) },
  { weight: 1, arbitrary: message.map(readAsStranger) },
];

/** And what it takes a sandbox for. */
const all: readonly Weighted[] = [
  ...ofClients,
  { weight: 1, arbitrary: owner.map((whose) => send(whose, "due")) },
  { weight: 1, arbitrary: message.map((index) => move(index, "claimed")) },
  { weight: 1, arbitrary: message.map((index) => move(index, "terminal")) },
  { weight: 1, arbitrary: owner.map(advance) },
];

/** Runs commands on messages of two organizations. */
async function runLife(real: LifeReal, sequence: readonly LifeCommand[]): Promise<void> {
  const model: LifeModel = { messages: [], days: [0, 0] };
  for (const command of sequence) if (command.check(model)) await command.run(model, real);
}

/** Both organizations, whose recipient has opted in. */
async function twoCallers(t: CheckContext<LifeRule>, wish: TenantWish): Promise<readonly [Credential, Credential]> {
  const callers = [await (await t.tenant(wish)).main(), await (await t.otherTenant(wish)).main()] as const;
  for (const caller of callers) await optIn(t, caller);
  return callers;
}

/** Messages of two organizations through arbitrary sequences of all that can be done with them. */
export const messageLife = check({
  id: "messages.message-life",
  title: "Whatever was done before, a message can be canceled until it is claimed, by its organization alone",
  rules: ["MSG-39", "MSG-40", "MSG-41", "MSG-42", "MSG-45", "MSG-46", "MSG-52", "MSG-80", "TEN-07", "TEN-13"],
  kind: "property",
  needs: ["manual-clock", "message-move", "state", "limit-override"],
  effects: ["creates", "spends", "sends"],
  draws: {},
  mostRuns: 12,
  async run(t) {
    // Each sequence has organizations of its own, so that all money in their wallets is known.
    const run = async (sequence: readonly LifeCommand[]): Promise<void> => {
      const callers = await twoCallers(t, roomy);
      const balances = [await balanceOf(callers[0].tenant), await balanceOf(callers[1].tenant)] as const;
      await runLife({ t, callers, balances }, sequence);
    };
    // An array, whose path says all that is needed to find a sequence again.
    await t.property(fc.array(fc.oneof(...all), { minLength: 3, maxLength: 14, size: "max" }), run);
    // Shrinking aside, every rule must have been put to the test at least once.
    await run([
      ...[send(0, "waiting"), send(0, "waiting"), send(1, "waiting")],
      ...[cancel(0), cancel(1), cancelAsStranger(2), readAsStranger(0)],
      ...[read(0), read(2), advance(0), cancel(0), cancel(1), cancelAsStranger(1), cancel(0)],
    ]);
    await run([
      ...[send(0, "waiting"), send(0, "waiting"), send(0, "due"), send(0, "waiting"), move(0, "claimed")],
      ...[move(1, "terminal"), cancel(0), cancel(1), cancel(2), cancel(3), cancelAsStranger(0)],
      ...[advance(0), cancel(0), cancel(1), move(0, "terminal"), cancel(0), read(0), read(1)],
    ]);
  },
});

/** The same as far as a client of the API can take it. */
export const unaidedMessageLife = check({
  id: "messages.message-life-unaided",
  title: "However messages of two organizations are sent, canceled and read, each is its organization's alone",
  rules: ["MSG-39", "MSG-40", "MSG-80", "TEN-07", "TEN-13"],
  kind: "property",
  needs: ["key", "other-organization"],
  effects: ["creates", "spends"],
  draws: sendDraws(8),
  mostRuns: 4,
  async run(t) {
    const callers = await twoCallers(t, { clock: "manual" });
    const run = (sequence: readonly LifeCommand[]): Promise<void> => runLife({ t, callers, balances: null }, sequence);
    await t.property(fc.array(fc.oneof(...ofClients), { minLength: 3, maxLength: 8, size: "max" }), run);
    await run([
      ...[send(0, "waiting"), send(1, "waiting"), cancel(0), readAsStranger(0), cancelAsStranger(1)],
      ...[read(1), cancel(0), cancel(1), read(0)],
    ]);
  },
});
