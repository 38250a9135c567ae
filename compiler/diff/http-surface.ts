import type { Json, JsonSchema, OpenApiDocument, ServiceName } from "../contract.ts";
import { unreadBody, unreadParts, unreadPaths, unreadSecurity } from "../openapi/dialect.ts";
import { isAnnotation } from "../schema/keywords.ts";
import type { Components } from "../schema/resolve-reference.ts";
import { anything, isObject, schemaFrom } from "../schema/schema-node.ts";
import { isTrueAt, type JsonObject, jsonAt, listAt, objectAt, pointerOf, textAt } from "./json-at.ts";
import type { Writing } from "./writing.ts";

/** What an OpenAPI document says of HTTP, with its defaults filled in and its references followed. */
export interface HttpSurface {
  readonly service: ServiceName;
  readonly document: JsonObject;
  readonly components: Components;
  /** What the document's own addresses end with and operations are known by in place of it; else empty. */
  readonly movedPath: string;
  readonly operations: readonly HttpOperation[];
  /** Paths of which not every operation could be read. */
  readonly unreadPaths: ReadonlySet<Json>;
  /** Requests that the server makes by itself; the path of one is its name. */
  readonly webhooks: readonly HttpOperation[];
}

export interface HttpOperation {
  /** Method and path with its parameters numbered: a renamed path parameter gives the same key. */
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly pointer: string;
  readonly operationId: string | null;
  readonly deprecated: boolean;
  readonly parameters: readonly HttpParameter[];
  readonly body: HttpBody | null;
  readonly responses: readonly HttpResponse[];
  /** Alternatives, each a set of schemes with their scopes. */
  readonly security: readonly JsonObject[];
  /** The same as it is written, where that asks for scopes of schemes that have none; else null. */
  readonly unreadSecurity: readonly JsonObject[] | null;
  /** References of it that lead nowhere, by the part that they stand in: `parameters`, `requestBody`, `responses/200`. */
  readonly unreadParts: ReadonlyMap<string, string>;
  /** Null when the document's own servers apply. */
  readonly servers: readonly Json[] | null;
  /** Requests that the server makes on account of this one; the path of one is its name and its address. */
  readonly callbacks: readonly HttpOperation[];
}

export interface HttpParameter {
  readonly key: string;
  readonly name: string;
  readonly in: string;
  readonly pointer: string;
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly writing: Writing;
  readonly schema: JsonSchema;
}

export interface HttpBody {
  readonly pointer: string;
  readonly required: boolean;
  readonly content: readonly HttpMedia[];
  /** It counts for nothing: the document's version of OpenAPI has bodies of the method ignored. */
  readonly isUnread: boolean;
}

export interface HttpMedia {
  /** In lower case, without parameters but those that change its meaning. */
  readonly type: string;
  readonly pointer: string;
  readonly schema: JsonSchema;
  readonly encoding: Json;
}

export interface HttpResponse {
  /** `200`, `2XX` or `default`. */
  readonly status: string;
  readonly pointer: string;
  readonly headers: readonly HttpHeader[];
  readonly content: readonly HttpMedia[];
  readonly links: Json;
}

export interface HttpHeader {
  /** In lower case. */
  readonly key: string;
  readonly name: string;
  readonly pointer: string;
  readonly required: boolean;
  readonly writing: Writing;
  readonly schema: JsonSchema;
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

export function httpSurface(document: OpenApiDocument, service: ServiceName): HttpSurface {
  const json: unknown = document;
  const root = isDocument(json) ? json : {};
  return {
    service,
    document: root,
    components: document.components.schemas,
    movedPath: "",
    unreadPaths: new Set(listAt(root, unreadPaths)),
    operations: operationsIn(root, objectAt(root, "paths"), pointerOf("paths"), listAt(root, "security")),
    webhooks: operationsIn(root, objectAt(root, "webhooks"), pointerOf("webhooks"), []),
  };
}

// A contract is JSON throughout; its type says so of the parts that it names only.
const isDocument = (value: unknown): value is JsonObject => typeof value === "object" && value !== null;

/**
 * The operations of path items, by their paths; `owner` points to all of them, and `security` is of those that name
 * none: the document's own is for requests that clients make.
 */
function operationsIn(
  root: JsonObject,
  items: JsonObject,
  owner: string,
  security: readonly Json[],
  depth = 0,
): readonly HttpOperation[] {
  const operationsOf = (addressOf: (path: string) => Asked): readonly HttpOperation[] =>
    Object.entries(items).flatMap(([path, item]) =>
      operationsAt(root, resolved(root, item), path, addressOf(path), owner, security, depth),
    );
  const written = operationsOf((path) => ({ path, query: new Map() }));
  if (!Object.keys(items).some((path) => path.includes("?"))) return written;
  const asked = operationsOf(askedOf);
  const byKey = Map.groupBy(asked, ({ key }) => key);
  // Where the query alone tells operations apart it is a part of the address.
  return written.map((one, index) => {
    const other = asked[index];
    return other !== undefined && byKey.get(other.key)?.length === 1 ? other : one;
  });
}

/** What a path asks for: some write a query behind it, as in `/things?size={s}&all=true`, which is no part of it. */
interface Asked {
  readonly path: string;
  /** Names in the query, by those that the path has for their values. */
  readonly query: ReadonlyMap<string, string>;
}

function askedOf(whole: string): Asked {
  const [path = "", query, ...others] = whole.split("?");
  if (query === undefined || others.length > 0) return { path: whole, query: new Map() };
  const named = [...query.matchAll(/([^&=]+)=\{([^{}]+)\}/g)].map(
    ([, name = "", value = ""]) => [value, name] as const,
  );
  return { path, query: new Map(named) };
}

function operationsAt(
  root: JsonObject,
  unread: Json | undefined,
  path: string,
  asked: Asked,
  owner: string,
  security: readonly Json[],
  depth: number,
): readonly HttpOperation[] {
  const item = objectAt(unread);
  return methods.flatMap((method): readonly HttpOperation[] => {
    const operation = jsonAt(item, method);
    if (!isObject(operation)) return [];
    const pointer = `${owner}${pointerOf(path, method)}`;
    const servers = jsonAt(operation, "servers") ?? jsonAt(item, "servers");
    const body = resolved(root, jsonAt(operation, "requestBody"));
    return [
      {
        key: `${method.toUpperCase()} ${numbered(asked.path)}`,
        method,
        path,
        pointer,
        operationId: textAt(operation, "operationId"),
        deprecated: isTrueAt(operation, "deprecated"),
        parameters: parametersOf(root, asked, pointer, item, operation),
        body: isObject(body) ? bodyOf(root, body, `${pointer}/requestBody`, isTrueAt(operation, unreadBody)) : null,
        responses: Object.entries(objectAt(operation, "responses"))
          .filter(([status]) => !status.startsWith("x-"))
          .map(([status, response]) => responseOf(root, status, resolved(root, response), `${pointer}/responses`)),
        security: (jsonAt(operation, "security") === undefined ? security : listAt(operation, "security")).filter(
          isObject,
        ),
        unreadSecurity:
          jsonAt(operation, unreadSecurity) === undefined ? null : listAt(operation, unreadSecurity).filter(isObject),
        unreadParts: new Map(
          listAt(operation, unreadParts).map((one) => [textAt(one, "part") ?? "", textAt(one, "reference") ?? ""]),
        ),
        servers: Array.isArray(servers) ? servers : null,
        callbacks: callbacksOf(root, objectAt(operation, "callbacks"), `${pointer}/callbacks`, depth),
      },
    ];
  });
}

/** Callbacks within callbacks that are followed: they may refer to themselves. */
const maxCallbackDepth = 5;

function callbacksOf(root: JsonObject, callbacks: JsonObject, owner: string, depth: number): readonly HttpOperation[] {
  if (depth >= maxCallbackDepth) return [];
  return Object.entries(callbacks)
    .filter(([name]) => !name.startsWith("x-"))
    .flatMap(([name, callback]) =>
      operationsIn(root, objectAt(resolved(root, callback)), `${owner}${pointerOf(name)}`, [], depth + 1).map(
        (one) => ({
          ...one,
          // What is called is told by the address, which is an expression and no path with parameters.
          key: `${name} ${one.method.toUpperCase()} ${one.path}`,
          path: `${name} ${one.path}`,
        }),
      ),
    );
}

function numbered(path: string): string {
  let count = 0;
  return path.replaceAll(/\{[^}]*\}/g, () => `{${++count}}`);
}

/** Headers that OpenAPI says elsewhere than in parameters. */
const ignored: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);

function parametersOf(
  root: JsonObject,
  { path, query }: Asked,
  owner: string,
  item: JsonObject,
  operation: JsonObject,
): readonly HttpParameter[] {
  const lists = [listAt(item, "parameters"), listAt(operation, "parameters")].map((list) =>
    list.map((unresolved) => asAsked(resolved(root, unresolved), query)),
  );
  const names = namesInPath(path, lists.flat());
  const found = new Map<string, HttpParameter>();
  for (const list of lists) {
    for (const json of list) {
      const name = textAt(json, "name") ?? "";
      const where = textAt(json, "in") ?? "";
      if (where === "header" && ignored.has(name.toLowerCase())) continue;
      const known = where === "path" ? names.indexOf(name) : -1;
      const shown = known >= 0 ? String(known + 1) : where === "header" ? name.toLowerCase() : name;
      const key = `${where} ${shown}`;
      const style = textAt(json, "style") ?? (where === "path" || where === "header" ? "simple" : "form");
      found.set(key, {
        key,
        name,
        in: where,
        pointer: `${owner}${pointerOf("parameters", `${where}:${where === "header" ? name.toLowerCase() : name}`)}`,
        required: where === "path" || isTrueAt(json, "required"),
        deprecated: isTrueAt(json, "deprecated"),
        ...written(json, style, where === "query"),
      });
    }
  }
  return [...found.values()];
}

/** A parameter of the path that stands in its query, as one of the query. */
function asAsked(json: Json | undefined, query: Asked["query"]): Json | undefined {
  const name = textAt(json, "in") === "path" ? query.get(textAt(json, "name") ?? "") : undefined;
  return name === undefined ? json : { ...objectAt(json), name, in: "query" };
}

/** Names of a path's parameters in their order. Those that only the path names are those that are only declared, if as many. */
function namesInPath(path: string, declared: readonly (Json | undefined)[]): readonly string[] {
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = ""]) => name);
  const own = new Set(declared.flatMap((json) => (textAt(json, "in") === "path" ? (textAt(json, "name") ?? []) : [])));
  const misnamed = [...own].filter((name) => !names.includes(name));
  const missing = names.filter((name) => !own.has(name));
  if (misnamed.length !== missing.length) return names;
  return names.map((name) => misnamed[missing.indexOf(name)] ?? name);
}

/** The schema of a parameter or header, and how its values are written. */
function written(json: Json | undefined, style: string, isOfQuery = false): Pick<HttpParameter, "writing" | "schema"> {
  const [media] = Object.entries(objectAt(json, "content"));
  const explode = jsonAt(json, "explode");
  const writing: Writing = {
    media: media === undefined ? null : mediaType(media[0]),
    style,
    explode: typeof explode === "boolean" ? explode : style === "form",
    // OpenAPI: both apply to query parameters alone.
    reserved: isOfQuery && isTrueAt(json, "allowReserved"),
    empty: isOfQuery && isTrueAt(json, "allowEmptyValue"),
  };
  return { writing, schema: schemaIn(media === undefined ? json : media[1]) };
}

const schemaIn = (json: Json | undefined): JsonSchema => {
  const schema = jsonAt(json, "schema");
  return schema === undefined ? anything : schemaFrom(schema);
};

function bodyOf(root: JsonObject, json: JsonObject, pointer: string, isUnread: boolean): HttpBody {
  return { pointer, required: isTrueAt(json, "required"), content: contentOf(root, json, pointer), isUnread };
}

function contentOf(root: JsonObject, json: Json | undefined, pointer: string): readonly HttpMedia[] {
  return Object.entries(objectAt(json, "content")).map(([type, media]) => ({
    type: mediaType(type),
    pointer: `${pointer}${pointerOf("content", type, "schema")}`,
    schema: isOfBytes(type)
      ? bytes(schemaIn(media))
      : isOfParts(type)
        ? withBinaryParts(root, schemaIn(media))
        : schemaIn(media),
    encoding: jsonAt(media, "encoding") ?? {},
  }));
}

/** Contents that are bytes, of which a schema has no more to say. */
const isOfBytes = (type: string): boolean =>
  /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:octet-stream|pdf|zip|gzip)\b)/i.test(type);

/** Whether it is called a text, or binary, or nothing is said of it, bytes are bytes. */
function bytes(schema: JsonSchema): JsonSchema {
  const { type, format, ...rest } = schema;
  const isPlain = (type === undefined || type === "string") && (format === undefined || format === "binary");
  return isPlain && Object.keys(rest).every(isAnnotation) ? { ...rest, type: "string", format: "binary" } : schema;
}

const isOfParts = (type: string): boolean => /^multipart\//i.test(type);

/** A form with the parts without a type as binary, and lists of such: OpenAPI 3.1 writes a binary part so. */
function withBinaryParts(root: JsonObject, form: JsonSchema): JsonSchema {
  const target = form.$ref === undefined ? form : resolved(root, form);
  if (!isObject(target) || !isObject(target.properties)) return form;
  const parts = Object.entries(target.properties).map(([name, part]): readonly [string, Json] => {
    if (!isObject(part)) return [name, part];
    if (!isObject(part.items)) return [name, binary(part)];
    const items = binary(part.items);
    return [name, items === part.items ? part : { ...part, items }];
  });
  const isWritten = parts.every(([name, part]) => objectAt(target.properties)[name] === part);
  return isWritten ? form : { ...target, properties: Object.fromEntries(parts) };
}

/** The schema itself where it says anything of its values. */
const binary = (part: JsonObject): JsonObject =>
  Object.keys(part).every(isAnnotation) && part.contentEncoding === undefined
    ? { ...part, type: "string", format: "binary" }
    : part;

function mediaType(text: string): string {
  const [type = "", ...parameters] = text
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  // RFC 8259: JSON is UTF-8 whatever is said.
  const kept = parameters.filter((part) => part !== "" && !part.replaceAll('"', "").startsWith("charset=utf-8"));
  return [type, ...kept.sort()].join("; ");
}

function responseOf(root: JsonObject, status: string, json: Json | undefined, owner: string): HttpResponse {
  const pointer = `${owner}${pointerOf(status)}`;
  const headers = Object.entries(objectAt(json, "headers"))
    // OpenAPI: a Content-Type among the headers counts for nothing.
    .filter(([name]) => name.toLowerCase() !== "content-type")
    .map(([name, unresolved]): HttpHeader => {
      const header = resolved(root, unresolved);
      return {
        key: name.toLowerCase(),
        name,
        pointer: `${pointer}${pointerOf("headers", name)}`,
        required: isTrueAt(header, "required"),
        ...written(header, "simple"),
      };
    });
  const shown = status.toLowerCase() === "default" ? "default" : status.toUpperCase();
  return {
    status: shown,
    pointer,
    headers,
    content: contentOf(root, json, pointer),
    links: jsonAt(json, "links") ?? {},
  };
}

/** Follows references inside the document to parts that are no schemas. */
function resolved(root: JsonObject, json: Json | undefined): Json | undefined {
  let at = json;
  for (let steps = 0; steps < 20; steps += 1) {
    const reference = textAt(at, "$ref");
    if (reference === null || !reference.startsWith("#/")) return at;
    const names = reference
      .slice(2)
      .split("/")
      .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
    at = jsonAt(root, ...names);
  }
  return at;
}
