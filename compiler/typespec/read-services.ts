import { getNamespaceFullName, listServices, type Model, type Namespace } from "@typespec/compiler";
import { getHttpService, getRoutePath, type HttpOperation } from "@typespec/http";
import { getOpenAPI3 } from "@typespec/openapi3";
import type { OpenApiDocument, ServiceName } from "../contract.ts";
import { plainNames } from "./plain-names.ts";
import type { SpecSource } from "./spec-source.ts";

/** One service of a program, before its contract is made. */
export interface ReadService {
  readonly name: ServiceName;
  readonly testing: boolean;
  /** The first one that is not for tests. */
  readonly main: boolean;
  /** Where all paths begin, with a slash at both ends. */
  readonly basePath: string;
  readonly namespace: Namespace;
  readonly operations: readonly HttpOperation[];
  /** As the official emitter gives it. */
  readonly document: OpenApiDocument;
}

/** Reads the services of a program, those for tests last. A program without a service is refused. */
export async function readServices(source: SpecSource): Promise<readonly ReadService[]> {
  const { program, vocabulary } = source;
  const records = await getOpenAPI3(program, { "openapi-versions": ["3.1.0"], "omit-unreachable-types": false });
  const namespaces = listServices(program).map(({ type }) => type);
  const prefixes = namespaces.map((namespace) => `${getNamespaceFullName(namespace)}.`);
  const found = records.flatMap((record): Omit<ReadService, "main">[] => {
    if (record.versioned) {
      source.fault("versioned", "A service has versions.", "Remove @versioned.", record.service.type);
      return [];
    }
    source.problems.push(...record.diagnostics.map((d) => source.problem(d)));
    const namespace = record.service.type;
    const [http, diagnostics] = getHttpService(program, namespace);
    source.problems.push(...diagnostics.map((d) => source.problem(d)));
    // The emitter hands out live objects; the round trip leaves plain JSON, which is what our type describes.
    const emitted = JSON.parse(JSON.stringify(record.document)) as OpenApiDocument;
    const { document, clashes } = plainNames(emitted, prefixes);
    for (const name of clashes) {
      source.fault(
        "component-clash",
        `${namespace.name} and a service that it borrows from both have a model ${name}.`,
        "Give one of them another name.",
        namespace,
      );
    }
    return [
      {
        name: vocabulary.serviceNames.get(namespace) ?? namespace.name.toLowerCase(),
        testing: vocabulary.forTests.has(namespace),
        basePath: `/${getRoutePath(program, namespace)?.path ?? ""}/`.replace(/\/+/g, "/"),
        namespace,
        operations: http.operations,
        document: withoutVocabulary(source, document),
      },
    ];
  });
  const ordered = [...found.filter(({ testing }) => !testing), ...found.filter(({ testing }) => testing)];
  return ordered.map((service, index) => ({ ...service, main: index === 0 }));
}

/** The service in whose namespace a model stands, else the first one. */
export function serviceOfModel(services: readonly ReadService[], model: Model): ReadService | undefined {
  for (let at = model.namespace; at; at = at.namespace) {
    const found = services.find(({ namespace }) => namespace === at);
    if (found !== undefined) return found;
  }
  return services[0];
}

/** Kinds of callers, buckets and constants are the contract's own words, which no client sends or receives. */
function withoutVocabulary({ vocabulary }: SpecSource, document: OpenApiDocument): OpenApiDocument {
  const words = [
    ...vocabulary.callers,
    ...vocabulary.constants,
    ...[...vocabulary.buckets.keys(), ...vocabulary.ladders.keys()].map((m) => m.enum),
  ];
  const names = new Set(words.map(({ name }) => name ?? ""));
  const kept = Object.entries(document.components.schemas).filter(([name]) => !names.has(name));
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(kept) } };
}
