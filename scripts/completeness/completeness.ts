import { readFileSync } from "node:fs";
import { allChecks } from "../../conformance/checks/all-checks.ts";
import { apiOperations } from "../../conformance/context/for-each-operation.ts";
import { operationsWithoutSuccess } from "../../conformance/promises/known-gaps.ts";
import { promisedRows, raisedBy } from "../../conformance/promises/promised-row.ts";
import { errorRows } from "../../generated/error-rows.ts";
import { rules } from "../../generated/rules.ts";
import type { ErrorRow } from "../../generated/runtime/refusal.ts";
import type { Rule } from "../../generated/runtime/rule.ts";
import { mutants } from "../../reference-server/edits/mutants.ts";
import { lawfulChoices } from "../edits/lawful-choices.ts";

/** A line of what the contract has and what of it is put to the test. */
export interface Completeness {
  readonly what: string;
  readonly count: number;
  readonly fate: string;
}

interface Question {
  readonly id: string;
  readonly kind: "observable" | "shape" | "internal";
  readonly option: object | null;
}

const { questions, reservedCodes } = JSON.parse(
  readFileSync(new URL("../../generated/contract.json", import.meta.url), "utf8"),
) as { readonly questions: readonly Question[]; readonly reservedCodes: readonly string[] };

/** Questions that a client sees answered, and that no lawful server among the trials answers in another way. */
export function unflippedQuestions(): readonly string[] {
  const flipped = new Set(lawfulChoices.flatMap(({ question }) => question ?? []));
  return questions.flatMap(({ id, kind }) => (kind === "observable" && !flipped.has(id) ? [id] : []));
}

/** Codes of the API's catalog that no check raises at any operation, but for what the reference adds to the document's. */
export function unraisedCodes(): readonly string[] {
  const raised = new Set(raisedRows().map(({ row }) => errorRows[row].code as string));
  const documented = Object.values<ErrorRow>(errorRows).filter(
    ({ service, extension }) => service === "api" && !extension,
  );
  return [...new Set(documented.map(({ code }) => code))].filter((code) => !raised.has(code));
}

const raisedRows = () => promisedRows.filter(raisedBy(allChecks));

/** What stands in the README and above the matrix; drafts are left out, so that one can be merged by itself. */
export function completeness(): readonly Completeness[] {
  const due = Object.values<Rule>(rules).filter(({ draft }) => draft === undefined);
  const unobservable = due.filter((rule) => rule.unobservable !== null).length;
  const recorded = due.filter(({ level }) => level === "observe").length;
  const raised = raisedRows().length;
  const codes = new Set(promisedRows.map(({ row }) => errorRows[row].code));
  const ofKind = (kind: Question["kind"]): number => questions.filter((question) => question.kind === kind).length;
  const succeeding = apiOperations.filter(
    ({ id }) => !operationsWithoutSuccess.some((gap) => gap.operation === id),
  ).length;
  const choices = new Set(lawfulChoices.map(({ name }) => name)).size;
  return [
    {
      what: "operations",
      count: apiOperations.length,
      fate: `${succeeding} are seen to succeed; of ${apiOperations.length - succeeding} a known gap says why not`,
    },
    {
      what: "error rows that operations declare",
      count: promisedRows.length,
      fate: `${raised} are raised by a check; of ${promisedRows.length - raised} a known gap says why not`,
    },
    {
      what: "error codes",
      count: codes.size,
      fate: `${codes.size - unraisedCodes().length} are raised by a check; ${reservedCodes.length} more are reserved, and no operation has them`,
    },
    {
      what: "rules",
      count: due.length,
      fate: `${due.length - unobservable - recorded} have a check and a mutant; ${recorded} are only recorded, ${unobservable} no client can observe`,
    },
    {
      what: "mutants",
      count: mutants.length,
      fate: "each breaks one rule; the matrix names the check that killed it",
    },
    {
      what: "open questions",
      count: questions.length,
      fate: `${ofKind("observable") - unflippedQuestions().length} of ${ofKind("observable")} that a client sees answered are answered otherwise by a lawful server; ${ofKind("shape")} are shapes that a target may map, ${ofKind("internal")} nobody's business`,
    },
    {
      what: "other lawful answers",
      count: choices,
      fate: "each is tried among others in several packs; the matrix shows the results",
    },
  ];
}

/** The lines as a table of Markdown, as the formatter would leave it. */
export function completenessTable(): string {
  const lines = completeness().map(({ what, count, fate }) => [what, count.toLocaleString("en"), fate]);
  const rows = [["of the contract", "there are", "of which"], ...lines];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const rowOf = (cells: readonly string[], filler = " "): string =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width, filler)).join(" | ")} |`;
  const [heading = [], ...body] = rows;
  return [rowOf(heading), rowOf([], "-"), ...body.map((row) => rowOf(row))].join("\n");
}

/** A page of Markdown with the figures of today in place of those that it has. Throws where it has none. */
export function withFigures(page: string): string {
  const shown = /^\| of the contract +\|.*\n(\|.*\n)+/m.exec(page)?.[0];
  if (shown === undefined) throw new Error('The page has no table that begins with "of the contract".');
  return page.replace(shown, () => `${completenessTable()}\n`);
}
