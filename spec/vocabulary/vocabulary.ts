import type {
  DecoratorContext,
  DiagnosticTarget,
  Enum,
  EnumMember,
  Interface,
  Model,
  ModelProperty,
  Namespace,
  Operation,
  Program,
  Type,
  Union,
  UnionVariant,
} from "@typespec/compiler";
import type {
  BucketFacts,
  Changes,
  DrawFacts,
  EnvelopePart,
  ErrorRowFacts,
  LadderFacts,
  NarrowingFacts,
  QuestionFacts,
  RuleFacts,
  SignatureSchemeFacts,
  StatesFacts,
  TransitionFacts,
} from "./facts.ts";
import { $lib } from "./library.ts";

/** A declaration together with the place to blame for it. */
export interface Declared<T> {
  readonly target: Type;
  readonly at: DiagnosticTarget;
  readonly value: T;
}

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
  readonly changes: Map<Operation, Changes>;
  /** Open question on whether it answers with a list. */
  readonly openLists: Map<Operation, string>;
  /** Open question on whether it takes keys. */
  readonly openCallers: Map<Operation, string>;
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
  readonly signatures: Map<ModelProperty, SignatureSchemeFacts>;
  readonly optionalRefusals: Map<
    ModelProperty,
    Declared<{ readonly option: string; readonly keywords: readonly string[] }>
  >;
  readonly refusals: Map<ModelProperty, Declared<{ readonly row: Model; readonly keywords: readonly string[] }>[]>;
  readonly narrowings: Map<ModelProperty, Declared<{ readonly question: string } & NarrowingFacts>>;
  readonly referenceStatuses: Map<Operation, Declared<{ readonly question: string; readonly status: number }>>;
  /** Decorator uses already seen: one on a namespace is applied once for each block of that namespace. */
  readonly seen: Set<DiagnosticTarget>;
  readonly states: Declared<{ readonly entity: string } & StatesFacts>[];
  readonly transitions: Declared<{ readonly entity: string } & TransitionFacts>[];
}

/** What the decorators collected while this program was checked. */
export function vocabularyOf(program: Program): Vocabulary {
  const collected: Map<Type, Vocabulary> = program.stateMap($lib.stateKeys.vocabulary);
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
    changes: new Map(),
    openLists: new Map(),
    openCallers: new Map(),
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
    signatures: new Map(),
    optionalRefusals: new Map(),
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

export function declared<T>(context: DecoratorContext, target: Type, value: T): Declared<T> {
  return { target, at: context.decoratorTarget, value };
}

export const of = (context: DecoratorContext): Vocabulary => vocabularyOf(context.program);

/** Adds a declaration to a list, once for each place where it is written. */
export function add<T>(context: DecoratorContext, list: Declared<T>[], target: Type, value: T): void {
  const { seen } = of(context);
  if (seen.has(context.decoratorTarget)) return;
  seen.add(context.decoratorTarget);
  list.push(declared(context, target, value));
}
