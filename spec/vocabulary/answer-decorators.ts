import {
  $doc,
  type DecoratorContext,
  type Enum,
  type EnumMember,
  type Model,
  type ModelProperty,
  type Operation,
} from "@typespec/compiler";
import type { Changes, EnvelopePart, ErrorRowFacts, NarrowingFacts } from "./facts.ts";
import { $lib } from "./library.ts";
import { declared, of } from "./vocabulary.ts";

const envelopeParts: readonly string[] = [
  "payload",
  "code",
  "message",
  "details",
  "requestId",
] satisfies EnvelopePart[];
const amounts: readonly string[] = ["nothing", "once", "eachTime"] satisfies Changes[];
const isAmount = (name: string): name is Changes => amounts.includes(name);
const isEnvelopePart = (name: string): name is EnvelopePart => envelopeParts.includes(name);

/** What operations take and answer beyond their shapes. */
export const answerDecorators = {
  errorRow(context: DecoratorContext, target: Model, row: ErrorRowFacts): void {
    const statuses = [...(row.notStatus ?? []), ...(row.referenceStatus === undefined ? [] : [row.referenceStatus])];
    if (statuses.some((status) => status < 400 || status > 599)) {
      $lib.reportDiagnostic(context.program, { code: "row-status", target: context.getArgumentTarget(0) ?? target });
    }
    of(context).errorRows.set(target, declared(context, target, row));
    context.call($doc, target, `${row.when.charAt(0).toUpperCase()}${row.when.slice(1)}.`);
  },
  envelope(context: DecoratorContext, target: ModelProperty, part: EnumMember): void {
    if (part.enum.name !== "EnvelopePart" || !isEnvelopePart(part.name)) {
      $lib.reportDiagnostic(context.program, { code: "wrong-enum", target: context.getArgumentTarget(0) ?? target });
      return;
    }
    of(context).envelopeParts.set(target, part.name);
  },
  changes(context: DecoratorContext, target: Operation, what: EnumMember): void {
    if (what.enum.name !== "Changes" || !isAmount(what.name)) {
      $lib.reportDiagnostic(context.program, { code: "wrong-enum", target: context.getArgumentTarget(0) ?? target });
      return;
    }
    of(context).changes.set(target, what.name);
  },
  openList(context: DecoratorContext, target: Operation, questionId: string): void {
    of(context).openLists.set(target, questionId);
  },
  openCaller(context: DecoratorContext, target: Operation, questionId: string): void {
    of(context).openCallers.set(target, questionId);
  },
  reservedCodes(context: DecoratorContext, target: Enum): void {
    of(context).reservedCodes.push(target);
  },
  refusedAs(context: DecoratorContext, target: ModelProperty, row: Model, keywords: readonly string[]): void {
    const { refusals } = of(context);
    refusals.set(target, [...(refusals.get(target) ?? []), declared(context, target, { row, keywords })]);
  },
  refusedByOption(context: DecoratorContext, target: ModelProperty, option: string, keywords: readonly string[]): void {
    of(context).optionalRefusals.set(target, declared(context, target, { option, keywords }));
  },
  narrowed(context: DecoratorContext, target: ModelProperty, questionId: string, narrowing: NarrowingFacts): void {
    of(context).narrowings.set(target, declared(context, target, { question: questionId, ...narrowing }));
  },
  referenceStatus(context: DecoratorContext, target: Operation, questionId: string, status: number): void {
    of(context).referenceStatuses.set(target, declared(context, target, { question: questionId, status }));
  },
  idempotent(context: DecoratorContext, target: Operation, header = "Idempotency-Key"): void {
    of(context).idempotent.set(target, header);
  },
};
