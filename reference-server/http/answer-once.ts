import { Refusal } from "../../generated/runtime/refusal.ts";
import { AnsweredBefore, answerAgain, longestKey, type Retry, retryOf } from "../domain/idempotency/kept-answer.ts";
import type { Caller } from "../domain/organizations/caller.ts";
import { callerTime } from "../domain/organizations/caller.ts";
import type { World } from "../domain/world.ts";
import type { Store } from "../store/store.ts";
import { callerOf, type Exchange, routeOf, type Step } from "./exchange.ts";
import type { FieldNaming } from "./field-details.ts";
import { refuseFields } from "./refuse-fields.ts";

/**
 * Runs the operation, but for a retry of one that takes an idempotency key: that one gets the answer that is kept. The
 * answer is kept by the operation itself, in the unit of work that does what it tells (`once`).
 */
export function answerOnce(
  store: Store,
  world: Pick<World, "now">,
  naming: FieldNaming,
  handle: Step<Caller>,
): Step<Caller> {
  return async function answerOnce(exchange) {
    const { id, idempotencyHeader } = routeOf(exchange).operation;
    const key = idempotencyHeader === null ? undefined : exchange.request.get(idempotencyHeader);
    if (idempotencyHeader === null || key === undefined) return handle(exchange);
    if (key.length > longestKey) {
      const says = `must have at most ${longestKey} characters`;
      return refuseFields([{ pointer: `/${idempotencyHeader.toLowerCase()}`, says }], naming);
    }
    const caller = callerOf(exchange);
    const { path, body } = exchange.input;
    const retry = retryOf(id, key, { path, body });
    const kept = await store.keptAnswer(caller.organization.id, retry, callerTime(caller, world.now()));
    if (kept !== null) return answerWith(exchange, kept, retry);
    exchange.caller = { ...caller, retry };
    try {
      return await handle(exchange);
    } catch (problem) {
      // Another call with the key was answered meanwhile.
      if (problem instanceof AnsweredBefore) return answerWith(exchange, problem.kept, retry);
      throw problem;
    }
  };
}

function answerWith(exchange: Exchange<Caller>, kept: AnsweredBefore["kept"], retry: Retry): Refusal | null {
  const answer = answerAgain(kept, retry);
  if (answer instanceof Refusal) return answer;
  exchange.data = answer.data;
  return null;
}
