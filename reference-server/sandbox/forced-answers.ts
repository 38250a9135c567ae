import type { NoAnswer, ForcedAnswer as WireAnswer } from "../../generated/models/sandbox-webhooks.ts";
import type { ForcedAnswer } from "../domain/deliveries/receiver-answer.ts";

/** Why there is no answer, as the record of a real attempt could say it. */
const failures: Readonly<Record<NoAnswer, string>> = {
  timeout: "no answer came in time",
  refused: "the connection was refused",
  reset: "the connection was closed before an answer came",
};

/** The answer that was asked for; a text when it is none, which says what is wanted. */
export function forcedAnswer({ status, no_answer: why, body }: WireAnswer): ForcedAnswer | string {
  if (status !== undefined && why !== undefined) return "must have either status or no_answer, not both";
  if (status !== undefined) return body === undefined ? { status } : { status, body };
  if (why === undefined) return "must have either status or no_answer";
  return body === undefined ? { failure: failures[why] } : "must have no body where there is no answer";
}
