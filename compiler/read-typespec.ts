import {
  compile,
  type DiagnosticTarget,
  getDoc,
  getPattern,
  listServices,
  type Model,
  NodeHost,
  type Service,
  type Type,
} from "@typespec/compiler";
import { getHeaderFieldName, getHttpService } from "@typespec/http";
import { getOpenAPI3 } from "@typespec/openapi3";
import type { BasisFacts, Declared, RuleFacts } from "../spec/vocabulary/decorators.ts";
import { completeDocument } from "./complete-document.ts";
import type {
  Bucket,
  Contract,
  DeliveryHeader,
  Entity,
  ErrorRow,
  OpenApiDocument,
  OpenQuestion,
  Operation,
  Rule,
  Scope,
  ServiceName,
} from "./contract.ts";
import { fillSentence } from "./fill-sentence.ts";
import { printingProblems } from "./printing-problems.ts";
import type { Problem } from "./problem.ts";
import { envelopeOf } from "./typespec/envelope-of.ts";
import { patternOfEnum } from "./typespec/model-facts.ts";
import { readErrorRow } from "./typespec/read-error-row.ts";
import { readOperation } from "./typespec/read-operation.ts";
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
    const documents = await this.documents();
    const rows = [...this.source.vocabulary.errorRows].map(([model, row]) =>
      readErrorRow(this.source, model, row, inSandbox(model) ? "sandbox" : "api"),
    );
    const errors = rows.map(({ row }) => row).sort(byStatusThenName);
    const operations = this.services().flatMap(([name, service]) => this.operations(name, service));
    const facts = {
      contractFormat: 1,
      api: completeDocument(documents.api, "api", operations, errors),
      sandbox: completeDocument(documents.sandbox, "sandbox", operations, errors),
      operations,
      errors,
      envelopes: { api: envelopeOf(this.source, rows, "api"), sandbox: envelopeOf(this.source, rows, "sandbox") },
      reservedCodes: this.source.vocabulary.reservedCodes.flatMap((e) => [...e.members.keys()]),
      scopes: this.scopes(),
      buckets: this.buckets(),
      bounds: this.source.vocabulary.bounds.map(({ value }) => value),
      eventTypes: this.source.vocabulary.eventTypes.flatMap((e) =>
        [...e.members.values()].map((m) => String(m.value ?? m.name)),
      ),
      deliveryHeaders: this.source.vocabulary.deliveryHeaders.flatMap((m) => this.headers(m)),
    } as const;
    const rules = this.source.vocabulary.rules.map((declared) => this.rule(declared, facts));
    return { ...facts, entities: this.entities(facts), rules, questions: this.questions(facts) };
  }

  /** The API is the service that is not called Sandbox. */
  private services(): (readonly [ServiceName, Service])[] {
    return listServices(this.source.program).map((service) => [serviceName(service), service] as const);
  }

  private async documents(): Promise<Record<ServiceName, OpenApiDocument>> {
    const records = await getOpenAPI3(this.source.program, {
      "openapi-versions": ["3.1.0"],
      "omit-unreachable-types": false,
    });
    const documents: Record<ServiceName, OpenApiDocument> = { api: emptyDocument, sandbox: emptyDocument };
    for (const record of records) {
      if (record.versioned) continue;
      this.source.problems.push(...record.diagnostics.map((d) => this.source.problem(d)));
      // The emitter hands out live objects; the round trip leaves plain JSON, which is what our type describes.
      const text = JSON.stringify(record.document)
        .replaceAll(`"${sharedNamespace}.`, '"')
        .replaceAll(`/schemas/${sharedNamespace}.`, "/schemas/");
      documents[serviceName(record.service)] = JSON.parse(text) as OpenApiDocument;
    }
    return documents;
  }

  private operations(name: ServiceName, service: Service): Operation[] {
    const [http, diagnostics] = getHttpService(this.source.program, service.type);
    this.source.problems.push(...diagnostics.map((d) => this.source.problem(d)));
    return http.operations.flatMap((operation) => readOperation(this.source, name, operation) ?? []);
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
      ([member, { value }]): Bucket => ({
        name: member.name,
        summary: getDoc(this.source.program, member) ?? "",
        kind: "bucket",
        capacity: value.capacity,
        periodSeconds: value.periodSeconds,
        unit: value.unit,
        adjustable: value.adjustable ?? false,
        question: value.open ?? null,
        place: this.source.place(member),
      }),
    );
    const laddered = [...ladders].map(
      ([member, { value }]): Bucket => ({
        name: member.name,
        summary: getDoc(this.source.program, member) ?? "",
        kind: "ladder",
        tiers: value,
        place: this.source.place(member),
      }),
    );
    return [...plain, ...laddered];
  }

  private headers(model: Model): DeliveryHeader[] {
    return [...model.properties.values()].map((property) => ({
      name: getHeaderFieldName(this.source.program, property) ?? property.name,
      summary: getDoc(this.source.program, property) ?? "",
      pattern:
        getPattern(this.source.program, property) ??
        getPattern(this.source.program, property.type) ??
        patternOfEnum(property.type),
    }));
  }

  private entities(facts: Facts): Entity[] {
    return this.source.vocabulary.states.map(({ value }) => ({
      name: value.entity,
      states: value.known,
      open: value.open,
      transitions: this.source.vocabulary.transitions
        .filter((t) => t.value.entity === value.entity)
        .map(({ at, value: { entity: _, condition, answers, ...move } }) => ({
          ...move,
          condition: condition === undefined ? null : this.filled(condition, facts, at),
          answers: answers === undefined ? null : this.filled(answers, facts, at).replaceAll("`", ""),
        })),
    }));
  }

  private questions(facts: Facts): OpenQuestion[] {
    return this.source.vocabulary.questions.map(({ target, at, value }) => ({
      id: value.id,
      about: nameOf(target),
      asks: value.asks,
      kind: value.kind,
      choice: this.filled(value.choice, facts, at),
      alternatives: (value.alternatives ?? []).map((alternative) => this.filled(alternative, facts, at)),
      tolerates: value.tolerates ?? null,
      reason: value.reason ?? null,
      option: value.option === undefined ? null : { name: value.option, values: value.values ?? [] },
      place: this.source.place(at),
    }));
  }

  private filled(template: string, facts: Facts, at: DiagnosticTarget): string {
    const { sentence, unknown } = fillSentence(template, facts);
    for (const placeholder of unknown) {
      this.source.fault(
        "unknown-placeholder",
        `{${placeholder}} names nothing in the contract.`,
        "Use an error row, bucket.<name>.capacity, limit.<name>, scope.<name> or operation.<id>.",
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
      foreignRecord: value.basis.foreignRecord ?? false,
      level,
      basis,
      why,
      unobservable: value.basis.unobservable ?? null,
      questions: value.basis.open ?? [],
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

const emptyDocument: OpenApiDocument = {
  openapi: "3.1.0",
  info: { title: "", version: "" },
  paths: {},
  components: { schemas: {} },
};

/** The sandbox borrows types of the API; its document calls them by their plain names too. */
const sharedNamespace = "MessagingPlatform";

const serviceName = (service: Service): ServiceName => (service.type.name === "Sandbox" ? "sandbox" : "api");

function inSandbox(model: Model): boolean {
  for (let at = model.namespace; at; at = at.namespace) if (at.name === "Sandbox") return true;
  return false;
}

function nameOf(type: Type): string {
  if (type.kind === "ModelProperty" && type.model) return `${type.model.name}.${type.name}`;
  return "name" in type && typeof type.name === "string" ? type.name : type.kind;
}
