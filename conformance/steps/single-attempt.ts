import { NotApplicable } from "../outcome/verdict.ts";
import type { AttemptRecord } from "./feed.ts";

/** Returns true if a record shows a schedule of one attempt: the delivery is dead after its first attempt. */
export const isDeadAtFirst = ({ outcome, attempt }: AttemptRecord): boolean =>
  outcome === "dead" && Number(attempt ?? 1) === 1;

/** Returns the reason why no rule on retries applies to such a schedule. */
export const singleAttempt = (): NotApplicable =>
  new NotApplicable("a failed delivery is dead after its first attempt, and the server makes no other attempt (Q64)");
