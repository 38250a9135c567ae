import type { Choices } from "../../generated/choices.ts";
import type { Operation } from "../../generated/runtime/operation.ts";
import { entities } from "../../generated/states.ts";

/** Statuses that moves between states show, by the call that makes them. Other successes of the call get them too. */
const shown: ReadonlyMap<string, number> = new Map(
  entities
    .flatMap(({ transitions }) => [...transitions])
    .flatMap(({ trigger, answers }) => (/^2\d\d$/.test(answers ?? "") ? [[trigger, Number(answers)] as const] : [])),
);

/** The status of a success: the reference's own, or another one where the contract allows any of the class. */
export function successStatus({ method, path, success }: Operation, choices: Choices): number {
  const fixed = shown.get(`${method} ${path}`);
  if (fixed !== undefined) return fixed;
  if (choices.successStatus === "documented" || success.allowed !== "2XX") return success.reference;
  return Number(choices.successStatus);
}
