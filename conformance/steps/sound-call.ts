import { randomUUID } from "node:crypto";
import { callerOf, mayWantUser, takesKeys } from "../context/caller-of.ts";
import type { CallInput, CheckContext } from "../context/context.ts";
import { type ApiOperation, apiOperations } from "../context/for-each-operation.ts";
import { rowAllows, rowsWithCode } from "../exchange/admits.ts";
import { codeOf, type Exchange, statusOf } from "../exchange/exchange.ts";
import { Blocked, NotApplicable } from "../outcome/verdict.ts";
import type { Credential, Tenant } from "../provision/tenant.ts";
import { answeredBy } from "./answered-by.ts";
import { soundInput } from "./sound-input.ts";

/** A call that should have succeeded; whether it did is for the check to see. */
interface SoundCall {
  readonly caller: Credential;
  readonly exchange: Exchange;
  /** Its own input, with an idempotency key where the check retries it. */
  readonly input: CallInput;
  /** The input of one more such call, to be made with one defect. */
  readonly again: () => Promise<CallInput>;
}

/** The same input with a new idempotency key, where the operation takes one: a call with it again is a retry. */
export const withIdempotencyKey = ({ idempotencyHeader }: ApiOperation, input: CallInput): CallInput =>
  idempotencyHeader === null ? input : { ...input, headers: { ...input.headers, [idempotencyHeader]: randomUUID() } };

/** Calls an operation as the organization's own caller of it; blocks where that has a given key that may not. */
export async function soundCall(
  t: CheckContext,
  operation: ApiOperation,
  tenant: Tenant,
  { isRetried = false } = {},
): Promise<SoundCall> {
  const { id, changes, scope } = operation;
  const caller = await callerOf(operation, tenant);
  const sound = await soundInput(id, t, tenant);
  const input = isRetried ? withIdempotencyKey(operation, sound) : sound;
  const exchange = await t.call(id, input, caller);
  if (answeredBy(exchange, "InsufficientCredit"))
    throw new Blocked(`the wallet does not cover ${id}`, "give the organization of the key some credit");
  if (takesKeys(operation) && caller.scopes === null && scope !== null && answeredBy(exchange, "Forbidden"))
    throw new Blocked(`the given key may not call ${id}`, `give the kit a key that holds ${scope}`);
  unlessLacking(exchange);
  return {
    ...{ caller, exchange, input },
    // What was done once can be done again only where nothing was changed.
    again: async () => (changes === "nothing" ? sound : soundInput(id, t, tenant)),
  };
}

/** Ends a check of what a target may lawfully lack, where it says that it does. */
export function unlessLacking(exchange: Exchange): Exchange {
  const row = rowsWithCode(codeOf(exchange) ?? "").find((one) => rowAllows(one, statusOf(exchange) ?? 0));
  if (row?.notOffered != null) throw new NotApplicable(`the target ${row.notOffered}`);
  const operation = apiOperations.find(({ id }) => id === exchange.operation);
  if (operation !== undefined && mayWantUser(operation) && answeredBy(exchange, "UserRequired"))
    throw new NotApplicable(`the target lets signed-in users alone call ${operation.id}`);
  return exchange;
}
