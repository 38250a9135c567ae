import type { Entity, Transition } from "../contract.ts";
import { type Draft, draft, type Where } from "./draft.ts";
import { type FactContext, factAt } from "./fact-context.ts";
import { pointerOf } from "./json-at.ts";
import { pairs, textPairs } from "./pairs.ts";

/** States of entities and the transitions between them. */
export function diffStates({ base, head }: FactContext): readonly Draft[] {
  const found = pairs(base.entities, head.entities, ({ name }) => name);
  return [
    ...found.removed.map((entity) =>
      draft(
        "entity-removed",
        factAt("base", pointerOf("entities", entity.name), [entity.name]),
        `No states of ${entity.name} are declared any more: a client that waits for one may wait for ever.`,
      ),
    ),
    ...found.added.map((entity) =>
      draft(
        "entity-added",
        factAt("head", pointerOf("entities", entity.name), [entity.name]),
        `States of ${entity.name} are declared now: nobody relied on them.`,
      ),
    ),
    ...found.both.flatMap(([before, after]) =>
      diffEntity(before, after, factAt("head", pointerOf("entities", after.name), [after.name])),
    ),
  ];
}

function diffEntity(base: Entity, head: Entity, where: Where): readonly Draft[] {
  const states = textPairs(base.states, head.states);
  const at = (...part: readonly string[]): Where => ({ ...where, pointer: `${where.pointer}${pointerOf(...part)}` });
  const moveAt = ({ from, to, trigger }: Transition): Where => at("transitions", `${from}->${to}:${trigger}`);
  const drafts: Draft[] = states.removed.map((state) =>
    draft(
      "state-removed",
      at("states", state),
      `${head.name}: the state ${state} is never reached; a client that waits for it waits for ever.`,
    ),
  );
  drafts.push(
    ...states.added.map((state) =>
      base.open
        ? draft(
            "open-state-added",
            at("states", state),
            `${head.name}: the state ${state} is new; others were announced, yet a client may not know it.`,
          )
        : draft(
            "state-added",
            at("states", state),
            `${head.name}: the state ${state} is new; a client that knows the old ones only fails on it.`,
          ),
    ),
  );
  if (!base.open && head.open) {
    drafts.push(
      draft(
        "states-opened",
        at("open"),
        `${head.name}: other states may exist now; a client that handles the listed ones only fails on them.`,
      ),
    );
  }
  if (base.open && !head.open) {
    drafts.push(
      draft(
        "states-closed",
        at("open"),
        `${head.name}: no other states exist now; a client that allows for them still works.`,
      ),
    );
  }
  const moves = pairs(base.transitions, head.transitions, moveKey);
  return [
    ...drafts,
    ...moves.removed.map((move) =>
      draft(
        "transition-removed",
        moveAt(move),
        `${head.name}: ${shown(move)} is gone; a client that relies on it fails.`,
      ),
    ),
    ...moves.added.map((move) =>
      draft(
        "transition-added",
        moveAt(move),
        `${head.name}: ${shown(move)} is new; a client may see a step that it did not expect.`,
      ),
    ),
    ...moves.both.flatMap(([before, after]): readonly Draft[] => [
      ...(before.condition === after.condition
        ? []
        : [
            draft(
              "transition-condition-changed",
              moveAt(after),
              `${head.name}: ${shown(after)} has the condition "${after.condition ?? "none"}", not "${before.condition ?? "none"}"; a client that met the old one may be refused.`,
            ),
          ]),
      ...(before.answers === after.answers
        ? []
        : [
            draft(
              "transition-answer-changed",
              moveAt(after),
              `${head.name}: ${shown(after)} is answered with ${after.answers ?? "success"}, not ${before.answers ?? "success"}; a client that acts on the old answer fails.`,
            ),
          ]),
    ]),
  ];
}

const moveKey = ({ from, to, trigger, asks = null }: Transition): string => JSON.stringify([from, to, trigger, asks]);

const shown = ({ from, to, trigger }: Transition): string => `${from} → ${to} on ${trigger}`;
