import type { Bucket, ErrorRow, OpenQuestion, Operation, Rule, Scope } from "../../compiler/contract.ts";
import type { ReadContract } from "../commands/contract-source.ts";
import type { DecidingCheck } from "../commands/deciding-checks.ts";
import { type ChecklistSources, checklistOf } from "./checklist.ts";
import type { Subject } from "./subject.ts";

/** An explanation as people read it. */
export interface Explanation {
  readonly title: string;
  readonly sentence: string;
  readonly lines: readonly Labelled[];
}

type Labelled = readonly [label: string, text: string];

/** What an explanation needs beside the contract. */
export interface ExplanationSources extends ChecklistSources {
  /** A file of the project, and the line where the first of the texts that stands in it is found. */
  readonly placeOf: (file: string, ...texts: readonly RegExp[]) => string;
}

export function explanationsOf(subject: Subject, sources: ExplanationSources): readonly Explanation[] {
  const { contract } = sources;
  switch (subject.kind) {
    case "rule":
      return [explainRule(subject.rule, sources)];
    case "question":
      return subject.questions.map((question) => explainQuestion(question, sources));
    case "error":
      return subject.rows.map((row) => explainRow(row, sources));
    case "reserved-code":
      return [{ title: subject.code, sentence: "A reserved code: no operation answers with it.", lines: [] }];
    case "scope":
      return [explainScope(subject.scope, contract)];
    case "bucket":
      return [explainBucket(subject.bucket, sources)];
    case "operation":
      return [explainOperation(subject.operation, sources)];
    case "check":
      return [explainCheck(subject.check)];
  }
}

const basisTexts = {
  explicit: "explicit: the API document says so",
  entailed: "entailed: the document does not say so, yet no server that obeys it can do otherwise",
  assumed: "assumed: a sensible expectation; a breach warns",
  observed: "observed: recorded, never judged",
} as const satisfies Record<Rule["basis"], string>;

function explainRule(rule: Rule, { contract, placeOf, checks }: ExplanationSources): Explanation {
  const operation = contract.operations.find(({ id }) => id === rule.about);
  const deciding = checks?.filter(({ rules }) => rules.includes(rule.id)) ?? null;
  return {
    title: `${rule.id} (${rule.level})`,
    sentence: rule.says,
    lines: [
      ["about", operation === undefined ? rule.about : `${rule.about}, ${routeOf(operation)}`],
      ["basis", basisTexts[rule.basis]],
      ...only("why", rule.why),
      ...only("no check", rule.unobservable),
      ...only(
        "draft",
        rule.draft === undefined ? null : `${rule.draft.owner} owes it check and mutant until ${rule.draft.expires}`,
      ),
      ...rule.questions.flatMap((id) => questionLines(id, contract)),
      ["place", placeOf(rule.place.file, new RegExp(`"${rule.id}"`))],
      ...(rule.unobservable === null ? [["checks", checksText(deciding)] as const] : []),
    ],
  };
}

function checksText(checks: readonly DecidingCheck[] | null): string {
  if (checks === null) return 'cannot be told: run "npx bylaw compile" first';
  // Checks that do the same for one operation each are told together.
  const families = Map.groupBy(checks, ({ id, operation }) =>
    operation === null ? id : id.slice(0, -`.${operation}`.length),
  );
  const texts = [...families].map(([name, members]) =>
    members.every(({ operation }) => operation === null) ? name : `${name}, at ${countedOperations(members.length)}`,
  );
  return texts.length === 0 ? "none yet" : texts.join("; ");
}

const countedOperations = (count: number): string => (count === 1 ? "1 operation" : `each of ${count} operations`);

function questionLines(id: string, contract: ReadContract): readonly Labelled[] {
  const questions = contract.questions.filter((question) => question.id === id);
  if (questions.length === 0) return [["question", `${id}, which is not declared`]];
  return questions.flatMap((question): readonly Labelled[] => [
    ["question", `${id}: ${question.asks}`],
    ...only("tolerated", toleratedBy(question)),
  ]);
}

/** Every answer that passes: the reference's choice first. */
function toleratedBy(question: OpenQuestion): string | null {
  if (question.kind === "internal") return null;
  const answers = [`${question.choice} (the reference)`, ...question.alternatives];
  return answers.join("; or ") + (question.tolerates === null ? "" : `; or ${question.tolerates}`);
}

function explainQuestion(question: OpenQuestion, { contract, placeOf }: ExplanationSources): Explanation {
  const { id, kind, asks, choice, alternatives, tolerates, reason, option, about, place } = question;
  const leaning = contract.rules.filter((rule) => rule.questions.includes(id)).map((rule) => rule.id);
  return {
    title: `${id} (open question, ${kind})`,
    sentence: asks,
    lines: [
      ["about", about],
      ["reference", choice],
      ...alternatives.map((text) => ["or", text] as const),
      ...only("tolerated", tolerates),
      ...only("reason", reason),
      ...only("option", option && `${option.name}: ${option.values.join(", ")}`),
      ...only("rules", listOf(leaning)),
      ["place", placeOf(place.file, new RegExp(`\\b${about}, "${id}"`), new RegExp(`"${id}"`))],
    ],
  };
}

function explainRow(row: ErrorRow, { contract, placeOf }: ExplanationSources): Explanation {
  const { name, code, service, status, referenceStatus, details, when, headers, place } = row;
  const users = contract.operations.filter((o) => o.service === service && o.errors.includes(name)).map((o) => o.id);
  return {
    title: `${name} (error row)`,
    sentence: `${statusText(row)} ${code}: ${when}.`,
    lines: [
      ...only("reference", typeof status === "number" ? null : `answers ${referenceStatus}`),
      [
        "details",
        details.kind === "keys"
          ? details.keys.join(", ")
          : details.kind === "fields"
            ? "field names with explanations"
            : "none",
      ],
      ...only("headers", listOf(headers)),
      ...only("extension", row.extension ? "not in the API document; the reference adds it" : null),
      ["answers", row.anywhere ? "any operation" : (listOf(users) ?? "no operation yet")],
      ...only("rules", rulesAbout(name, contract)),
      ["place", placeOf(place.file, new RegExp(`\\bmodel ${name}\\b`))],
    ],
  };
}

function statusText({ status }: ErrorRow): string {
  if (typeof status === "number") return String(status);
  const except = status.except.length > 0 ? ` except ${status.except.join(", ")}` : "";
  return `a status from ${status.from} to ${status.to}${except}`;
}

function explainScope({ name, value, question }: Scope, contract: ReadContract): Explanation {
  const users = contract.operations.filter((operation) => operation.scope === value).map((o) => o.id);
  return {
    title: `${value} (scope)`,
    sentence: `Needed by ${listOf(users) ?? "no operation yet"}.`,
    lines: [
      ["name", name],
      ...(question === null
        ? []
        : [
            ["origin", "the reference's own; the API document does not name it"] as const,
            ...questionLines(question, contract),
          ]),
      ...only("rules", rulesAbout(name, contract)),
    ],
  };
}

function explainBucket(bucket: Bucket, { contract, placeOf }: ExplanationSources): Explanation {
  const users = contract.operations
    .filter((operation) => operation.draws.some((draw) => draw.bucket === bucket.name))
    .map((o) => o.id);
  const size: readonly Labelled[] =
    bucket.kind === "bucket"
      ? [["size", `${bucket.capacity}, filled in ${bucket.periodSeconds} seconds; one unit is a ${bucket.unit}`]]
      : bucket.tiers.map(
          (tier): Labelled => [
            `tier ${tier.tier}`,
            `from ${tier.fromCents} cents spent: ${tier.capacity}, filled in ${bucket.periodSeconds} seconds`,
          ],
        );
  const { question } = bucket;
  return {
    title: `${bucket.name} (bucket)`,
    sentence: bucket.summary,
    lines: [
      ...size,
      ...(question === null ? [] : questionLines(question, contract)),
      ["drawn on by", listOf(users) ?? "no operation yet"],
      ...only("rules", rulesAbout(bucket.name, contract)),
      ["place", placeOf(bucket.place.file, new RegExp(`^\\s*${bucket.name}\\b`))],
    ],
  };
}

function explainOperation(operation: Operation, sources: ExplanationSources): Explanation {
  const { contract, placeOf, checks } = sources;
  const { id, summary, service, scope, scopeQuestion, scopeExemption, caller, draws, success, errors, place } =
    operation;
  // The catalog is in the order of statuses, the operation in that of its return type.
  const rows = contract.errors.filter((row) => row.service === service && errors.includes(row.name));
  const statuses = rows.map((row) => `${statusText(row)} ${row.code}`);
  return {
    title: `${id} (operation of the ${service === "api" ? "API" : service})`,
    sentence: summary,
    lines: [
      ["route", routeOf(operation)],
      ...only("caller", caller?.replaceAll("-", " ") ?? null),
      ...only("scope", scope ?? (scopeExemption === null ? null : `none: ${scopeExemption}`)),
      ...(scopeQuestion === null ? [] : questionLines(scopeQuestion, contract)),
      ...draws.map(({ bucket }) => ["bucket", bucket] as const),
      [
        "success",
        success.allowed === "2XX" ? `any 2xx; the reference answers ${success.reference}` : String(success.allowed),
      ],
      ...only("errors", listOf([...new Set(statuses)])),
      ...only("rules", rulesAbout(id, contract)),
      ...(checks ?? [])
        .filter((check) => check.operation === id)
        .map((check) => ["checked by", `${check.id}: ${check.rules.join(", ")}`] as const),
      ["place", placeOf(place.file, new RegExp(`\\b${id}\\s*\\(`))],
      ...(service === "api" ? checklistOf(operation, sources) : []),
    ],
  };
}

function explainCheck({ id, title, rules, operation, needs, effects, watches }: DecidingCheck): Explanation {
  return {
    title: `${id} (${watches ? "watches every run" : "check"})`,
    sentence: `${title}.`,
    lines: [
      ["decides", rules.join(", ")],
      ...only("at", operation),
      ...only("needs", listOf(needs.map((need) => need.replaceAll("-", " ")))),
      ...only("does", listOf(effects)),
      ["run it", `npx bylaw verify --profile full${watches ? "" : ` --only ${id}`}`],
    ],
  };
}

const routeOf = ({ method, path }: Operation): string => `${method.toUpperCase()} ${path}`;

const rulesAbout = (name: string, contract: ReadContract): string | null =>
  listOf(contract.rules.filter((rule) => rule.about === name).map((rule) => rule.id));

const listOf = (names: readonly string[]): string | null => (names.length === 0 ? null : names.join(", "));

const only = (label: string, text: string | null): readonly Labelled[] => (text === null ? [] : [[label, text]]);
