import type { OperationId } from "../../generated/operations.ts";
import type { Refusal } from "../../generated/runtime/refusal.ts";
import { idIn, type Seen, seeing } from "./seen.ts";
import { onAnswer, onRequest, refusedWith, type Wire, type WireRequest } from "./wire.ts";
import { withKey } from "./wire-requests.ts";

/** A request for what is another organization's, as if that one had made it; others stay. */
export function asOwner(seen: Seen, request: WireRequest): WireRequest {
  const owner = seen.otherOwner(request);
  const key = owner === undefined ? undefined : seen.widestKeyOf(owner);
  return key === undefined ? request : withKey(request, key);
}

/** Does for any organization what one of them asks. */
export const forAnyone = (operation: OperationId): Wire =>
  seeing((seen) => onRequest(operation, (request) => asOwner(seen, request)));

/** Refuses in a way of its own what is another organization's. */
export const refusingOthers = (operation: OperationId, refusal: Refusal): Wire =>
  seeing((seen) =>
    onAnswer(operation, (answer, request) =>
      seen.otherOwner(request) === undefined ? answer : refusedWith(answer, refusal),
    ),
  );

/** Does for any organization what one of them asks, and refuses it as if it had not been done. */
export const secretlyForAnyone =
  (operation: OperationId, refusal: Refusal): Wire =>
  (serve) =>
    refusingOthers(operation, refusal)(forAnyone(operation)(serve));

/** Performs requests of another organization for each record until one succeeds, and refuses later ones. */
export const onceForAnyone = (operation: OperationId): Wire =>
  seeing((seen) => {
    const served = new Set<string>();
    return (serve) => async (request) => {
      const id = idIn(request);
      if (request.operation !== operation || seen.otherOwner(request) === undefined || served.has(id))
        return serve(request);
      const answer = await serve(asOwner(seen, request));
      if (answer.status < 300) served.add(id);
      return answer;
    };
  });
