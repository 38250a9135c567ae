import type { DecoratorContext, Type } from "@typespec/compiler";
import type { BasisFacts, OpenQuestionFacts, RuleDraftFacts } from "./facts.ts";
import { $lib } from "./library.ts";
import { add, of } from "./vocabulary.ts";

export function rule(context: DecoratorContext, target: Type, id: string, says: string, basis: BasisFacts = {}): void {
  if (!/^[A-Z]{3,4}-\d{2,3}$/.test(id)) {
    $lib.reportDiagnostic(context.program, { code: "rule-id", target: context.getArgumentTarget(0) ?? target });
    return;
  }
  const bases = [basis.entailed, basis.assumed, basis.observed, basis.unobservable].filter((b) => b !== undefined);
  if (bases.length > 1) {
    $lib.reportDiagnostic(context.program, { code: "basis-conflict", target: context.getArgumentTarget(2) ?? target });
  }
  const { draft, unobservable } = basis;
  const draftProblem = draft === undefined ? null : unobservable !== undefined ? "unobservable" : problemOf(draft);
  if (draftProblem !== null) {
    const target = context.getArgumentTarget(2) ?? context.decoratorTarget;
    $lib.reportDiagnostic(context.program, { code: "rule-draft", messageId: draftProblem, target });
  }
  const saysAt = context.getArgumentTarget(1) ?? context.decoratorTarget;
  add(context, of(context).rules, target, { id, says, saysAt, basis });
}

const problemOf = ({ owner, expires }: RuleDraftFacts): "default" | null =>
  owner.trim() !== "" && isDay(expires) ? null : "default";

/** Whether a text is a day of the calendar, such as 2027-01-31. */
function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(`${text}T`);
}

/** An enum member handed over as a value carries its name. */
const memberName = (value: unknown): string =>
  typeof value === "object" && value !== null && "name" in value ? String(value.name) : String(value);

export function question(context: DecoratorContext, target: Type, id: string, raw: OpenQuestionFacts): void {
  if (!/^Q[1-9]\d*$/.test(id)) {
    $lib.reportDiagnostic(context.program, { code: "question-id", target: context.getArgumentTarget(0) ?? target });
    return;
  }
  const named = memberName((raw.kind as { value?: unknown }).value ?? raw.kind);
  const kind = named === "observable" || named === "shape" ? named : "internal";
  const at = context.getArgumentTarget(1) ?? target;
  const incomplete = (messageId: "alternatives" | "reason" | "values"): void =>
    $lib.reportDiagnostic(context.program, { code: "question-shape", messageId, target: at });
  if (kind === "internal" && !raw.reason) incomplete("reason");
  if (kind !== "internal" && !raw.alternatives?.length && !raw.tolerates) incomplete("alternatives");
  if (raw.option !== undefined && (raw.values?.length ?? 0) < 2) incomplete("values");
  add(context, of(context).questions, target, { ...raw, id, kind });
}
