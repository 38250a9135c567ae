import type { ErrorRowName } from "../../generated/error-rows.ts";
import type { RuleId } from "../../generated/rules.ts";
import type { CheckContext } from "../context/context.ts";
import { rowNamed, rowText } from "../exchange/admits.ts";
import { type Exchange, errorOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import { answeredBy } from "./answered-by.ts";

/** Decides whether all answers of that row, among these, have one message; blocks when there are not two to compare. */
export function sameMessage(t: CheckContext, rule: RuleId, row: ErrorRowName, exchanges: readonly Exchange[]): void {
  const told = exchanges.filter((e) => answeredBy(e, row) && typeof errorOf(e)?.message === "string");
  const [first, ...others] = told;
  if (first === undefined || others.length === 0) {
    throw new Blocked(
      `fewer than two answers were ${rowText(rowNamed(row))}`,
      "see the rules on each of its causes first",
      "server",
    );
  }
  const other = others.find((exchange) => messageOf(exchange) !== messageOf(first));
  t.verify(rule, other === undefined, {
    expected: `the message ${JSON.stringify(messageOf(first))} each time`,
    actual: `${JSON.stringify(messageOf(other ?? first))}`,
    exchanges: [first, other ?? others[0] ?? first],
  });
}

const messageOf = (exchange: Exchange): unknown => errorOf(exchange)?.message;
