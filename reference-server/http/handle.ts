import { Refusal } from "../../generated/runtime/refusal.ts";
import { callerOf, type Exchange, routeOf } from "./exchange.ts";

/** Runs the operation itself. */
export async function handle<Caller>(exchange: Exchange<Caller>): Promise<Refusal | null> {
  const answer = await routeOf(exchange).handle(exchange.input, callerOf(exchange));
  if (answer instanceof Refusal) return answer;
  exchange.data = answer;
  return null;
}
