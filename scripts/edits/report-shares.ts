import { answerShapes } from "../../conformance/monitor/answer-shapes.ts";
import type { Judgement } from "./judge.ts";
import type { ToldReport } from "./told-report.ts";
import type { NamedTrial } from "./trials.ts";

/** Of a mutant, the rule that it breaks and what the report of its trial says. */
export interface JudgedReport {
  readonly name: string;
  readonly breaks: string;
  readonly report: ToldReport;
}

/** Those of the mutants that were found. */
export const judgedReports = (judged: ReadonlyMap<NamedTrial, Judgement>): readonly JudgedReport[] =>
  [...judged].flatMap(
    ([
      {
        name,
        rules: [breaks = ""],
      },
      { holds, report },
    ]) => (holds && report !== null ? [{ name, breaks, report }] : []),
  );

/**
 * Rules that say the same of one answer, so that a report that leads with one of them names the fault as well as with
 * another.
 */
const sameSaying: readonly (readonly string[])[] = [
  // Of what form data is: of ids, of times, of a member, of all of an operation's.
  ["ENV-26", "ENV-27", "ENV-39", ...answerShapes.map(({ rule }) => rule)],
  // That no body is answered with a failure.
  ["ENV-31", "ENV-36"],
  // That a key's secret is shown once.
  ["KEYG-02", "KEYR-03"],
  // That who replies STOP is sent nothing more.
  ["CON-04", "MSG-05"],
];

/** Whether the report leads with the rule that the mutant breaks, or one that says the same. */
export const leadsRight = ({ breaks, report: { primary } }: JudgedReport): boolean =>
  primary.some((rule) => rule === breaks || sameSaying.some((all) => all.includes(rule) && all.includes(breaks)));

/** One thing that is wanted of reports, and how many of them have it. */
export interface Share {
  readonly wanted: string;
  readonly have: number;
  readonly of: number;
}

/** The share of the reports that have each thing. */
export function sharesOf(reports: readonly JudgedReport[]): readonly Share[] {
  const share = (wanted: string, of: readonly JudgedReport[], has: (one: JudgedReport) => boolean): Share => ({
    ...{ wanted, of: of.length },
    have: of.filter(has).length,
  });
  const known = reports.filter(({ report }) => report.shows !== null);
  return [
    share("lead with the rule that the mutant breaks, or one that says the same", reports, leadsRight),
    share("name one probable cause", reports, ({ report }) => report.causes === 1),
    share("name one or two", reports, ({ report }) => report.causes === 1 || report.causes === 2),
    share("are of a mutant of which it is told which calls it changed", reports, ({ report }) => report.shows !== null),
    share("of those, show such a call in the first card's evidence", known, isIn("evidence")),
    share("show one there or in its story", known, (one) => isIn("evidence")(one) || isIn("story")(one)),
  ];
}

const isIn =
  (where: ToldReport["shows"]) =>
  ({ report }: JudgedReport): boolean =>
    report.shows === where;

/** "97 %"; never 100 where one is missing. */
export const percentOf = ({ have, of }: Share): string => (of === 0 ? "–" : `${Math.floor((100 * have) / of)} %`);
