import type { RuleId } from "../../generated/rules.ts";
import type { CheckContext } from "../context/context.ts";
import { type Exchange, isSuccess, summaryOf } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";

/** Calls that were made at once where there is room for some of them. */
export interface ConcurrentCalls {
  readonly exchanges: readonly Exchange[];
  /** Such as "creations". */
  readonly noun: string;
  /** Calls that the limit admits. */
  readonly room: number;
  /** Whether an answer is the limit's refusal. */
  readonly isRefusal: (exchange: Exchange) => boolean;
  /** The rule that as many are admitted as there is room for. */
  readonly admits: RuleId;
  /** The rule that the others are refused. */
  readonly refuses: RuleId;
  /** Whether too few that are admitted, or too many, are no proof. */
  readonly warnOnly: { readonly tooFew: boolean; readonly tooMany: boolean };
}

/**
 * Judges calls that were made at once. More admitted than there is room for breaks the limit, and so do refusals while
 * there is room. Any other answer proves neither: a server may fail under load. It only warns, and one that was lost,
 * which may have been admitted, leaves open what hangs on it.
 */
export function judgeConcurrentCalls(t: Pick<CheckContext, "verify">, calls: ConcurrentCalls): void {
  const { exchanges, noun, room, isRefusal, admits, refuses, warnOnly } = calls;
  const admitted = exchanges.filter(isSuccess).length;
  const others = exchanges.filter((exchange) => !isSuccess(exchange) && !isRefusal(exchange));
  const [strange] = [...others].sort((a, b) => Number(isLost(a)) - Number(isLost(b)));
  const actual = [`${admitted} admitted`, ...(strange === undefined ? [] : [summaryOf(strange)])].join(", ");
  const refusal = exchanges.find(isRefusal);
  // Where too many are admitted, those show it; a refusal beside them is as it should be.
  const shown = admitted > room ? exchanges.filter(isSuccess).slice(-2) : (refusal ?? []);
  const evidence = { actual, exchanges: [strange ?? shown].flat() };
  const of = `of ${exchanges.length} concurrent ${noun} admitted`;

  const isUsual = strange === undefined;
  if (isUsual || admitted > room) {
    const expected = `no more than ${room} ${of}, the others refused for the limit`;
    t.verify(refuses, admitted <= room, { expected, ...evidence, warnOnly: warnOnly.tooMany });
  } else if (admitted > 0 && !isLost(strange)) {
    t.verify(refuses, false, {
      expected: `${room} ${of}, the others refused for the limit`,
      ...evidence,
      warnOnly: true,
    });
  }
  if (isUsual || admitted >= room) {
    t.verify(admits, admitted >= room, { expected: `${room} ${of}`, ...evidence, warnOnly: warnOnly.tooFew });
  }
  if (isUsual) return;
  throw new Blocked(
    `${others.length} of ${exchanges.length} concurrent ${noun} were neither admitted nor refused for the limit, but ${summaryOf(strange)}`,
    "see how the target fares under a few dozen calls at once",
    isLost(strange) ? "environment" : "server",
  );
}

const isLost = ({ outcome }: Exchange): boolean => outcome.kind === "lost";
