import { objectOf } from "../exchange/exchange.ts";
import type { Step } from "./step.ts";

/** Seconds that a step lets pass: that were waited, or that a clock was moved by. */
export function secondsOf({ through, request, seconds }: Step): number {
  if (seconds !== null || through !== "sandbox") return seconds ?? 0;
  try {
    return Number(objectOf(JSON.parse(request?.body ?? "null"))?.seconds ?? 0) || 0;
  } catch {
    return 0;
  }
}
