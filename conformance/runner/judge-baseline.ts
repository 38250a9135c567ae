import { didYouMean } from "../../compiler/text/nearest-name.ts";
import { operationList } from "../../generated/operations.ts";
import { rules } from "../../generated/rules.ts";
import type { Check } from "../context/check.ts";
import { monitorId } from "../monitor/monitor.ts";
import { isBreach, type ToldFinding } from "../outcome/verdict.ts";
import type { Baseline, Baselined, BaselineEntry } from "./baseline.ts";
import { mayLeak } from "./possible-leak.ts";
import type { RunResult } from "./run-result.ts";

/** The run that the entries are judged by, and all checks of the kit. */
interface Judged {
  readonly result: Pick<RunResult, "rules" | "startedAt" | "profile" | "only" | "skip">;
  readonly checks: readonly Pick<Check, "id" | "rules" | "operation">[];
}

/** Judges the entries of a baseline by what a run found, on the day of that run. */
export function judgeBaseline({ file, entries }: Baseline, run: Judged): Baselined {
  const judged = entries.map((entry) => ({ entry, judgement: judge(entry, run) }));
  const known = judged.flatMap(({ entry, judgement }) =>
    judgement.kind !== "known" ? [] : [{ ...entry, daysLeft: daysLeft(entry, run), possibleLeak: mayLeak(entry.rule) }],
  );
  const isKnown = (finding: ToldFinding): boolean =>
    known.some((entry) => entry.rule === finding.rule && covers(entry, finding, run));
  return {
    file,
    rules: run.result.rules
      .filter(({ verdict, findings }) => verdict === "fail" && findings.filter(isFailure).every(isKnown))
      .map(({ id }) => id),
    known,
    stale: judged.flatMap(({ entry, judgement: j }) =>
      j.kind === "stale" ? [{ ...entry, why: j.why, fix: j.fix }] : [],
    ),
    untried: judged.flatMap(({ entry, judgement: j }) => (j.kind === "untried" ? [{ ...entry, why: j.why }] : [])),
  };
}

type Judgement =
  | { readonly kind: "known" }
  | { readonly kind: "stale"; readonly why: string; readonly fix: string }
  | { readonly kind: "untried"; readonly why: string };

function judge(entry: BaselineEntry, run: Judged): Judgement {
  const unknown = unknownName(entry, run);
  if (unknown !== null) return { kind: "stale", why: unknown, fix: "Correct the entry, or remove it." };
  const findings = run.result.rules.find(({ id }) => id === entry.rule)?.findings ?? [];
  const covered = findings.filter((finding) => covers(entry, finding, run));
  const untried = covered.some(isBreach) ? null : whyUntried(entry, covered, run);
  if (!covered.some(isBreach) && untried === null) {
    return { kind: "stale", why: "The rule is kept now.", fix: "Remove the entry." };
  }
  if (daysLeft(entry, run) < 0) {
    const fix = "Mend the server and remove the entry, or decide again and give a later day.";
    return { kind: "stale", why: `It ended on ${entry.expires}.`, fix };
  }
  return untried === null ? { kind: "known" } : { kind: "untried", why: untried };
}

function unknownName({ rule, checks, operations }: BaselineEntry, run: Judged): string | null {
  if (!Object.hasOwn(rules, rule)) return `${rule} is no rule of the contract.${didYouMean(rule, Object.keys(rules))}`;
  const deciding = [
    ...run.checks.filter((check) => check.rules.some((id) => id === rule)).map(({ id }) => id),
    monitorId,
  ];
  const check = checks.find((id) => !deciding.includes(id));
  if (check !== undefined) return `${check} is no check that decides ${rule}.${didYouMean(check, deciding)}`;
  const known = operationList.map(({ id }) => id);
  const operation = operations.find((id) => !known.some((other) => other === id));
  return operation === undefined ? null : `${operation} is no operation.${didYouMean(operation, known)}`;
}

/**
 * Why the run does not show that what an entry is about is gone; null where it does. Only what was looked for everywhere
 * and not found is gone: a check that was left out or blocked might still have seen it.
 */
function whyUntried(entry: BaselineEntry, covered: readonly ToldFinding[], { result, checks }: Judged): string | null {
  const undecided = covered.find(({ verdict }) => verdict !== "pass" && verdict !== "observed");
  if (undecided !== undefined) return `${undecided.check}: ${undecided.message}`;
  const watched = covered.some(({ check }) => check === monitorId);
  const wanted = checks
    .filter(({ id, rules: own }) => own.some((rule) => rule === entry.rule) && isNamed(entry.checks, id))
    .filter(({ operation }) => operation === undefined || isNamed(entry.operations, operation))
    .map(({ id }) => id);
  const missing = wanted.find((id) => !covered.some(({ check }) => check === id));
  if (missing !== undefined) return `${missing} was not run`;
  if (covered.length === 0) return "nothing of this run decides it";
  const isWhole = result.profile === "full" && result.only.length + result.skip.length === 0;
  return watched && !isWhole ? "it holds for every answer, and only a full run without filters shows all" : null;
}

/** Whether an entry is about what a check found. */
function covers({ checks, operations }: BaselineEntry, finding: ToldFinding, run: Judged): boolean {
  const at = operationOf(finding, run);
  // A check of no single operation may have seen it at any, where it does not show it.
  return (
    isNamed(checks, finding.check) &&
    (at === null ? !isBreach(finding) || operations.length === 0 : isNamed(operations, at))
  );
}

const isNamed = (names: readonly string[], name: string): boolean => names.length === 0 || names.includes(name);

/** Where something was found: the operation that the check is about, or else the one that its evidence shows last. */
const operationOf = (finding: ToldFinding, { checks }: Judged): string | null =>
  checks.find(({ id }) => id === finding.check)?.operation ?? finding.exchanges.at(-1)?.operation ?? null;

const isFailure = ({ verdict }: ToldFinding): boolean => verdict === "fail";

/** Days after that of the run on which the entry still holds; below 0 when it has ended. */
const daysLeft = ({ expires }: BaselineEntry, { result }: Judged): number =>
  (Date.parse(`${expires}T00:00:00Z`) - Date.parse(`${result.startedAt.slice(0, 10)}T00:00:00Z`)) / 86_400_000;
