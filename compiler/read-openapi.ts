import { relative } from "node:path";
import { changesByMethod } from "./changes-by-method.ts";
import {
  type Contract,
  contractFormat,
  type Envelope,
  type Json,
  type Method,
  type OpenApiDocument,
  type Operation,
} from "./contract.ts";
import { isTrueAt, type JsonObject, jsonAt, listAt, objectAt, textAt } from "./diff/json-at.ts";
import { Bundle, isOfReference, type Located } from "./openapi/bundle.ts";
import { dialectOf, unreadBody, unreadParts, unreadPaths, unreadSecurity } from "./openapi/dialect.ts";
import { atPointer, begin, type Position, UnreadableDocument } from "./openapi/load-document.ts";
import { type LoadedFiles, loadFiles } from "./openapi/load-files.ts";
import { methodsWithoutBodies, schemesWithoutScopes } from "./openapi/old-dialect.ts";
import { type SourceLine, sourceLine } from "./openapi/source-line.ts";
import type { Reading } from "./read-typespec.ts";
import { sameJson } from "./schema/canonical-json.ts";
import { isObject } from "./schema/schema-node.ts";

/** What reading a document gives. */
export interface OpenApiReading extends Reading {
  /** The line in which the part at a pointer into the contract's document stands, or the first of some keywords of it. */
  readonly lineOf: (pointer: string, keywords: readonly string[]) => SourceLine | null;
}

/**
 * Reads an OpenAPI 3.0 or 3.1 document (JSON or YAML, of at most 50 MB with all files that it refers to). The contract
 * says what the document says: it has no scopes, limits, errors, rules or the like. References that lead nowhere are among the
 * problems, and what they stand for is marked as unread. `path` is absolute; places are relative to `root`.
 */
export async function readOpenApi(path: string, root: string): Promise<OpenApiReading> {
  const at = { file: relative(root, path) };
  const refused = (code: string, message: string, fix: string | null, position = begin): OpenApiReading => ({
    contract: null,
    lineOf: () => null,
    problems: [{ code, severity: "error", message, fix, place: { ...at, ...position } }],
  });
  const files = await loadFiles(path).catch((problem: unknown) => {
    if (problem instanceof UnreadableDocument) return problem;
    throw problem;
  });
  if (files instanceof UnreadableDocument) return refused("unreadable", files.message, null, files);
  const document = files.get(path);
  if (document === undefined || document instanceof UnreadableDocument) throw new Error(`${path} was read just now.`);
  const { json } = document;
  const placeOf = (name: string): Position => document.locate([name]) ?? begin;
  if (!isObject(json)) return refused("not-openapi", "This is no OpenAPI document: it is no object.", wantsOpenApi);
  if (json.swagger !== undefined) {
    return refused(
      "swagger-2",
      `This is Swagger ${String(json.swagger)}.${atPointer(["swagger"])}`,
      "Convert it to OpenAPI 3.0 or 3.1 first.",
      placeOf("swagger"),
    );
  }
  if (json.openapi === undefined) {
    return refused("not-openapi", 'This is no OpenAPI document: it has no "openapi".', wantsOpenApi);
  }
  const dialect = dialectOf(json.openapi);
  if (dialect === null) {
    return refused(
      "openapi-version",
      `OpenAPI ${String(json.openapi)} is not known.${atPointer(["openapi"])}`,
      "Give a document of OpenAPI 3.0 or 3.1.",
      placeOf("openapi"),
    );
  }
  const odd = ["info", "paths", "webhooks", "components"].find((name) => json[name] != null && !isObject(json[name]));
  if (odd !== undefined) {
    return refused("not-openapi", `"${odd}" is no object.${atPointer([odd])}`, "Correct it.", placeOf(odd));
  }
  const bundle = new Bundle(files, path, dialect, root);
  const contract = contractOf(json, path, bundle, files, at.file);
  return {
    contract: bundle.problems.every(isOfReference) ? contract : null,
    problems: bundle.problems,
    lineOf: (pointer, keywords) =>
      sourceLine({ files, entry: path, components: bundle.places }, root, pointer, keywords),
  };
}

const wantsOpenApi = "Give an OpenAPI 3.0 or 3.1 document, as JSON or YAML.";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

const ourMethods: readonly Method[] = ["get", "post", "put", "patch", "delete"];

function contractOf(json: JsonObject, path: string, bundle: Bundle, files: LoadedFiles, shown: string): Contract {
  const at = (...names: readonly string[]): Located => ({ json: jsonAt(json, ...names) ?? {}, file: path, names });
  const isOfOldDialect = dialectOf(json.openapi ?? null) === "3.0";
  const parts = new Parts(bundle, {
    withoutScopes: isOfOldDialect ? schemesWithoutScopes(json) : new Set(),
    withoutBodies: isOfOldDialect ? methodsWithoutBodies : [],
    security: listAt(json, "security"),
  });
  const items = (list: string) => {
    const owner = bundle.part(at(list));
    return Object.keys(objectAt(owner?.json)).map(
      (name) => [name, owner === null ? {} : parts.pathItem(inside(owner, name))] as const,
    );
  };
  const paths = items("paths").filter(([name]) => name.startsWith("/"));
  const webhooks = items("webhooks");
  bundle.ownSchemas(json);
  bundle.complete();
  const schemes = Object.keys(objectAt(json, "components", "securitySchemes")).map((name) => [
    name,
    bundle.part(at("components", "securitySchemes", name))?.json ?? {},
  ]);
  const document: unknown = {
    openapi: "3.1.0",
    info: {
      ...objectAt(json, "info"),
      title: textAt(json, "info", "title") ?? "",
      version: textAt(json, "info", "version") ?? "",
    },
    servers: listAt(json, "servers"),
    security: listAt(json, "security"),
    paths: Object.fromEntries(paths),
    ...(webhooks.length > 0 ? { webhooks: Object.fromEntries(webhooks) } : {}),
    components: { schemas: bundle.schemas, securitySchemes: Object.fromEntries(schemes) },
    ...(parts.unreadPaths.size > 0 ? { [unreadPaths]: [...parts.unreadPaths] } : {}),
  };
  const root = files.get(path);
  const operations = paths.flatMap(([name, item]) =>
    ourMethods.flatMap((method): readonly Operation[] => {
      if (item[method] === undefined) return [];
      const place = root instanceof UnreadableDocument ? null : root?.locate(["paths", name, method]);
      return [operationOf(method, name, item, { file: shown, line: place?.line ?? 1, column: place?.column ?? 1 })];
    }),
  );
  const service = {
    name: "api",
    testing: false,
    basePath: "/",
    envelope: noEnvelope,
    document: isDocument(document) ? document : empty,
  };
  return { ...bare, services: [service], operations };
}

// The document was put together just now; the guard says so to the compiler.
const isDocument = (value: unknown): value is OpenApiDocument =>
  typeof value === "object" && value !== null && "paths" in value && "components" in value;

const empty: OpenApiDocument = {
  openapi: "3.1.0",
  info: { title: "", version: "" },
  paths: {},
  components: { schemas: {} },
};

const noEnvelope: Envelope = { code: "/code", message: null, details: null, requestId: null };

const bare = {
  contractFormat,
  callers: [],
  errors: [],
  reservedCodes: [],
  scopes: [],
  buckets: [],
  bounds: [],
  constants: [],
  eventTypes: [],
  deliveryHeaders: [],
  entities: [],
  rules: [],
  questions: [],
} as const;

function operationOf(method: Method, path: string, item: JsonObject, place: Operation["place"]): Operation {
  const operation = objectAt(item, method);
  const statuses = Object.keys(objectAt(operation, "responses")).filter((status) => /^2\d\d$/.test(status));
  const [only] = statuses;
  const allowed = only !== undefined && statuses.length === 1 ? Number(only) : "2XX";
  return {
    id: textAt(operation, "operationId") ?? `${method} ${path}`,
    service: "api",
    resource: String(listAt(operation, "tags")[0] ?? "default"),
    method,
    path,
    summary: textAt(operation, "summary") ?? "",
    scope: null,
    scopeQuestion: null,
    scopeExemption: null,
    caller: null,
    callerQuestion: null,
    draws: [],
    changes: changesByMethod[method],
    idempotencyHeader: null,
    list: false,
    listQuestion: null,
    pageSize: null,
    pageSizeQuestion: null,
    continuation: null,
    payload: [],
    success: { allowed, reference: allowed === "2XX" ? 200 : allowed, question: null },
    errors: [],
    shortages: [],
    refusals: [],
    optionalRefusals: [],
    narrowings: [],
    secrets: [],
    place,
  };
}

/** Callbacks within callbacks that are followed; deeper ones are left out. */
const maxCallbackDepth = 5;

/** What a document or its version says of all operations. */
interface SaidOfAll {
  /** Schemes that can have no scopes. */
  readonly withoutScopes: ReadonlySet<string>;
  /** Methods whose bodies are to be ignored. */
  readonly withoutBodies: readonly string[];
  /** The security of operations that name none. */
  readonly security: readonly Json[];
}

/**
 * Puts the parts of a document in place of what refers to them, be it where OpenAPI has no reference, as in place of an
 * operation: tools follow those, and what nobody follows would change unseen.
 */
class Parts {
  /** Paths of which some operation, or all, can't be read. */
  readonly unreadPaths = new Set<string>();
  /** References of the operation that is being read that lead nowhere, by its part. */
  private unread: { readonly part: string; readonly reference: string }[] = [];
  private readonly bundle: Bundle;
  private readonly said: SaidOfAll;

  constructor(bundle: Bundle, said: SaidOfAll) {
    this.bundle = bundle;
    this.said = said;
  }

  pathItem(unresolved: Located, depth = 0): JsonObject {
    const item = this.bundle.part(unresolved);
    if (item === null) {
      this.unreadPaths.add(unresolved.names.at(-1) ?? "");
      return {};
    }
    const operations = methods.flatMap((method) => {
      if (!isObject(jsonAt(item.json, method))) return [];
      const operation = this.bundle.part(inside(item, method));
      if (operation === null) this.unreadPaths.add(unresolved.names.at(-1) ?? "");
      if (operation === null) return [];
      const made = this.operation(operation, item, depth);
      const isIgnored = made.requestBody !== undefined && this.said.withoutBodies.includes(method);
      return [[method, isIgnored ? { ...made, [unreadBody]: true } : made]];
    });
    return Object.fromEntries(operations);
  }

  private operation(at: Located, item: Located, depth: number): JsonObject {
    const outside = this.unread;
    this.unread = [];
    const made = this.madeOperation(at, item, depth);
    const own = this.unread;
    this.unread = outside;
    return own.length === 0 ? made : { ...made, [unreadParts]: own };
  }

  /** The part, or what it refers to; where that leads nowhere, it is noted of which part of the operation. */
  private follow(at: Located, part: string): Located | null {
    const found = this.bundle.part(at);
    if (found === null) this.unread.push({ part, reference: textAt(at.json, "$ref") ?? "" });
    return found;
  }

  private madeOperation(at: Located, item: Located, depth: number): JsonObject {
    const operation = objectAt(at.json);
    const servers = jsonAt(at.json, "servers") ?? jsonAt(item.json, "servers");
    const parameters = new Map<string, Json>();
    for (const unresolved of [inside(item, "parameters"), inside(at, "parameters")]) {
      const list = this.follow(unresolved, "parameters");
      if (list === null) continue;
      const items = Array.isArray(list.json) ? list.json.length : 0;
      for (let index = 0; index < items; index += 1) {
        const parameter = this.parameter({
          ...list,
          json: listAt(list.json)[index] ?? {},
          names: [...list.names, String(index)],
        });
        if (parameter !== null) parameters.set(`${textAt(parameter, "in")} ${textAt(parameter, "name")}`, parameter);
      }
    }
    const body = operation.requestBody === undefined ? null : this.follow(inside(at, "requestBody"), "requestBody");
    const callbacks =
      depth >= maxCallbackDepth
        ? []
        : this.members(at, "callbacks", "callbacks", (one) => this.callback(one, depth + 1));
    return {
      ...operation,
      ...this.readSecurity(operation),
      parameters: [...parameters.values()],
      ...(servers === undefined ? {} : { servers }),
      ...(body === null ? {} : { requestBody: { ...objectAt(body.json), content: this.content(body, "requestBody") } }),
      responses: Object.fromEntries(
        this.members(at, "responses", "responses", (one) => this.response(one, `responses/${one.names.at(-1)}`)),
      ),
      ...(operation.callbacks === undefined ? {} : { callbacks: Object.fromEntries(callbacks) }),
    };
  }

  /** Without scopes of schemes that have none by the letter; what was written is kept beside. */
  private readSecurity(operation: JsonObject): JsonObject {
    const written = operation.security === undefined ? this.said.security : listAt(operation, "security");
    const read = written.map((alternative) =>
      isObject(alternative)
        ? Object.fromEntries(
            Object.entries(alternative).map(([name, scopes]) => [
              name,
              this.said.withoutScopes.has(name) ? [] : scopes,
            ]),
          )
        : alternative,
    );
    return sameJson(written, read) ? {} : { security: read, [unreadSecurity]: written };
  }

  private parameter(unresolved: Located): JsonObject | null {
    const at = this.follow(unresolved, "parameters");
    return at === null ? null : { ...objectAt(at.json), ...this.value(at, "parameters") };
  }

  /** The schema, or the content, of a parameter or header. */
  private value(at: Located, part: string): JsonObject {
    const json = objectAt(at.json);
    return {
      ...(json.schema === undefined ? {} : { schema: this.bundle.schema(inside(at, "schema")) }),
      ...(json.content === undefined ? {} : { content: this.content(at, part) }),
      ...(isTrueAt(json, "required") ? { required: true } : {}),
    };
  }

  private response(unresolved: Located, part: string): JsonObject {
    const at = this.follow(unresolved, part);
    if (at === null) return {};
    const headers = this.members(at, "headers", part, (one) => {
      const header = this.follow(one, part);
      return header === null ? {} : { ...objectAt(header.json), ...this.value(header, part) };
    });
    const links = this.members(at, "links", part, (one) => this.follow(one, part)?.json ?? {});
    const json = objectAt(at.json);
    return {
      ...json,
      ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
      ...(json.content === undefined ? {} : { content: this.content(at, part) }),
      ...(links.length > 0 ? { links: Object.fromEntries(links) } : {}),
    };
  }

  private content(at: Located, part: string): JsonObject {
    return Object.fromEntries(
      this.members(at, "content", part, (unresolved) => {
        const media = this.follow(unresolved, part);
        const isTold = jsonAt(media?.json, "schema") !== undefined;
        return media === null
          ? {}
          : {
              ...objectAt(media.json),
              ...(isTold ? { schema: this.bundle.schema(inside(media, "schema")) } : {}),
            };
      }),
    );
  }

  private callback(unresolved: Located, depth: number): JsonObject {
    const at = this.follow(unresolved, "callbacks");
    if (at === null) return {};
    const items = Object.keys(objectAt(at.json)).map((name) => [name, this.pathItem(inside(at, name), depth)] as const);
    return Object.fromEntries(items);
  }

  private members(
    at: Located,
    name: string,
    part: string,
    map: (member: Located) => Json,
  ): readonly (readonly [string, Json])[] {
    const owner = this.follow(inside(at, name), part);
    if (owner === null) return [];
    return Object.keys(objectAt(owner.json))
      .filter((member) => !member.startsWith("x-"))
      .map((member) => [member, map(inside(owner, member))] as const);
  }
}

const inside = (at: Located, name: string): Located => ({
  json: jsonAt(at.json, name) ?? {},
  file: at.file,
  names: [...at.names, name],
});
