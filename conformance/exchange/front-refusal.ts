import { type Exchange, objectOf } from "./exchange.ts";

/** Statuses above 499 by which HTTP itself refuses a request: not implemented, and a version that is not supported. */
const refusalsAboveClientErrors: readonly number[] = [501, 505];

/**
 * Returns true if a proxy or an HTTP parser before the server may have sent a response: it refuses odd HTTP without the
 * error envelope. Status 500 never counts: the application itself sends it.
 */
export function isFrontRefusal({ isOddHttp = false, outcome }: Exchange): boolean {
  if (!isOddHttp || outcome.kind === "lost" || isEnveloped(outcome.json)) return false;
  const { status } = outcome;
  return (status >= 400 && status < 500) || refusalsAboveClientErrors.includes(status);
}

/** Returns true if a body has any property of the error envelope. */
function isEnveloped(json: unknown): boolean {
  const { success, error } = objectOf(json) ?? {};
  return success !== undefined || objectOf(error) !== null;
}
