import type { OperationId } from "../../../generated/operations.ts";
import { seeing } from "../seen.ts";
import type { Wire } from "../wire.ts";
import { withKey } from "../wire-requests.ts";

/** Serves an operation to callers of whom the condition holds as it would their organization's widest key. */
export const admitting = (to: OperationId, condition: (scopes: readonly string[]) => boolean): Wire =>
  seeing((seen) => (serve) => (request) => {
    const caller = request.operation === to ? seen.callerOf(request) : undefined;
    const key = caller && condition(caller.scopes) ? seen.widestKeyOf(caller.organization) : undefined;
    return serve(key === undefined ? request : withKey(request, key));
  });
