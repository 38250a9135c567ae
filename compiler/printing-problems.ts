import type { Contract, JsonSchema, OpenApiDocument, OpenApiOperation, Operation, Place } from "./contract.ts";
import { isJson } from "./print/body.ts";
import { answersOf, reach, resourcesOf, shapesOf } from "./print/resource.ts";
import { isName, isPath, isTypeName } from "./print/valid-name.ts";
import type { Problem } from "./problem.ts";
import { canonicalJson } from "./schema/canonical-json.ts";
import { resolveReference } from "./schema/resolve-reference.ts";
import { isList, schemasAt } from "./schema/schema-node.ts";
import { describedBy, documentOf } from "./service-of.ts";

/** What a contract holds that cannot be printed; each problem keeps it from being compiled. */
export function printingProblems(contract: Contract): readonly Problem[] {
  const described = contract.operations.flatMap((operation) => {
    const found = describedBy(contract, operation);
    return found === undefined ? [] : [{ operation, found }];
  });
  return [
    ...namesTaken(contract),
    ...described.flatMap(({ operation, found }) => [
      ...bodyProblems(operation, found),
      ...parameterProblems(operation, found, documentOf(contract, operation)),
      ...modelNames(operation, found, documentOf(contract, operation)),
    ]),
    ...(described.length === contract.operations.length
      ? [...typeNames(contract), ...componentClashes(contract)]
      : notDescribed(contract)),
    ...securityProblems(contract),
  ];
}

const refused = (code: string, place: Place | null, message: string, fix: string): Problem => ({
  code,
  severity: "error",
  message,
  fix,
  place,
});

function notDescribed(contract: Contract): readonly Problem[] {
  return contract.operations
    .filter((o) => describedBy(contract, o) === undefined)
    .map((o) =>
      refused(
        "path",
        o.place,
        `${o.id} has no entry ${o.method} ${o.path} in the OpenAPI document.`,
        "Give it a route whose parameters are plain {name} segments, shared with no other operation.",
      ),
    );
}

/** Names become those of exports, and two things of one name would become one. */
function namesTaken(contract: Contract): readonly Problem[] {
  const named: readonly (readonly [kind: string, name: string, place: Place | null, fix: string])[] = [
    ...contract.operations.map((o) => ["operation", o.id, o.place, 'Name it with @operationId("…").'] as const),
    ...contract.errors.map((row) => ["error row", row.name, row.place, "Give its model another name."] as const),
    ...contract.buckets.map((b) => ["bucket", b.name, b.place, "Give the member another name."] as const),
    ...contract.services.map((s) => ["service", s.name, null, 'Name it with @serviceName("…").'] as const),
    ...contract.bounds.map((b) => ["bound", b.name, null, "Give it another name."] as const),
    ...contract.constants.map((c) => ["constant", c.name, null, "Give it another name."] as const),
  ];
  const seen = new Set<string>();
  return named.flatMap(([kind, name, place, fix]) => {
    const key = `${kind} ${name}`;
    const taken = seen.has(key);
    seen.add(key);
    return [
      ...(taken ? [refused("name-taken", place, `There are two of the ${kind} ${name}.`, fix)] : []),
      ...(isName(name) ? [] : [refused("name", place, `The ${kind} ${name} cannot be the name of an export.`, fix)]),
    ];
  });
}

function bodyProblems(operation: Operation, { requestBody, ...described }: OpenApiOperation): readonly Problem[] {
  const requests = Object.keys(requestBody?.content ?? {});
  const answers = answersOf({ requestBody, ...described } as OpenApiOperation).map((a) => Object.keys(a.content ?? {}));
  const at = (message: string, fix: string): Problem => refused("body", operation.place, message, fix);
  return [
    ...(requests.length > 1
      ? [at(`${operation.id} takes several media types: ${requests.join(", ")}.`, "Take one.")]
      : []),
    ...requests
      .filter((media) => media.startsWith("multipart/") || media === "application/x-www-form-urlencoded")
      .map((media) => at(`${operation.id} takes ${media}.`, "Take JSON, text or bytes.")),
    ...(answers.length > 1 || answers.some((media) => media.length > 1)
      ? [at(`${operation.id} answers in several forms.`, "Answer in one.")]
      : []),
    ...(operation.payload.length > 0 && answers.some(([media]) => media !== undefined && !isJson(media))
      ? [at(`${operation.id} has a payload in an answer that is not JSON.`, "Remove the payload's mark.")]
      : []),
  ];
}

/** Parameters are scalars; query and header parameters may be lists of them. */
function parameterProblems(
  operation: Operation,
  { parameters = [] }: OpenApiOperation,
  { components }: OpenApiDocument,
): readonly Problem[] {
  const at = (message: string, fix: string): Problem => refused("parameter", operation.place, message, fix);
  return parameters.flatMap((parameter) => {
    const named = `The ${parameter.in} parameter "${parameter.name}" of ${operation.id}`;
    if (parameter.in === "cookie") return at(`${named} is a cookie.`, "Use a header.");
    const shapes = shapesIn(parameter.schema, components.schemas);
    if (shapes.has("object")) return at(`${named} is an object.`, "Give each of its members a parameter.");
    if (shapes.has("nested")) return at(`${named} is a list of lists or objects.`, "Use a list of scalars.");
    if (shapes.has("array") && parameter.in === "path") return at(`${named} is a list.`, "Use a query parameter.");
    return [];
  });
}

type Shape = "scalar" | "array" | "nested" | "object";

/** What values a schema may have, by the type that it names; references are followed. */
function shapesIn(schema: JsonSchema, components: OpenApiDocument["components"]["schemas"]): ReadonlySet<Shape> {
  if (typeof schema.$ref === "string") return shapesIn(resolveReference(schema.$ref, components), components);
  const parts = [...schemasAt(schema, "anyOf"), ...schemasAt(schema, "oneOf"), ...schemasAt(schema, "allOf")];
  const types = isList(schema.type) ? schema.type : [schema.type];
  const items = schemasAt(schema, "items").flatMap((item) => [...shapesIn(item, components)]);
  const own: readonly Shape[] = types.map((type) =>
    type === "object"
      ? "object"
      : type !== "array"
        ? "scalar"
        : items.every((i) => i === "scalar")
          ? "array"
          : "nested",
  );
  return new Set([...own, ...parts.flatMap((part) => [...shapesIn(part, components)])]);
}

/** Models that an operation shows become types of the same name. */
function modelNames(
  operation: Operation,
  described: OpenApiOperation,
  { components }: OpenApiDocument,
): readonly Problem[] {
  const reached = new Set<string>();
  for (const shape of shapesOf(described)) reach(shape, components.schemas, reached);
  return [...reached]
    .filter((name) => !isTypeName(name))
    .map((name) =>
      refused(
        "model-name",
        operation.place,
        `${operation.id} shows the model ${name}, which cannot be the name of a type.`,
        'Give the model another name, or @friendlyName("…").',
      ),
    );
}

/** The names of types that are printed for operations and resources are no models. */
function typeNames(contract: Contract): readonly Problem[] {
  const all = resourcesOf(contract);
  const models = new Set([all, ...all.resources].flatMap((r) => Object.keys("shared" in r ? r.shared : r.components)));
  return all.resources.flatMap((resource) => {
    const place = resource.operations[0]?.operation.place ?? null;
    const printed = [
      `${resource.typeName}Handlers`,
      ...resource.operations.flatMap((o) => [o.inputType, o.answerType]),
    ];
    return [
      ...(isPath(resource.name) && isName(resource.valueName) && resource.name !== "shared"
        ? []
        : [refused("name", place, `No file can be called ${resource.name}.`, "Give the interface another name.")]),
      ...printed
        .filter((name) => models.has(name))
        .map((name) => refused("name-taken", place, `${name} is the name of a model.`, "Give the model another name.")),
    ];
  });
}

/** A model of one name is the same in all services: its type and schema are printed once. */
function componentClashes(contract: Contract): readonly Problem[] {
  const known = new Map<string, string>();
  const clashing = new Set<string>();
  return contract.operations.flatMap((operation) => {
    const { schemas } = documentOf(contract, operation).components;
    const found = describedBy(contract, operation);
    const reached = new Set<string>();
    for (const shape of found === undefined ? [] : shapesOf(found)) reach(shape, schemas, reached);
    return [...reached].flatMap((name) => {
      const shape = canonicalJson(schemas[name] ?? {});
      const before = known.get(name) ?? shape;
      known.set(name, before);
      if (before === shape || clashing.has(name)) return [];
      clashing.add(name);
      return refused(
        "component-clash",
        operation.place,
        `${operation.id} shows a model ${name}, and another service has a different one of that name.`,
        "Give one of them another name.",
      );
    });
  });
}

function securityProblems(contract: Contract): readonly Problem[] {
  return contract.services.flatMap(({ document: { components, info } }) => {
    const schemes = Object.entries((components.securitySchemes ?? {}) as Record<string, Record<string, unknown>>);
    return schemes
      .filter(([, { type, scheme }]) => type !== "http" || String(scheme).toLowerCase() !== "bearer")
      .map(([name]) =>
        refused(
          "security",
          null,
          `${info.title} authenticates callers by ${name}; clients send a bearer token only.`,
          "Use BearerAuth.",
        ),
      );
  });
}
