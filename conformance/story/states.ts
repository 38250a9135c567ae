import { type State, stateChanges } from "../evidence/state-changes.ts";
import { objectOf } from "../exchange/exchange.ts";
import type { Step } from "./step.ts";

/**
 * What looks at an organization's state showed: its money at first, such as "wallet_micros 500", then what is another
 * since the look before, such as "messages 1 → 2", or "as before".
 */
export function statesIn(steps: readonly Step[]): ReadonlyMap<Step, string> {
  const last = new Map<string, State>();
  const told = new Map<Step, string>();
  for (const step of steps) {
    const [state, asked] = [stateIn(step), step.request?.url];
    if (state === null || asked === undefined) continue;
    const before = last.get(asked);
    told.set(
      step,
      before === undefined
        ? `wallet_micros ${state.wallet_micros}`
        : stateChanges(before, state).join(", ") || asBefore,
    );
    last.set(asked, state);
  }
  return told;
}

/** What is told of a look that showed the same as the one before. */
export const asBefore = "as before";

/** The state of an organization that the sandbox told; null for any other step. */
export function stateIn({ through, outcome }: Step): State | null {
  if (through !== "sandbox" || outcome?.kind !== "response") return null;
  const { wallet_micros, digest, contents } = objectOf(objectOf(outcome.json)?.data) ?? {};
  if (typeof wallet_micros !== "number" || typeof digest !== "string") return null;
  const named = objectOf(contents);
  return {
    ...{ wallet_micros, digest },
    ...(named === null
      ? {}
      : { contents: Object.fromEntries(Object.entries(named).map(([name, text]) => [name, String(text)])) }),
  };
}
