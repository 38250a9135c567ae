import {
  $doc,
  createTypeSpecLibrary,
  type DecoratorContext,
  type DiagnosticTarget,
  type Enum,
  type EnumMember,
  type Interface,
  type Model,
  type ModelProperty,
  type Namespace,
  type Operation,
  type Program,
  type Type,
  type Union,
  type UnionVariant,
} from "@typespec/compiler";
import { setExtension } from "@typespec/openapi";
import { openEnum } from "./extensions.ts";

/** A declaration together with the place to blame for it. */
export interface Declared<T> {
  readonly target: Type;
  readonly at: DiagnosticTarget;
  readonly value: T;
}

export interface BasisFacts {
  readonly entailed?: string;
  readonly assumed?: string;
  readonly observed?: string;
  readonly unobservable?: string;
  readonly open?: readonly string[];
  readonly foreignRecord?: boolean;
}

export interface RuleFacts {
  readonly id: string;
  readonly says: string;
  readonly saysAt: DiagnosticTarget;
  readonly basis: BasisFacts;
}

export interface QuestionFacts {
  readonly id: string;
  readonly asks: string;
  readonly kind: "observable" | "shape" | "internal";
  readonly choice: string;
  readonly alternatives?: readonly string[];
  readonly tolerates?: string;
  readonly reason?: string;
  readonly option?: string;
  readonly values?: readonly string[];
}

export interface BucketFacts {
  readonly capacity: number;
  readonly periodSeconds: number;
  readonly unit: "request" | "record";
  readonly adjustable?: boolean;
  readonly open?: string;
}

export interface DrawFacts {
  readonly bucket: EnumMember;
  /** Name of the array in the body whose items are the units. */
  readonly records: string | null;
  /** The error row that refuses more of them than the bucket ever holds. */
  readonly tooMany: Model | null;
}

export interface LadderFacts extends Omit<BucketFacts, "capacity"> {
  readonly capacities: readonly number[];
}

export interface ErrorRowFacts {
  readonly when: string;
  readonly extension?: boolean;
  readonly referenceStatus?: number;
  readonly notStatus?: readonly number[];
  readonly anywhere?: boolean;
}

export interface NarrowingFacts {
  readonly required?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

export interface TransitionFacts {
  readonly from: string;
  readonly to: string;
  readonly trigger: string;
  readonly condition?: string;
  readonly answers?: string;
}

/** What a property of an answer is to a client: a member of `EnvelopePart`. */
export type EnvelopePart = "payload" | "code" | "message" | "details" | "requestId";

const envelopeParts: readonly string[] = [
  "payload",
  "code",
  "message",
  "details",
  "requestId",
] satisfies EnvelopePart[];
const isEnvelopePart = (name: string): name is EnvelopePart => envelopeParts.includes(name);

export const $lib = createTypeSpecLibrary({
  name: "bylaw",
  diagnostics: {
    "rule-id": {
      severity: "error",
      messages: { default: "Rule ids have the form AREA-NN or AREA-NNN, such as KEYC-15." },
    },
    "service-name": {
      severity: "error",
      messages: { default: "The name of a service is one word of small letters and digits, such as api." },
    },
    "question-id": {
      severity: "error",
      messages: { default: "Question ids have the form Qn, such as Q24." },
    },
    "basis-conflict": {
      severity: "error",
      messages: { default: "A rule has one basis: keep one of entailed, assumed, observed, unobservable." },
    },
    "bucket-size": {
      severity: "error",
      messages: { default: "Capacity and period of a bucket are whole numbers above zero." },
    },
    constant: {
      severity: "error",
      messages: {
        default: "A constant is a text or a number.",
        name: "Name the constant.",
        unit: "Say with @unit what this number counts.",
        text: "A text has no unit.",
      },
    },
    "ladder-order": {
      severity: "error",
      messages: {
        default:
          "Amounts start at 0 cents and rise, as do the capacities, one for each of them; a period is above zero.",
      },
    },
    "wrong-enum": {
      severity: "error",
      messages: { default: "This member does not belong to an enum with the right decorator." },
    },
    "question-shape": {
      severity: "error",
      messages: {
        alternatives: "Name the lawful alternatives of this open question, or make it internal with a reason.",
        reason: "Say why the answer to this internal question is nobody's business.",
        values: "An option names at least two values; the first is the reference's choice.",
        default: "This open question is not complete.",
      },
    },
    "row-status": {
      severity: "error",
      messages: { default: "referenceStatus and notStatus are HTTP statuses of the row's declared range." },
    },
  },
});

/** Everything that the vocabulary collected from one program, in declaration order. */
export interface Vocabulary {
  readonly rules: Declared<RuleFacts>[];
  readonly questions: Declared<QuestionFacts>[];
  readonly operationScopes: Map<Operation, Declared<{ readonly scope: EnumMember; readonly open: string | null }>>;
  readonly scopeExemptions: Map<Operation, Declared<string>>;
  readonly serviceNames: Map<Namespace, string>;
  readonly forTests: Set<Namespace>;
  readonly callers: Enum[];
  readonly admitted: Map<EnumMember, readonly string[]>;
  readonly calledBy: Map<Operation | Interface | Namespace, EnumMember>;
  /** Name of the header that carries the key. */
  readonly idempotent: Map<Operation, string>;
  readonly buckets: Map<EnumMember, Declared<BucketFacts>>;
  readonly ladders: Map<EnumMember, Declared<LadderFacts & { readonly fromCents: readonly number[] }>>;
  readonly draws: Map<Operation, readonly Declared<DrawFacts>[]>;
  readonly constants: Union[];
  readonly units: Map<UnionVariant, string>;
  readonly errorRows: Map<Model, Declared<ErrorRowFacts>>;
  readonly envelopeParts: Map<ModelProperty, EnvelopePart>;
  readonly reservedCodes: Enum[];
  readonly scopes: Enum[];
  readonly referenceScopes: Map<EnumMember, string>;
  readonly eventTypes: Enum[];
  readonly openEnums: Set<Enum>;
  readonly deliveryHeaders: Model[];
  readonly refusals: Map<ModelProperty, Declared<{ readonly row: Model; readonly keywords: readonly string[] }>[]>;
  readonly narrowings: Map<ModelProperty, Declared<{ readonly question: string } & NarrowingFacts>>;
  readonly referenceStatuses: Map<Operation, Declared<{ readonly question: string; readonly status: number }>>;
  /** Decorator uses already seen: one on a namespace is applied once for each block of that namespace. */
  readonly seen: Set<DiagnosticTarget>;
  readonly states: Declared<{ readonly entity: string; readonly known: readonly string[]; readonly open: boolean }>[];
  readonly transitions: Declared<{ readonly entity: string } & TransitionFacts>[];
}

/** The program itself keeps the collection: a test runner may load this module twice. */
const collection = Symbol.for("bylaw.vocabulary");

/** What the decorators collected while this program was checked. */
export function vocabularyOf(program: Program): Vocabulary {
  const collected: Map<Type, Vocabulary> = program.stateMap(collection);
  const known = collected.get(program.getGlobalNamespaceType());
  if (known) return known;
  const fresh: Vocabulary = {
    rules: [],
    questions: [],
    operationScopes: new Map(),
    scopeExemptions: new Map(),
    serviceNames: new Map(),
    forTests: new Set(),
    callers: [],
    admitted: new Map(),
    calledBy: new Map(),
    idempotent: new Map(),
    buckets: new Map(),
    ladders: new Map(),
    draws: new Map(),
    constants: [],
    units: new Map(),
    errorRows: new Map(),
    envelopeParts: new Map(),
    reservedCodes: [],
    scopes: [],
    referenceScopes: new Map(),
    eventTypes: [],
    openEnums: new Set(),
    deliveryHeaders: [],
    refusals: new Map(),
    narrowings: new Map(),
    referenceStatuses: new Map(),
    seen: new Set(),
    states: [],
    transitions: [],
  };
  collected.set(program.getGlobalNamespaceType(), fresh);
  return fresh;
}

function declared<T>(context: DecoratorContext, target: Type, value: T): Declared<T> {
  return { target, at: context.decoratorTarget, value };
}

const of = (context: DecoratorContext): Vocabulary => vocabularyOf(context.program);

/** Adds a declaration to a list, once for each place where it is written. */
function add<T>(context: DecoratorContext, list: Declared<T>[], target: Type, value: T): void {
  const { seen } = of(context);
  if (seen.has(context.decoratorTarget)) return;
  seen.add(context.decoratorTarget);
  list.push(declared(context, target, value));
}

function rule(context: DecoratorContext, target: Type, id: string, says: string, basis: BasisFacts = {}): void {
  if (!/^[A-Z]{3,4}-\d{2,3}$/.test(id)) {
    $lib.reportDiagnostic(context.program, { code: "rule-id", target: context.getArgumentTarget(0) ?? target });
    return;
  }
  const bases = [basis.entailed, basis.assumed, basis.observed, basis.unobservable].filter((b) => b !== undefined);
  if (bases.length > 1) {
    $lib.reportDiagnostic(context.program, { code: "basis-conflict", target: context.getArgumentTarget(2) ?? target });
  }
  const saysAt = context.getArgumentTarget(1) ?? context.decoratorTarget;
  add(context, of(context).rules, target, { id, says, saysAt, basis });
}

/** An enum member handed over as a value carries its name. */
const memberName = (value: unknown): string =>
  typeof value === "object" && value !== null && "name" in value ? String(value.name) : String(value);

function question(context: DecoratorContext, target: Type, id: string, raw: Omit<QuestionFacts, "id">): void {
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

/** What keeps a variant from being a constant; null when it is one. */
function faultOfConstant(
  variant: UnionVariant,
  units: ReadonlyMap<UnionVariant, string>,
): "default" | "name" | "unit" | "text" | null {
  if (typeof variant.name !== "string") return "name";
  switch (variant.type.kind) {
    case "Number":
      return units.has(variant) ? null : "unit";
    case "String":
      return units.has(variant) ? "text" : null;
    default:
      return "default";
  }
}

const rises = (numbers: readonly number[]): boolean =>
  numbers.every((number, i) => i === 0 || number > (numbers[i - 1] ?? number));

export const $decorators = {
  Bylaw: {
    rule,
    question,
    scope(context: DecoratorContext, target: Operation, scope: EnumMember, open?: string): void {
      if (!of(context).scopes.includes(scope.enum)) {
        $lib.reportDiagnostic(context.program, { code: "wrong-enum", target: context.getArgumentTarget(0) ?? target });
        return;
      }
      of(context).operationScopes.set(target, declared(context, target, { scope, open: open ?? null }));
    },
    scopeExempt(context: DecoratorContext, target: Operation, reason: string): void {
      of(context).scopeExemptions.set(target, declared(context, target, reason));
    },
    serviceName(context: DecoratorContext, target: Namespace, name: string): void {
      if (!/^[a-z][a-z0-9]*$/.test(name)) {
        $lib.reportDiagnostic(context.program, {
          code: "service-name",
          target: context.getArgumentTarget(0) ?? target,
        });
        return;
      }
      of(context).serviceNames.set(target, name);
    },
    forTests(context: DecoratorContext, target: Namespace): void {
      of(context).forTests.add(target);
    },
    callers(context: DecoratorContext, target: Enum): void {
      of(context).callers.push(target);
    },
    admits(context: DecoratorContext, target: EnumMember, ...who: readonly string[]): void {
      of(context).admitted.set(target, who);
    },
    calledBy(context: DecoratorContext, target: Operation | Interface | Namespace, caller: EnumMember): void {
      if (!of(context).callers.includes(caller.enum)) {
        $lib.reportDiagnostic(context.program, { code: "wrong-enum", target: context.getArgumentTarget(0) ?? target });
        return;
      }
      of(context).calledBy.set(target, caller);
    },
    idempotent(context: DecoratorContext, target: Operation, header = "Idempotency-Key"): void {
      of(context).idempotent.set(target, header);
    },
    tokenBucket(context: DecoratorContext, target: EnumMember, bucket: BucketFacts): void {
      if (!(bucket.capacity > 0 && bucket.periodSeconds > 0)) {
        $lib.reportDiagnostic(context.program, { code: "bucket-size", target: context.getArgumentTarget(0) ?? target });
      }
      of(context).buckets.set(target, declared(context, target, bucket));
    },
    ladder(context: DecoratorContext, target: EnumMember, fromCents: readonly number[], bucket: LadderFacts): void {
      const { capacities, periodSeconds } = bucket;
      const isMatched = fromCents.length === capacities.length && fromCents[0] === 0;
      if (!isMatched || !rises(fromCents) || !rises(capacities) || !((capacities[0] ?? 0) > 0 && periodSeconds > 0)) {
        $lib.reportDiagnostic(context.program, {
          code: "ladder-order",
          target: context.getArgumentTarget(0) ?? target,
        });
      }
      of(context).ladders.set(target, declared(context, target, { fromCents, ...bucket }));
    },
    draws(context: DecoratorContext, target: Operation, bucket: EnumMember, records?: string, tooMany?: Model): void {
      const { buckets, ladders } = of(context);
      if (!buckets.has(bucket) && !ladders.has(bucket)) {
        $lib.reportDiagnostic(context.program, { code: "wrong-enum", target: context.getArgumentTarget(0) ?? target });
        return;
      }
      const { draws } = of(context);
      // Decorators are applied from the last to the first.
      const added = declared(context, target, { bucket, records: records ?? null, tooMany: tooMany ?? null });
      draws.set(target, [added, ...(draws.get(target) ?? [])]);
    },
    constants(context: DecoratorContext, target: Union): void {
      for (const variant of target.variants.values()) {
        const messageId = faultOfConstant(variant, of(context).units);
        if (messageId !== null) {
          $lib.reportDiagnostic(context.program, { code: "constant", messageId, target: variant });
        }
      }
      of(context).constants.push(target);
    },
    unit(context: DecoratorContext, target: UnionVariant, unit: string): void {
      of(context).units.set(target, unit);
    },
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
    reservedCodes(context: DecoratorContext, target: Enum): void {
      of(context).reservedCodes.push(target);
    },
    scopes(context: DecoratorContext, target: Enum): void {
      of(context).scopes.push(target);
    },
    referenceScope(context: DecoratorContext, target: EnumMember, questionId: string): void {
      of(context).referenceScopes.set(target, questionId);
    },
    eventTypes(context: DecoratorContext, target: Enum): void {
      of(context).eventTypes.push(target);
    },
    openEnum(context: DecoratorContext, target: Enum): void {
      of(context).openEnums.add(target);
      setExtension(context.program, target, openEnum, true);
    },
    deliveryHeaders(context: DecoratorContext, target: Model): void {
      of(context).deliveryHeaders.push(target);
    },
    refusedAs(context: DecoratorContext, target: ModelProperty, row: Model, keywords: readonly string[]): void {
      const { refusals } = of(context);
      refusals.set(target, [...(refusals.get(target) ?? []), declared(context, target, { row, keywords })]);
    },
    narrowed(context: DecoratorContext, target: ModelProperty, questionId: string, narrowing: NarrowingFacts): void {
      of(context).narrowings.set(target, declared(context, target, { question: questionId, ...narrowing }));
    },
    referenceStatus(context: DecoratorContext, target: Operation, questionId: string, status: number): void {
      of(context).referenceStatuses.set(target, declared(context, target, { question: questionId, status }));
    },
    states(
      context: DecoratorContext,
      target: Type,
      entity: string,
      facts: { known: readonly string[]; open: boolean },
    ): void {
      add(context, of(context).states, target, { entity, ...facts });
    },
    transition(context: DecoratorContext, target: Type, entity: string, move: TransitionFacts): void {
      add(context, of(context).transitions, target, { entity, ...move });
    },
  },
};
