import { type RuleId, rules } from "../../generated/rules.ts";
import { monitorId } from "../monitor/monitor.ts";
import { Blocked, type Finding, type Verdict } from "../outcome/verdict.ts";

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
 * A set-up that the server refused is blamed on the rules about its operation that are broken in this run, or else on what
 * every answer must keep.
 */
export function blamed(findings: readonly Finding[]): readonly Finding[] {
  const failed = findings.filter((f) => f.verdict === "fail");
  const about = Map.groupBy(failed, (f): string => rules[f.rule].about);
  const always = failed.filter((f) => f.check === monitorId);
  return findings.map((finding) => {
    const [setUp] = finding.verdict === "blocked" && finding.origin === "server" ? finding.exchanges : [];
    if (setUp === undefined) return finding;
    const broken = [...new Set((about.get(setUp.operation ?? "") ?? always).map((f) => f.rule))];
    return broken.length === 0 ? finding : { ...finding, unblock: `mend ${listed(broken)} first` };
  });
}
