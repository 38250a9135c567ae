import { operations } from "../../generated/operations.ts";
import { type RuleId, rules } from "../../generated/rules.ts";
import { type Exchange, summaryOf } from "../exchange/exchange.ts";
import type { Invariant, Surveyed } from "../monitor/invariant.ts";
import { invariants } from "../monitor/invariants.ts";
import { monitorId } from "../monitor/monitor.ts";
import { Blocked, type Finding, isBreach, type Verdict } from "../outcome/verdict.ts";

/**
 * What keeps the other rules of a check undecided once it has found some broken: these, and never the kit. Null where
 * it found none, or something else ended it.
 */
export function blockedByBreach(found: readonly Finding[], ended: unknown): Blocked | null {
  const broken = brokenIn(found);
  const before = ended instanceof Blocked && ended.origin === "server" ? ended : null;
  if (broken.length === 0 || (ended !== null && before === null)) return null;
  const message = `${listed(broken)} ${broken.length === 1 ? "is" : "are"} broken, on which it hangs in this check`;
  return new Blocked(
    before === null ? message : `${before.message}; ${message}`,
    `mend ${listed(broken)} first`,
    "server",
    before?.exchange ?? null,
  );
}

/** Rules that a check found broken, those that it must keep first. */
const brokenIn = (found: readonly Finding[]): readonly RuleId[] => {
  const of = (verdict: Verdict): readonly RuleId[] => found.filter((f) => f.verdict === verdict).map((f) => f.rule);
  const failed = [...new Set(of("fail"))];
  return failed.length > 0 ? failed : [...new Set(of("warn"))];
};

/** Rules that a message names. */
const mostNamed = 3;

const listed = (ids: readonly RuleId[]): string =>
  ids.length > mostNamed
    ? `${ids.slice(0, mostNamed).join(", ")} and ${ids.length - mostNamed} more`
    : ids.join(" and ");

/**
 * Advice to mend or see a rule first names those that are broken in this run, and no other. A set-up that the server refused
 * is blamed on the rules that its answer shows broken, or else on those about its operation, or else on those that the same
 * refusal breaks elsewhere, or else on what every answer must keep and that one does not.
 */
export function blamed(findings: readonly Finding[]): readonly Finding[] {
  const failed = findings.filter((f) => f.verdict === "fail");
  const broken = new Set(findings.filter(isBreach).map((f): string => f.rule));
  const about = Map.groupBy(failed, (f): string => rules[f.rule].about);
  const shownBy = Map.groupBy(failed, (f) => f.exchanges.at(-1)?.number);
  // First those that speak of no operation in particular.
  const refusedSo = Map.groupBy(
    failed
      .filter(({ exchanges, actual }) => exchanges.some((exchange) => actual === summaryOf(exchange)))
      .toSorted((a, b) => Number(isOfOperation(a)) - Number(isOfOperation(b))),
    ({ actual }) => actual ?? "",
  );
  const always = invariants.filter(({ rule }) => failed.some((f) => f.check === monitorId && f.rule === rule));
  return findings.map((finding) => {
    if (finding.verdict !== "blocked" || finding.origin !== "server") return finding;
    const [setUp] = finding.exchanges;
    const to =
      setUp === undefined
        ? []
        : [
            shownBy.get(setUp.number),
            about.get(setUp.operation ?? ""),
            isBeforehand(setUp) ? refusedSo.get(summaryOf(setUp)) : undefined,
          ];
    const [culprits = []] = to.filter((some) => some !== undefined);
    const named =
      culprits.length > 0 || setUp === undefined
        ? culprits.map((f) => f.rule)
        : always.filter((invariant) => isBrokenBy(invariant, setUp)).map(({ rule }) => rule);
    if (named.length > 0) return { ...finding, unblock: `mend ${listed([...new Set(named)])} first` };
    const [, seen] = finding.unblock?.match(advised) ?? [];
    return seen === undefined || broken.has(seen) ? finding : { ...finding, unblock: null };
  });
}

const isOfOperation = ({ rule }: Finding): boolean => Object.hasOwn(operations, rules[rule].about);

/** Whether a refusal has nothing to do with what was asked: of who calls, or of a failing server. */
const isBeforehand = (exchange: Exchange): boolean => /^(401|5\d\d)\b/.test(summaryOf(exchange));

/** How checks say which rule a block comes from, before anybody knows whether it is broken. */
const advised = /^see ([A-Z]+-\d+) first$/;

function isBrokenBy({ applies, breach }: Invariant, exchange: Exchange): boolean {
  const { outcome } = exchange;
  if (outcome.kind === "lost") return false;
  const answered = { ...exchange, outcome };
  return applies(answered, nothingBefore) && breach(answered, nothingBefore) !== null;
}

/** What an answer is judged by where nothing went before. */
const nothingBefore: Surveyed = {
  ...{ leaked: [], sameId: null, unauthorizedMessage: null, organization: null },
};
