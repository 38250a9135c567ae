import type { Contract, JsonSchema, Operation, Place, ServiceName } from "../contract.ts";
import { forEachSubschema } from "../schema/keywords.ts";
import { isObject } from "../schema/schema-node.ts";
import { describedBy, serviceOf } from "../service-of.ts";
import type { LintContext } from "./lint-rule.ts";

/** A schema somewhere in a document, not inside another one. */
export interface RootSchema {
  readonly schema: JsonSchema;
  readonly service: ServiceName;
  /** As a message names it: `schema ApiKey`, `body of createApiKey`. */
  readonly name: string;
  readonly place: Place | null;
  /** Place of a property of the schema, when it has one of its own. */
  readonly placeOf: (property: string) => Place | null;
  /** Examples of the value that stand beside the schema, not in it. */
  readonly examples: readonly unknown[];
}

/** Every schema of both documents: components, bodies, parameters, answers and their headers. */
export function rootSchemasIn(contract: Contract, context: LintContext): readonly RootSchema[] {
  return contract.services.flatMap(({ name: service }) => [
    ...componentsOf(contract, service, context),
    ...contract.operations.filter((o) => o.service === service).flatMap((o) => schemasOf(contract, o)),
  ]);
}

function componentsOf(contract: Contract, service: ServiceName, { declarations }: LintContext): readonly RootSchema[] {
  return Object.entries(serviceOf(contract, service).document.components.schemas).map(([name, schema]) => {
    const place = declarations.get(name) ?? placeOfUser(contract, service, name);
    const placeOf = (property: string): Place | null => declarations.get(`${name}.${property}`) ?? place;
    return { schema, service, name: `schema ${name}`, place, placeOf, examples: [] };
  });
}

/** A component without a declaration of its own is blamed on the first operation that mentions it. */
function placeOfUser(contract: Contract, service: ServiceName, component: string): Place | null {
  const reference = `"#/components/schemas/${component}"`;
  const user = contract.operations.find(
    (o) => o.service === service && JSON.stringify(describedBy(contract, o) ?? null).includes(reference),
  );
  return user?.place ?? null;
}

function schemasOf(contract: Contract, operation: Operation): readonly RootSchema[] {
  const { id, service, place } = operation;
  const { parameters = [], requestBody, responses = {} } = describedBy(contract, operation) ?? {};
  const root = (name: string, schema: JsonSchema, examples: readonly unknown[]): RootSchema => ({
    ...{ schema, service, name: `${name} of ${id}`, examples },
    place,
    placeOf: () => place,
  });
  const media = (name: string, content: MediaTypes): readonly RootSchema[] =>
    Object.values(content).map((type) => root(name, type.schema, examplesBeside(type)));
  return [
    ...parameters.map((p) => root(`${p.in} parameter "${p.name}"`, p.schema, examplesBeside(p))),
    ...media("body", requestBody?.content ?? {}),
    ...Object.entries(responses).flatMap(([status, { content = {}, headers = {} }]) => [
      ...media(`answer ${status}`, content),
      ...Object.entries(headers).map(([header, h]) =>
        root(`header ${header} in answer ${status}`, h.schema, examplesBeside(h)),
      ),
    ]),
  ];
}

type MediaTypes = { readonly [mediaType: string]: { readonly schema: JsonSchema } };

/** OpenAPI's `example`, or its map of `examples`, beside a schema. */
function examplesBeside(holder: object): readonly unknown[] {
  const single = "example" in holder ? [holder.example] : [];
  const named = "examples" in holder && typeof holder.examples === "object" ? Object.values(holder.examples ?? {}) : [];
  const values = named.flatMap((example: unknown) =>
    typeof example === "object" && example !== null && "value" in example ? [example.value] : [],
  );
  return [...single, ...values];
}

/** A schema inside a root schema, or the root itself, with the names of the properties that lead to it. */
export interface InnerSchema {
  readonly schema: JsonSchema;
  readonly path: readonly string[];
}

/** The schema and every one that stands in it; references are not followed. */
export function innerSchemasOf(root: JsonSchema): readonly InnerSchema[] {
  const found: InnerSchema[] = [];
  const visit = (schema: JsonSchema, path: readonly string[]): void => {
    found.push({ schema, path });
    const properties = isObject(schema.properties) ? schema.properties : {};
    for (const [name, property] of Object.entries(properties)) if (isObject(property)) visit(property, [...path, name]);
    const { properties: _, ...others } = schema;
    forEachSubschema(others, (inner) => visit(inner, path));
  };
  visit(root, []);
  return found;
}

/** `schema ApiKey, property "prefix"`, as messages say where something stands. */
export function nameOfInner(root: RootSchema, path: readonly string[]): string {
  return path.length === 0 ? root.name : `${root.name}, property "${path.join(".")}"`;
}

/** Place of the first property on the way to an inner schema. */
export function placeOfInner(root: RootSchema, [first]: readonly string[]): Place | null {
  return first === undefined ? root.place : root.placeOf(first);
}
