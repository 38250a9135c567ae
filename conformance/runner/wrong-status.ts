import { type ErrorRowName, errorRows } from "../../generated/error-rows.ts";
import { type RuleId, rules } from "../../generated/rules.ts";
import type { Rule } from "../../generated/runtime/rule.ts";
import type { Check } from "../context/check.ts";
import type { CheckContext } from "../context/context.ts";
import { atPart, status as statusPart } from "../evidence/place.ts";
import { rowNamed, rowText, undocumentedStatus } from "../exchange/admits.ts";
import { codeOf, type Exchange, statusOf, summaryOf } from "../exchange/exchange.ts";
import { Blocked, type Finding } from "../outcome/verdict.ts";

/**
 * Judges a check that ended because the server returned a documented code with a status that no row of the catalog pairs it
 * with. The rules of the check that demand such a row fail. Returns why the other rules stay undecided.
 */
export function judgeWrongStatus(
  check: Pick<Check, "rules">,
  context: Pick<CheckContext, "verify">,
  found: readonly Finding[],
  ended: unknown,
  last: Exchange | null,
): unknown {
  if (!(ended instanceof Blocked) || ended.origin === "environment") return ended;
  const exchange = ended.exchange ?? last;
  const status = exchange === null ? null : statusOf(exchange);
  if (exchange === null || status === null || !undocumentedStatus(codeOf(exchange), status)) return ended;
  const undecided = check.rules.filter((rule) => !found.some((finding) => finding.rule === rule));
  for (const rule of undecided) {
    const names = rowsOf(rule).filter((name) => rowNamed(name).code === codeOf(exchange));
    if (names.length === 0) continue;
    const expected = names.map((name) => rowText(rowNamed(name))).join(" or ");
    context.verify(rule, false, {
      ...{ expected, actual: summaryOf(exchange), exchanges: [exchange], admits: names },
      at: [atPart(exchange, statusPart, expected)],
    });
  }
  return new Blocked(ended.message, "see ENV-28 first", "server", exchange);
}

function rowsOf(id: RuleId): readonly ErrorRowName[] {
  const { rows }: Rule = rules[id];
  return rowNames.filter((name) => rows.includes(name));
}

const rowNames = Object.keys(errorRows) as readonly ErrorRowName[];
