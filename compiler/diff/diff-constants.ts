import type { Constant } from "../contract.ts";
import { type Draft, draft, type Where } from "./draft.ts";
import { type FactContext, factAt } from "./fact-context.ts";
import { pointerOf } from "./json-at.ts";
import { pairs } from "./pairs.ts";

/** Texts by name. What is said with one is compared where it is said: that it has a name changes nothing. */
export function diffConstants({ base, head }: FactContext): readonly Draft[] {
  const found = pairs(base.constants, head.constants, ({ name }) => name);
  const at = (side: "base" | "head", { name }: Constant): Where => factAt(side, pointerOf("constants", name), [name]);
  return [
    ...found.removed.map((one) =>
      draft("constant-removed", at("base", one), `The constant ${one.name} is gone: nobody breaks by that alone.`),
    ),
    ...found.added.map((one) =>
      draft("constant-added", at("head", one), `The constant ${one.name} is new: nobody breaks by that alone.`),
    ),
    ...found.both
      .filter(([before, after]) => before.value !== after.value)
      .map(([before, after]) =>
        draft(
          "constant-changed",
          at("head", after),
          `The constant ${after.name} is "${after.value}", not "${before.value}": who spells the old text is not understood.`,
        ),
      ),
  ];
}
