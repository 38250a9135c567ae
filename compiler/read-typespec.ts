import {
  compile,
  type DiagnosticTarget,
  type EnumMember,
  getDoc,
  getPattern,
  listServices,
  type Model,
  NodeHost,
  type Type,
  type UnionVariant,
} from "@typespec/compiler";
import { getHeaderFieldName } from "@typespec/http";
import type { BasisFacts, BucketFacts, RuleFacts } from "../spec/vocabulary/facts.ts";
import type { Declared } from "../spec/vocabulary/vocabulary.ts";
import { completeDocument } from "./complete-document.ts";
import {
  type Bound,
  type Bucket,
  type CallerKind,
  type Constant,
  type Contract,
  contractFormat,
  type DeliveryHeader,
  type Entity,
  type ErrorRow,
  type OpenQuestion,
  type Rule,
  type Scope,
} from "./contract.ts";
import { fillSentence, placeholders } from "./fill-sentence.ts";
import { printingProblems } from "./printing-problems.ts";
import type { Problem } from "./problem.ts";
import { didYouMean } from "./text/nearest-name.ts";
import { envelopeOf } from "./typespec/envelope-of.ts";
import { patternOfEnum } from "./typespec/model-facts.ts";
import { readErrorRow } from "./typespec/read-error-row.ts";
import { readOperation } from "./typespec/read-operation.ts";
import { readServices, serviceOfModel } from "./typespec/read-services.ts";
import { refuseLostDecorators } from "./typespec/refuse-lost-decorators.ts";
import { SpecSource } from "./typespec/spec-source.ts";

/** What reading a spec gives: a contract, unless something is wrong with it. */
export interface Reading {
  readonly contract: Contract | null;
  readonly problems: readonly Problem[];
}

/**
 * Compiles the TypeSpec program whose entry file is `entry` (an absolute path) and reads the contract off it.
 * Places are relative to `root`.
 */
export async function readTypeSpec(entry: string, root: string): Promise<Reading> {
  const program = await compile(NodeHost, entry, { noEmit: true });
  const source = new SpecSource(program, root);
  const early = program.diagnostics.map((d) => source.problem(d));
  if (program.hasError()) return { contract: null, problems: early };
  if (listServices(program).length === 0) {
    const message = "The spec has no service.";
    return {
      contract: null,
      problems: [
        ...early,
        { code: "no-service", severity: "error", message, fix: "Put @service on its namespace.", place: null },
      ],
    };
  }
  refuseLostDecorators(source);
  const contract = await new Reader(source).contract();
  const problems = [...early, ...source.problems, ...printingProblems(contract)];
  return { contract: problems.some((p) => p.severity === "error") ? null : contract, problems };
}

/** Puts one contract together from what the parts of a program say. */
class Reader {
  private readonly source: SpecSource;

  constructor(source: SpecSource) {
    this.source = source;
  }

  async contract(): Promise<Contract> {
    const { source } = this;
    const services = await readServices(source);
    const rows = [...source.vocabulary.errorRows].map(([model, row]) =>
      readErrorRow(source, model, row, serviceOfModel(services, model)?.name ?? ""),
    );
    const errors = rows.map(({ row }) => row).sort(byStatusThenName);
    const operations = services.flatMap((service) =>
      service.operations.flatMap((http) => readOperation(source, service, http) ?? []),
    );
    const facts = {
      contractFormat,
      services: services.map(({ name, testing, basePath, document }) => ({
        name,
        testing,
        basePath,
        document: completeDocument(document, name, operations, errors),
        envelope: envelopeOf(source, rows, name),
      })),
      callers: this.callers(),
      operations,
      errors,
      reservedCodes: this.source.vocabulary.reservedCodes.flatMap((e) => [...e.members.keys()]),
      scopes: this.scopes(),
      buckets: this.buckets(),
      bounds: this.bounds(),
      constants: this.constants(),
      eventTypes: this.source.vocabulary.eventTypes.flatMap((e) =>
        [...e.members.values()].map((m) => String(m.value ?? m.name)),
      ),
      deliveryHeaders: this.source.vocabulary.deliveryHeaders.flatMap((m) => this.headers(m)),
    } as const;
    const rules = this.source.vocabulary.rules.map((declared) => this.rule(declared, facts));
    return { ...facts, entities: this.entities(facts), rules, questions: this.questions(facts) };
  }

  private callers(): CallerKind[] {
    return this.source.vocabulary.callers.flatMap((e) =>
      [...e.members.values()].map((member) => ({
        name: String(member.value ?? member.name),
        admits: this.source.vocabulary.admitted.get(member) ?? [member.name],
      })),
    );
  }

  private scopes(): Scope[] {
    return this.source.vocabulary.scopes.flatMap((e) =>
      [...e.members.values()].map((member) => ({
        name: member.name,
        value: String(member.value ?? member.name),
        question: this.source.vocabulary.referenceScopes.get(member) ?? null,
      })),
    );
  }

  private buckets(): Bucket[] {
    const { buckets, ladders } = this.source.vocabulary;
    const plain = [...buckets].map(
      ([member, { value }]): Bucket => ({ ...this.bucket(member, value), kind: "bucket", capacity: value.capacity }),
    );
    const laddered = [...ladders].map(([member, { value }]): Bucket => {
      const { fromCents, capacities } = value;
      const tiers = fromCents.map((cents, i) => ({ tier: i + 1, fromCents: cents, capacity: capacities[i] ?? 0 }));
      return { ...this.bucket(member, value), kind: "ladder", tiers };
    });
    return [...plain, ...laddered];
  }

  /** What both kinds of bucket have. */
  private bucket(member: EnumMember, { periodSeconds, unit, adjustable, open }: Omit<BucketFacts, "capacity">) {
    return {
      name: member.name,
      summary: getDoc(this.source.program, member) ?? "",
      periodSeconds,
      unit,
      adjustable: adjustable ?? false,
      question: open ?? null,
      place: this.source.place(member),
    };
  }

  private bounds(): Bound[] {
    const { program, vocabulary } = this.source;
    return this.variants().flatMap((variant) =>
      variant.type.kind === "Number"
        ? {
            name: String(variant.name),
            value: variant.type.value,
            summary: getDoc(program, variant) ?? "",
            unit: vocabulary.units.get(variant) ?? "",
          }
        : [],
    );
  }

  private constants(): Constant[] {
    return this.variants().flatMap((variant) =>
      variant.type.kind === "String"
        ? {
            name: String(variant.name),
            value: variant.type.value,
            summary: getDoc(this.source.program, variant) ?? "",
          }
        : [],
    );
  }

  private variants(): readonly UnionVariant[] {
    return this.source.vocabulary.constants.flatMap((union) => [...union.variants.values()]);
  }

  private headers(model: Model): DeliveryHeader[] {
    return [...model.properties.values()].map((property) => ({
      name: getHeaderFieldName(this.source.program, property) ?? property.name,
      summary: getDoc(this.source.program, property) ?? "",
      pattern:
        getPattern(this.source.program, property) ??
        getPattern(this.source.program, property.type) ??
        patternOfEnum(property.type),
      open: property.type.kind === "Enum" && this.source.vocabulary.openEnums.has(property.type),
      component: property.type.kind === "Enum" ? property.type.name : null,
      scheme: this.source.vocabulary.signatures.get(property) ?? null,
    }));
  }

  private entities(facts: Facts): Entity[] {
    return this.source.vocabulary.states.map(({ value }) => ({
      name: value.entity,
      states: value.known,
      open: value.open,
      transitions: this.source.vocabulary.transitions
        .filter((t) => t.value.entity === value.entity)
        .map(({ at, value: { from, to, trigger, asks, condition, answers, rule, stateRule } }) => ({
          from,
          to,
          trigger: this.trigger(trigger, facts, at),
          operation: /^\{operation\.(\w+)\}$/.exec(trigger)?.[1] ?? null,
          asks: asks === undefined ? null : this.filled(asks, facts, at),
          condition: condition === undefined ? null : this.filled(condition, facts, at),
          answers: answers === undefined ? null : this.filled(answers, facts, at).replaceAll("`", ""),
          row: /^\{(\w+)\}$/.exec(answers ?? "")?.[1] ?? null,
          rule: this.ruleOfMove(rule, at),
          stateRule: this.ruleOfMove(stateRule, at),
        })),
    }));
  }

  private ruleOfMove(id: string | undefined, at: DiagnosticTarget): string | null {
    if (id === undefined) return null;
    if (!this.source.vocabulary.rules.some(({ value }) => value.id === id))
      this.source.fault("unknown-rule", `A move names the rule ${id}, which is not declared.`, "Correct the id.", at);
    return id;
  }

  /** A route of an operation that is declared is that operation's: typed out, it would stay when the path changes. */
  private trigger(template: string, facts: Facts, at: DiagnosticTarget): string {
    const typed = facts.operations.find(({ method, path }) => template === `${method.toUpperCase()} ${path}`);
    if (typed !== undefined) {
      this.source.fault(
        "typed-route",
        `The trigger "${template}" types the route of ${typed.id} again.`,
        `Write {operation.${typed.id}}.`,
        at,
      );
    }
    // A path holds braces too, which are no placeholders.
    return template.startsWith("{") ? this.filled(template, facts, at).replaceAll("`", "") : template;
  }

  private questions(facts: Facts): OpenQuestion[] {
    return this.source.vocabulary.questions.map(({ target, at, value }) => ({
      id: value.id,
      about: nameOf(target),
      asks: this.filled(value.asks, facts, at),
      kind: value.kind,
      choice: this.filled(value.choice, facts, at),
      alternatives: (value.alternatives ?? []).map((alternative) => this.filled(alternative, facts, at)),
      tolerates: value.tolerates === undefined ? null : this.filled(value.tolerates, facts, at),
      reason: value.reason === undefined ? null : this.filled(value.reason, facts, at),
      option: value.option === undefined ? null : { name: value.option, values: value.values ?? [] },
      place: this.source.place(at),
    }));
  }

  private filled(template: string, facts: Facts, at: DiagnosticTarget): string {
    const { sentence, unknown } = fillSentence(template, facts);
    for (const placeholder of unknown) {
      this.source.fault(
        "unknown-placeholder",
        `{${placeholder}} names nothing in the contract.${didYouMean(placeholder, placeholders(facts))}`,
        "Use an error row, bucket.<name>.capacity, limit.<name>, constant.<name>, basePath.<service>, scope.<name> or operation.<id>.",
        at,
      );
    }
    return sentence;
  }

  private rule({ target, at, value }: Declared<RuleFacts>, facts: Facts): Rule {
    const { basis, level, why } = levelOf(value.basis);
    return {
      id: value.id,
      about: nameOf(target),
      says: this.filled(value.says, facts, value.saysAt),
      template: value.says,
      operations: facts.operations.map(({ id }) => id).filter((id) => value.says.includes(`{operation.${id}}`)),
      rows: facts.errors.map(({ name }) => name).filter((name) => value.says.includes(`{${name}}`)),
      demands: value.basis.demands ?? null,
      level,
      basis,
      why: why === null ? null : this.filled(why, facts, at),
      unobservable: value.basis.unobservable ?? null,
      questions: value.basis.open ?? [],
      ...(value.basis.draft === undefined ? {} : { draft: value.basis.draft }),
      place: this.source.place(at),
    };
  }
}

type Facts = Parameters<typeof fillSentence>[1];

function levelOf(basis: BasisFacts): Pick<Rule, "basis" | "level" | "why"> {
  if (basis.observed !== undefined) return { basis: "observed", level: "observe", why: basis.observed };
  if (basis.assumed !== undefined) return { basis: "assumed", level: "should", why: basis.assumed };
  if (basis.entailed !== undefined) return { basis: "entailed", level: "must", why: basis.entailed };
  return { basis: "explicit", level: "must", why: null };
}

/** Rows are declared in many files; readers look them up by status. */
const byStatusThenName = (a: ErrorRow, b: ErrorRow): number =>
  a.referenceStatus - b.referenceStatus || (a.name < b.name ? -1 : 1);

function nameOf(type: Type): string {
  if (type.kind === "ModelProperty" && type.model) return `${type.model.name}.${type.name}`;
  return "name" in type && typeof type.name === "string" ? type.name : type.kind;
}
