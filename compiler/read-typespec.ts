import { isAbsolute, relative } from "node:path";
import {
  compile,
  type Diagnostic,
  type DiagnosticTarget,
  getDoc,
  getPattern,
  getSourceLocation,
  listServices,
  type Model,
  type ModelProperty,
  NodeHost,
  NoTarget,
  type Operation as OperationType,
  type Program,
  type Service,
  type Type,
} from "@typespec/compiler";
import { getHeaderFieldName, getHttpService, type HttpOperation } from "@typespec/http";
import { getOpenAPI3 } from "@typespec/openapi3";
import {
  type BasisFacts,
  type Declared,
  type RuleFacts,
  type Vocabulary,
  vocabularyOf,
} from "../spec/vocabulary/decorators.ts";
import { completeDocument } from "./complete-document.ts";
import type {
  Bucket,
  Contract,
  DeliveryHeader,
  Entity,
  ErrorRow,
  Method,
  Narrowing,
  OpenApiDocument,
  OpenQuestion,
  Operation,
  Place,
  Refusal,
  Rule,
  Scope,
  ServiceName,
} from "./contract.ts";
import { fillSentence } from "./fill-sentence.ts";
import { detailsOf, patternOfEnum, propertiesOf, sources, statusOf, variantsOf } from "./model-facts.ts";
import type { Problem } from "./problem.ts";

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
  const reader = new Reader(program, root);
  const early = program.diagnostics.map((d) => reader.problem(d));
  if (program.hasError()) return { contract: null, problems: early };
  const contract = await reader.contract();
  const problems = [...early, ...reader.problems];
  return { contract: problems.some((p) => p.severity === "error") ? null : contract, problems };
}

/** Holds the program and what was found wrong while one contract is read. */
class Reader {
  readonly problems: Problem[] = [];
  private readonly program: Program;
  private readonly root: string;
  private readonly vocabulary: Vocabulary;

  constructor(program: Program, root: string) {
    this.program = program;
    this.root = root;
    this.vocabulary = vocabularyOf(program);
  }

  async contract(): Promise<Contract> {
    const documents = await this.documents();
    const errors = [...this.vocabulary.errorRows]
      .map(([model, row]) => this.errorRow(model, row))
      .sort(byStatusThenName);
    const operations = this.services().flatMap(([name, service]) => this.operations(name, service));
    const facts = {
      contractFormat: 1,
      api: completeDocument(documents.api, "api", operations, errors),
      sandbox: completeDocument(documents.sandbox, "sandbox", operations, errors),
      operations,
      errors,
      reservedCodes: this.vocabulary.reservedCodes.flatMap((e) => [...e.members.keys()]),
      scopes: this.scopes(),
      buckets: this.buckets(),
      bounds: this.vocabulary.bounds.map(({ value }) => value),
      eventTypes: this.vocabulary.eventTypes.flatMap((e) =>
        [...e.members.values()].map((m) => String(m.value ?? m.name)),
      ),
      deliveryHeaders: this.vocabulary.deliveryHeaders.flatMap((m) => this.headers(m)),
    } as const;
    const rules = this.vocabulary.rules.map((declared) => this.rule(declared, facts));
    return { ...facts, entities: this.entities(facts), rules, questions: this.questions(facts) };
  }

  problem(diagnostic: Diagnostic): Problem {
    return {
      code: diagnostic.code,
      severity: diagnostic.severity,
      message: diagnostic.message,
      fix: null,
      place: diagnostic.target === NoTarget ? null : this.place(diagnostic.target),
    };
  }

  private place(target: DiagnosticTarget): Place {
    const location = getSourceLocation(target);
    const { line, character } = location.file.getLineAndCharacterOfPosition(location.pos);
    const path = relative(this.root, location.file.path);
    return { file: isAbsolute(path) ? location.file.path : path, line: line + 1, column: character + 1 };
  }

  private fault(code: string, message: string, fix: string | null, target: DiagnosticTarget): void {
    this.problems.push({ code, severity: "error", message, fix, place: this.place(target) });
  }

  /** The API is the service that is not called Sandbox. */
  private services(): (readonly [ServiceName, Service])[] {
    return listServices(this.program).map((service) => [serviceName(service), service] as const);
  }

  private async documents(): Promise<Record<ServiceName, OpenApiDocument>> {
    const records = await getOpenAPI3(this.program, { "openapi-versions": ["3.1.0"], "omit-unreachable-types": false });
    const documents: Record<ServiceName, OpenApiDocument> = { api: emptyDocument, sandbox: emptyDocument };
    for (const record of records) {
      if (record.versioned) continue;
      this.problems.push(...record.diagnostics.map((d) => this.problem(d)));
      // The emitter hands out live objects; the round trip leaves plain JSON, which is what our type describes.
      const text = JSON.stringify(record.document)
        .replaceAll(`"${sharedNamespace}.`, '"')
        .replaceAll(`/schemas/${sharedNamespace}.`, "/schemas/");
      documents[serviceName(record.service)] = JSON.parse(text) as OpenApiDocument;
    }
    return documents;
  }

  private operations(name: ServiceName, service: Service): Operation[] {
    const [http, diagnostics] = getHttpService(this.program, service.type);
    this.problems.push(...diagnostics.map((d) => this.problem(d)));
    return http.operations.map((operation) => this.operation(name, operation));
  }

  private operation(service: ServiceName, http: HttpOperation): Operation {
    const type = http.operation;
    const v = this.vocabulary;
    const answers = [...variantsOf(type.returnType)];
    const rows = answers.filter((t) => v.errorRows.has(t));
    const answer = answers.find((t) => !v.errorRows.has(t));
    const data = answer?.properties.get("data")?.type;
    const bodyType = http.parameters.body?.type;
    const body = bodyType ? [...propertiesOf(bodyType)] : [];
    const reference = v.referenceStatuses.get(type)?.value;
    const status = answer ? statusOf(answer) : null;
    const allowed = typeof status === "number" ? status : ("2XX" as const);
    return {
      id: type.name,
      service,
      resource:
        (service === "sandbox" ? "sandbox-" : "") + kebab(type.interface?.name ?? type.namespace?.name ?? service),
      method: http.verb as Method,
      path: http.path,
      summary: getDoc(this.program, type) ?? "",
      scope: String(v.operationScopes.get(type)?.value.scope.value ?? "") || null,
      scopeQuestion: v.operationScopes.get(type)?.value.open ?? null,
      scopeExemption: v.scopeExemptions.get(type)?.value ?? null,
      caller: service === "sandbox" ? "sandbox-token" : this.caller(type),
      bucket: v.draws.get(type)?.value.name ?? null,
      idempotent: v.idempotent.has(type),
      list: answer?.properties.has("meta") ?? false,
      success: {
        allowed,
        reference: reference?.status ?? (allowed === "2XX" ? 200 : allowed),
        question: reference?.question ?? null,
      },
      errors: rows.map((row) => row.name),
      refusals: body.flatMap(([pointer, property]) => this.refusals(pointer, property)),
      narrowings: body.flatMap(([pointer, property]) => this.narrowings(pointer, property)),
      secrets: data ? [...propertiesOf(data)].filter(([, p]) => this.isSecret(p)).map(([pointer]) => pointer) : [],
      place: this.place(type),
    };
  }

  private caller(type: OperationType): Operation["caller"] {
    if (this.vocabulary.staffOnly.has(type)) return "staff";
    return this.vocabulary.sessionOnly.has(type) ? "session" : "key-or-session";
  }

  /** A property that was spread from another model keeps the decorators of its source. */
  private isSecret(property: ModelProperty): boolean {
    return sources(property).some((p) => this.vocabulary.secretValues.has(p));
  }

  private refusals(pointer: string, property: ModelProperty): Refusal[] {
    const declared = sources(property).flatMap((p) => this.vocabulary.refusals.get(p) ?? []);
    return declared.map(({ value }) => ({ pointer, keywords: value.keywords, row: value.row.name }));
  }

  private narrowings(pointer: string, property: ModelProperty): Narrowing[] {
    return sources(property).flatMap((p) => {
      const declared = this.vocabulary.narrowings.get(p);
      if (!declared) return [];
      const { question, required = false, ...schema } = declared.value;
      return [{ pointer, question, required, schema }];
    });
  }

  private errorRow(
    model: Model,
    declared: Declared<Vocabulary["errorRows"] extends Map<Model, Declared<infer T>> ? T : never>,
  ): ErrorRow {
    const { when, extension = false, referenceStatus, notStatus = [], anywhere = false } = declared.value;
    const error = model.properties.get("error")?.type;
    const code = error?.kind === "Model" ? error.properties.get("code")?.type : undefined;
    if (code?.kind !== "String")
      this.fault(
        "row-code",
        `${model.name} names no error code.`,
        "Make it a Failure or DetailedFailure with a literal code.",
        model,
      );
    const status = statusOf(model);
    if (status === null)
      this.fault(
        "row-status",
        `${model.name} has no status.`,
        "Give it a @statusCode that is a literal or a range.",
        model,
      );
    const headers = [...model.properties.values()]
      .map((p) => getHeaderFieldName(this.program, p))
      .filter((h): h is string => typeof h === "string" && h.toLowerCase() !== "x-request-id");
    const allowed = typeof status === "number" || status === null ? (status ?? 500) : { ...status, except: notStatus };
    return {
      name: model.name,
      service: inSandbox(model) ? "sandbox" : "api",
      code: code?.kind === "String" ? code.value : "",
      status: allowed,
      referenceStatus: referenceStatus ?? (typeof allowed === "number" ? allowed : allowed.from),
      details: error?.kind === "Model" ? detailsOf(error) : { kind: "none" },
      when,
      extension,
      anywhere,
      headers,
      place: this.place(model),
    };
  }

  private scopes(): Scope[] {
    return this.vocabulary.scopes.flatMap((e) =>
      [...e.members.values()].map((member) => ({
        name: member.name,
        value: String(member.value ?? member.name),
        question: this.vocabulary.referenceScopes.get(member) ?? null,
      })),
    );
  }

  private buckets(): Bucket[] {
    const { buckets, ladders } = this.vocabulary;
    const plain = [...buckets].map(
      ([member, { value }]): Bucket => ({
        name: member.name,
        summary: getDoc(this.program, member) ?? "",
        kind: "bucket",
        capacity: value.capacity,
        periodSeconds: value.periodSeconds,
        unit: value.unit,
        adjustable: value.adjustable ?? false,
        question: value.open ?? null,
        place: this.place(member),
      }),
    );
    const laddered = [...ladders].map(
      ([member, { value }]): Bucket => ({
        name: member.name,
        summary: getDoc(this.program, member) ?? "",
        kind: "ladder",
        tiers: value,
        place: this.place(member),
      }),
    );
    return [...plain, ...laddered];
  }

  private headers(model: Model): DeliveryHeader[] {
    return [...model.properties.values()].map((property) => ({
      name: getHeaderFieldName(this.program, property) ?? property.name,
      summary: getDoc(this.program, property) ?? "",
      pattern:
        getPattern(this.program, property) ?? getPattern(this.program, property.type) ?? patternOfEnum(property.type),
    }));
  }

  private entities(facts: Facts): Entity[] {
    return this.vocabulary.states.map(({ value }) => ({
      name: value.entity,
      states: value.known,
      open: value.open,
      transitions: this.vocabulary.transitions
        .filter((t) => t.value.entity === value.entity)
        .map(({ at, value: { entity: _, condition, answers, ...move } }) => ({
          ...move,
          condition: condition === undefined ? null : this.filled(condition, facts, at),
          answers: answers === undefined ? null : this.filled(answers, facts, at).replaceAll("`", ""),
        })),
    }));
  }

  private questions(facts: Facts): OpenQuestion[] {
    return this.vocabulary.questions.map(({ target, at, value }) => ({
      id: value.id,
      about: nameOf(target),
      asks: value.asks,
      kind: value.kind,
      choice: this.filled(value.choice, facts, at),
      alternatives: (value.alternatives ?? []).map((alternative) => this.filled(alternative, facts, at)),
      tolerates: value.tolerates ?? null,
      reason: value.reason ?? null,
      option: value.option === undefined ? null : { name: value.option, values: value.values ?? [] },
      place: this.place(at),
    }));
  }

  private filled(template: string, facts: Facts, at: DiagnosticTarget): string {
    const { sentence, unknown } = fillSentence(template, facts);
    for (const placeholder of unknown) {
      this.fault(
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
      place: this.place(at),
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

const kebab = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();

function nameOf(type: Type): string {
  if (type.kind === "ModelProperty" && type.model) return `${type.model.name}.${type.name}`;
  return "name" in type && typeof type.name === "string" ? type.name : type.kind;
}
