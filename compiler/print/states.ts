import type { Contract } from "../contract.ts";
import { banner } from "./banner.ts";
import { literal } from "./literal.ts";

/** States of the entities and the moves between them. */
export function printStates(contract: Contract): string {
  const entities = contract.entities.map((entity) => `  ${literal(entity, "  ", 2)},\n`).join("");
  return `${banner}/** Entities with the states and moves that the contract shows. */
export const entities = [
${entities}] as const;
`;
}
