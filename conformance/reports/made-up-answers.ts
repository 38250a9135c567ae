import type { Admitted, Misanswer } from "../evidence/misanswer.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { exchange } from "./made-up-run.ts";

/** A whole answer that is wrong: what came, a success or a code, and what was admitted. */
export function answered(
  status: number,
  came: string,
  ...admits: readonly Admitted[]
): { expected: string; actual: string; came: Misanswer; admits: readonly Admitted[] } {
  const code = came === "success" ? null : came;
  return {
    expected: admits.join(" or "),
    actual: `${status} ${came}`,
    came: { status, code, isSuccess: !code },
    admits,
  };
}

/** An answer of an operation. */
export const at = (operation: string, number: number, status = 200): Exchange => ({
  ...exchange(number, status, "{}"),
  operation,
});

/** An answer that was served where the caller was to be refused. */
export const served = answered(200, "success", "Forbidden");
