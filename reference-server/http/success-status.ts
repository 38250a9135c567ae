import type { Choices } from "../../generated/choices.ts";
import type { Operation } from "../../generated/runtime/operation.ts";

/** The status of a success: the reference's own, or another one where the contract allows any of the class. */
export function successStatus({ success }: Operation, choices: Choices): number {
  if (choices.successStatus === "documented" || success.allowed !== "2XX") return success.reference;
  return Number(choices.successStatus);
}
