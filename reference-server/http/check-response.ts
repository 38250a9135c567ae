import { successBody } from "./envelope.ts";
import { type Exchange, routeOf } from "./exchange.ts";

/** An answer that the contract does not allow. The message has no values: they may be secrets. */
export class BrokenAnswer extends Error {
  constructor(operationId: string, faults: readonly string[]) {
    super(`The answer of ${operationId} breaks its schema: ${faults.join(", ")}.`);
    this.name = "BrokenAnswer";
  }
}

/** Throws when the answer breaks the schema of the contract. */
export function checkResponse<Caller>(exchange: Exchange<Caller>): null {
  const { operation, validators } = routeOf(exchange);
  const violations = validators.answer({ ...successBody(exchange.data), ...exchange.beside });
  if (violations.length === 0) return null;
  throw new BrokenAnswer(
    operation.id,
    violations.map(({ pointer, keyword }) => `${pointer} (${keyword})`),
  );
}
