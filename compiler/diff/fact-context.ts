import type { Contract, Place, ServiceName } from "../contract.ts";
import { placeOn, type Where } from "./draft.ts";
import type { Includes } from "./judge.ts";

/** What every comparison of a contract's own facts needs. */
export interface FactContext {
  readonly base: Contract;
  readonly head: Contract;
  readonly includes: Includes;
}

/** Where a fact stands: its list in the contract and its index there. */
export function factAt(
  side: "base" | "head",
  pointer: string,
  about: readonly string[],
  place: Place | null = null,
  service: ServiceName | null = null,
): Where {
  return { service, operation: null, pointer, place: placeOn(side, place), about };
}
