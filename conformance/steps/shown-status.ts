import { entities } from "../../generated/states.ts";

/** The status that the contract shows for a move of an entity from one state to another. */
export function shownStatus(entity: (typeof entities)[number]["name"], from: string, to: string): number {
  const moves = entities.filter(({ name }) => name === entity).flatMap(({ transitions }) => [...transitions]);
  const answers = moves.filter((move) => move.from === from && move.to === to).flatMap((move) => move.answers ?? []);
  const [status] = answers.filter((answer) => /^\d{3}$/.test(answer));
  if (status === undefined) throw new Error(`The contract shows no status for ${entity}: ${from} to ${to}.`);
  return Number(status);
}
