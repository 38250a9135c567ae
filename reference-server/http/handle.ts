import { Refusal } from "../../generated/runtime/refusal.ts";
import { callerOf, type Exchange, routeOf } from "./exchange.ts";

/** Runs the operation itself. */
export async function handle<Caller>(exchange: Exchange<Caller>): Promise<Refusal | null> {
  const route = routeOf(exchange);
  const answer = await route.handle(exchange.input, callerOf(exchange));
  if (answer instanceof Refusal) return answer;
  if (route.operation.list) takePage(exchange, answer);
  else exchange.data = answer;
  return null;
}

/** A list gives its payload with what tells where the page lies. */
function takePage<Caller>(exchange: Exchange<Caller>, page: unknown): void {
  if (typeof page !== "object" || page === null || !("data" in page)) throw new Error("A list gave no page.");
  const { data, ...beside } = page;
  exchange.data = data;
  exchange.beside = beside;
}
