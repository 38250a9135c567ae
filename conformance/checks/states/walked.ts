import * as fc from "fast-check";
import type { RuleId } from "../../../generated/rules.ts";
import { freshOrganization } from "../../arrangements/fresh-organization.ts";
import { type Check, check } from "../../context/check.ts";
import type { CheckContext } from "../../context/context.ts";
import { type Exchange, isSuccess, statusOf, summaryOf } from "../../exchange/exchange.ts";
import { type EffectOf, leftAsItWas, watchingEffects } from "../../steps/effect-of.ts";
import type { EntityName, Machine, MachineCall, Move, State, Subject } from "./machine.ts";
import { coveringWalks, legFrom, movesMade, namesOf, type Walk } from "./walks.ts";

/** Walks of chance that are tried besides those that make every move. */
const chanceWalks = 2;

/** What a walk of chance has at most. */
const mostLegs = 8;

/** The check of a machine, and the moves of the contract that it makes or leaves to others. */
export interface WalkedCheck extends Check<RuleId> {
  readonly entity: EntityName;
  readonly made: readonly Move[];
  readonly left: readonly { readonly state: State; readonly call: string; readonly decidedBy: string }[];
}

/**
 * The check of a machine: walks of chance, and those in which every move that the contract shows is made, legal or
 * refused. Each walk has a subject of its own.
 */
export function walked<Name extends EntityName, Facts, Of extends Subject>(
  machine: Machine<Name, Facts, Of>,
): WalkedCheck {
  const { entity, title, needs, effects, inTurn, starts } = machine;
  const walks = coveringWalks(machine);
  const made = movesMade(machine, walks);
  const decided = made.flatMap(({ rule, stateRule }): RuleId[] => (stateRule === null ? [rule] : [rule, stateRule]));
  const walking = check({
    id: `states.${entity.replaceAll(" ", "-")}`,
    title,
    rules: [...new Set(decided)],
    kind: "property",
    needs: [freshOrganization.need, ...needs],
    effects,
    draws: {},
    ...(inTurn === undefined ? {} : { inTurn }),
    mostRuns: chanceWalks,
    async run(t) {
      const run = (walk: Walk): Promise<void> =>
        watchingEffects<RuleId>((context, effectOf) => walkThrough(context, machine, walk, effectOf))(t);
      // An array, whose path says all that is needed to find a sequence again.
      const names = fc.array(fc.constantFrom(...namesOf(machine)), { minLength: 3, maxLength: mostLegs, size: "max" });
      await t.property(fc.record({ start: fc.nat({ max: starts.length - 1 }), names }), run);
      // By chance alone a move might never be made.
      for (const walk of walks) await run(walk);
    },
  });
  const left = (machine.left ?? []).map(({ state, call, decidedBy }) => ({ state, call: String(call), decidedBy }));
  return { ...walking, entity, made, left };
}

async function walkThrough<Name extends EntityName, Facts, Of extends Subject>(
  t: CheckContext,
  machine: Machine<Name, Facts, Of>,
  { start, names }: Walk,
  effectOf: EffectOf,
): Promise<void> {
  const begun = machine.starts[start];
  if (begun === undefined) throw new Error(`${machine.entity} has no start ${start}.`);
  const subject = await machine.begin(t, begun);
  const calls = new Map<string, MachineCall<Of>>(Object.entries(machine.calls));
  let situation = begun;
  for (const name of names) {
    const leg = legFrom(machine, situation, name);
    if (leg === null) continue;
    const call = calls.get(name);
    const { state } = situation;
    if (call === undefined) await machine.steps[name]?.run(t, subject);
    else if (leg.move === null) await call(t, subject, state);
    // What a subject is like that did not move as it should nobody knows.
    else if (!(await judgeMove(t, machine, { subject, move: leg.move, call: () => call(t, subject, state), effectOf })))
      return;
    situation = leg.next;
  }
}

interface Made<Of> {
  readonly subject: Of;
  readonly move: Move;
  readonly call: () => Promise<Exchange>;
  readonly effectOf: EffectOf;
}

/** Makes a move; decides how it is answered, and in which state that leaves the subject. False where it did not move so. */
async function judgeMove<Name extends EntityName, Facts, Of extends Subject>(
  t: CheckContext,
  { shown }: Machine<Name, Facts, Of>,
  { subject, move, call, effectOf }: Made<Of>,
): Promise<boolean> {
  const { row, stateRule } = move;
  if (stateRule === null) return judgeAnswer(t, move, await call());
  if (shown !== undefined) {
    const before = await shown(t, subject, null);
    const exchange = await call();
    if (!judgeAnswer(t, move, exchange)) return false;
    const stays = move.from === move.to;
    const { state } = before;
    const after = await shown(t, subject, { state, stays });
    const isSame = after.state === state;
    return t.verify(stateRule, isSame === stays, {
      expected: stays ? `${state}, as before the call` : `no longer ${state} after the call`,
      actual: isSame ? `still ${state}` : after.state,
      exchanges: [exchange, ...(after.exchange === null ? [] : [after.exchange])],
    });
  }
  if (row === null) return judgeAnswer(t, move, await call());
  const { exchange, before, after } = await effectOf(subject.as.tenant, call);
  const isRefused = judgeAnswer(t, move, exchange);
  const isSame = leftAsItWas(t, stateRule, { before, after }, exchange);
  return isRefused && isSame;
}

function judgeAnswer(t: CheckContext, { rule, row, answers }: Move, exchange: Exchange): boolean {
  if (row !== null) return t.refused(rule, exchange, row);
  if (answers === null) return t.accepted(rule, exchange);
  return t.verify(rule, isSuccess(exchange) && String(statusOf(exchange)) === answers, {
    expected: `a success with the status ${answers}`,
    admits: ["success"],
    actual: summaryOf(exchange),
    exchanges: [exchange],
  });
}
