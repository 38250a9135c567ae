import { isDeepStrictEqual } from "node:util";
import type { OperationId } from "../../../generated/operations.ts";
import { organizationState } from "../../arrangements/organization-state.ts";
import { callerOf } from "../../context/caller-of.ts";
import type { Check } from "../../context/check.ts";
import type { CallInput, CheckContext } from "../../context/context.ts";
import { callDraws, sumOfDraws } from "../../context/draws.ts";
import { forEachOperation } from "../../context/for-each-operation.ts";
import { isSuccess, summaryOf } from "../../exchange/exchange.ts";
import type { Credential } from "../../provision/tenant.ts";
import { answeredBy } from "../../steps/answered-by.ts";
import { bodyRefusals } from "../../steps/body-refusals.ts";
import { leftAsItWas, watchingEffects } from "../../steps/effect-of.ts";
import { recordIds, withInvalidBodies } from "../../steps/flaws.ts";
import { keyLacking } from "../../steps/key-lacking.ts";
import { neverIssued } from "../../steps/never-issued.ts";
import { rulesOnForeign } from "../../steps/rules-on-foreign.ts";
import { scopeUndecided } from "../../steps/scope-undecided.ts";
import { soundCall } from "../../steps/sound-call.ts";
import { soundInput, soundInputCost } from "../../steps/sound-input.ts";
import { indistinguishable } from "./indistinguishable.ts";

/** Times that each of two organizations asks for its own record and for the other's at the same moment. */
const rounds = 3;

interface Holder {
  readonly input: CallInput;
  readonly caller: Credential;
}

/** Decides that nobody is served another's record while its owner asks for it, too. */
async function judgeAtOnce(
  t: CheckContext<"TEN-05">,
  id: OperationId,
  [one, other]: readonly [Holder, Holder],
): Promise<void> {
  const asked = [
    { isOwn: true, ...one },
    { isOwn: true, ...other },
    { isOwn: false, input: other.input, caller: one.caller },
    { isOwn: false, input: one.input, caller: other.caller },
  ];
  const answers = await Promise.all(
    Array.from({ length: rounds }, () => asked)
      .flat()
      .map(async ({ isOwn, input, caller }) => ({ isOwn, exchange: await t.attempt(id, input, caller) })),
  );
  for (const { isOwn, exchange } of answers)
    if (!isOwn)
      t.verify("TEN-05", !isSuccess(exchange), {
        expected: "another organization's record not served beside other calls",
        actual: summaryOf(exchange),
        exchanges: [exchange],
      });
}

/** Performs a step for each value, one after the other. */
async function inTurn<Value, Result>(
  values: readonly Value[],
  step: (value: Value) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const value of values) results.push(await step(value));
  return results;
}

/** Every operation on a record, asked for another organization's. */
export const foreignRecord: readonly Check[] = forEachOperation((operation) => {
  const [name] = recordIds(operation);
  if (name === undefined) return null;
  const { id, method, path, scope, draws } = operation;
  const own = rulesOnForeign(id);
  return {
    id: "tenancy.foreign-record",
    title: `${method} ${path} refuses another organization's record like an unknown id, and does not change it`,
    rules: [
      ...own.map(([rule]) => rule),
      "TEN-05",
      "TEN-19",
      "TEN-20",
      ...(scope === null ? [] : (["AUTH-14"] as const)),
    ],
    kind: "sampled",
    needs: ["other-organization"],
    effects: ["creates"],
    draws: sumOfDraws([{ apiKeyWrites: 3 }, soundInputCost(operation, 5).draws, callDraws(draws, 23 + 4 * rounds)]),
    run: watchingEffects(async (t, effectOf) => {
      const tenant = await t.tenant({ clock: "manual" });
      const { caller, exchange, again } = await soundCall(t, operation, tenant);
      t.control(exchange, `${method} ${exchange.request.url}`);

      const other = await t.otherTenant({ clock: "manual" });
      const theirs = await soundInput(id, t, other);
      const foreign = theirs.path?.[name];
      if (foreign === undefined) throw new Error(`The sound input of ${id} has no ${name} in its path.`);
      const ids = { foreign, unknown: neverIssued(foreign, t.random) };
      const callWith = (input: CallInput) => (record: string) =>
        t.call(id, { ...input, path: { ...input.path, [name]: record } }, caller);
      // In the caller's own body only the record of the path is foreign. The other body may name more foreign records.
      const mine = await again();
      const inputs = isDeepStrictEqual(mine.body, theirs.body) ? [mine] : [mine, theirs];
      // Only the first call shows the effect of a call: it may delete the record, and later calls then find none.
      const tried = await inTurn(inputs, async (input) => {
        if (!other.manualClock || !other.can(organizationState)) return { input, first: null };
        const effect = await effectOf(other, () => callWith(input)(foreign));
        leftAsItWas(t, "TEN-20", effect, effect.exchange);
        return { input, first: effect.exchange };
      });
      const [answer, ...others] = await inTurn(tried, ({ input, first }) =>
        indistinguishable(t, callWith(input), ids, first),
      );
      if (answer === undefined) throw new Error("No input was tried.");
      for (const [rule, rows] of own) {
        t.refused(rule, answer, ...rows);
        for (const exchange of others) t.refused(rule, exchange, ...rows, ...bodyRefusals);
      }
      // A server that compares ids as text in one place and as bytes in another may know whose it is in one of them only.
      const upper = { foreign: foreign.toUpperCase(), unknown: ids.unknown.toUpperCase() };
      await indistinguishable(t, callWith(theirs), upper);
      // What is wrong with the body must not be said of the one alone either.
      for (const bad of withInvalidBodies(operation, theirs)) await indistinguishable(t, callWith(bad), ids);

      if (scope !== null) {
        const lacking = await keyLacking(scope, tenant);
        const alone = await t.call(id, await again(), lacking);
        if (!answeredBy(alone, "Forbidden")) throw scopeUndecided(operation, alone, lacking);
        t.refused("AUTH-14", await t.call(id, theirs, lacking), "Forbidden");
      }

      const owner = await callerOf(operation, other);
      if (method === "GET") {
        // What its owner was served may be known still.
        await t.call(id, theirs, owner);
        const next = await callWith(theirs)(foreign);
        t.verify("TEN-05", !isSuccess(next), {
          expected: "another organization's record, which its owner has just read, not served",
          actual: summaryOf(next),
          exchanges: [next],
        });
        // Reads change nothing, so that all may come at once.
        const [mine, strangers] = [await again(), { input: theirs, caller: owner }];
        await judgeAtOnce(t, id, [{ input: mine, caller }, strangers]);
      }
      const kept = await t.call(id, theirs, owner);
      t.verify("TEN-20", isSuccess(kept), {
        expected: "the record there all the same for its owner",
        actual: summaryOf(kept),
        exchanges: [answer, kept],
      });
    }),
  };
});
