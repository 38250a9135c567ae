import type { Choices } from "../../generated/choices.ts";
import { Refusal } from "../../generated/runtime/refusal.ts";
import { AnsweredBefore, answerAgain, type KeptAnswer, retryOf } from "../domain/idempotency/kept-answer.ts";
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
  choices: FieldNaming & Pick<Choices, "idempotencyKeyLength">,
  handle: Step<Caller>,
): Step<Caller> {
  const longest = Number(choices.idempotencyKeyLength);
  return function answerOnce(exchange) {
    const { idempotencyHeader } = routeOf(exchange).operation;
    const key = idempotencyHeader === null ? undefined : exchange.request.get(idempotencyHeader);
    if (idempotencyHeader === null || key === undefined) return handle(exchange);
    return answerWithKey(exchange, idempotencyHeader, key);
  };

  async function answerWithKey(exchange: Exchange<Caller>, idempotencyHeader: string, key: string) {
    const refuseKey = (says: string) =>
      refuseFields([{ pointer: `/${idempotencyHeader.toLowerCase()}`, says }], choices);
    if (key.length > longest) return refuseKey(`must have at most ${longest} characters`);
    const caller = callerOf(exchange);
    const { path, body } = exchange.input;
    const retry = retryOf(routeOf(exchange).operation.id, key, { path, body });
    const find = () => store.keptAnswer(caller.organization.id, retry, callerTime(caller, world.now()));
    const answerWith = (kept: KeptAnswer) =>
      kept.fingerprint === retry.fingerprint
        ? giveAgain(exchange, kept)
        : refuseKey("was used for another request, take a new one");
    const before = await find();
    if (before !== null) return answerWith(before);
    exchange.caller = { ...caller, retry };
    try {
      const refusal = await handle(exchange);
      // What it is refused for may be what another call with the key did meanwhile.
      const meanwhile = refusal && (await find());
      return meanwhile === null ? refusal : answerWith(meanwhile);
    } catch (problem) {
      // Another call with the key was answered meanwhile.
      if (problem instanceof AnsweredBefore) return answerWith(problem.kept);
      throw problem;
    }
  }
}

function giveAgain(exchange: Exchange<Caller>, kept: KeptAnswer): Refusal | null {
  const answer = answerAgain(kept);
  if (answer instanceof Refusal) return answer;
  exchange.data = answer.data;
  return null;
}
