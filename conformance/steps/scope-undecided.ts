import type { ApiOperation } from "../context/for-each-operation.ts";
import { type Exchange, isSuccess, summaryOf } from "../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../outcome/verdict.ts";
import type { Credential } from "../provision/tenant.ts";

/** Why nothing can be told of a missing scope beside another defect, where it is not refused alone. */
export function scopeUndecided(
  { id, scopeQuestion }: ApiOperation,
  alone: Exchange,
  lacking: Credential,
): Blocked | NotApplicable {
  return scopeQuestion !== null && isSuccess(alone)
    ? new NotApplicable(`the document names no scope for ${id}, and a ${lacking.name} may call it`)
    : new Blocked(`a call of ${id} without its scope was answered ${summaryOf(alone)}`, "see AUTH-12 first", "server");
}
