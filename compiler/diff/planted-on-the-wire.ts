import type { Json } from "../contract.ts";
import { nullableAlone, unreadParts } from "../openapi/dialect.ts";
import { isObject } from "../schema/schema-node.ts";
import { append, type Edit, even, gone, type PlantedChange, plant, renamed, set } from "./planted-changes.ts";

const text = { type: "string" };
const paths = ["services", 0, "document", "paths"];
const shelf = [...paths, "/v1/shelves/{id}"];
const read = [...shelf, "get"];
const write = [...shelf, "put"];
const answer = [...read, "responses", "200"];
const body = [...write, "requestBody"];
const bodySchema = [...body, "content", "application/json", "schema"];
const size = [...bodySchema, "properties", "size"];
const answerSchema = [...answer, "content", "application/json", "schema"];
const label = [...answerSchema, "properties", "label"];

const sold = ["services", 0, "document", "webhooks", "sold", "post"];
const payload = [...sold, "requestBody", "content", "application/json", "schema"];

const granted = ["services", 0, "document", "components", "securitySchemes", "Granted"];

const bins: Json = { get: { operationId: "listBins", responses: { "200": { description: "All bins." } } } };

const schemas = ["services", 0, "document", "components", "schemas"];
const item = {
  ...{ type: "object", required: ["kind"], properties: { kind: text } },
  discriminator: { propertyName: "kind" },
};
const childOf = (name: string): Json => ({
  allOf: [{ $ref: `#/components/schemas/${name}` }, { type: "object", properties: { pages: text } }],
});

/** Operations and a webhook that hold what the contract's own do not, for edits of it. */
export const shelves: readonly Edit[] = [
  { at: [...paths, "/v1/bins"], to: set(bins) },
  ...["ShownItem", "SentItem"].flatMap((name) => [
    { at: [...schemas, name], to: set(item) },
    { at: [...schemas, `Book${name}`], to: set(childOf(name)) },
  ]),
  {
    at: granted,
    to: set({ type: "oauth2", flows: { implicit: { authorizationUrl: "https://a.invalid", scopes: {} } } }),
  },
  {
    at: shelf,
    to: set({
      get: {
        operationId: "getShelf",
        parameters: [
          { name: "id", in: "path", required: true, schema: text },
          { name: "page", in: "query", schema: { type: "integer", minimum: 1, maximum: 50 } },
          { name: "sort", in: "query", schema: { type: "array", items: text } },
        ],
        responses: {
          "200": {
            description: "A shelf.",
            headers: {
              ETag: { required: true, schema: { type: "string", minLength: 2 } },
              Age: { schema: text },
            },
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  required: ["label"],
                  properties: {
                    label: { type: "string", maxLength: 9 },
                    note: text,
                    weight: { "x-unread-type": "float" },
                    share: { type: "number" },
                    item: { $ref: "#/components/schemas/ShownItem" },
                  },
                },
              },
              "text/csv": { schema: text },
              "application/xml": { schema: { type: "object", properties: { code: { ...text, xml: { name: "C" } } } } },
            },
          },
          "4XX": { description: "Wrong.", content: { "application/json": { schema: text } } },
        },
      },
      put: {
        operationId: "putShelf",
        security: [{ Granted: [] }],
        parameters: [{ name: "id", in: "path", required: true, schema: text }],
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: {
                  size: { type: "integer", minimum: 0, default: 3 },
                  name: text,
                  item: { $ref: "#/components/schemas/SentItem" },
                },
              },
            },
            "multipart/form-data": { schema: { type: "object" }, encoding: { file: { contentType: "image/png" } } },
          },
        },
        responses: { "204": { description: "Put." } },
      },
    }),
  },
  {
    at: sold,
    to: set({
      operationId: "sold",
      parameters: [{ name: "Event-Id", in: "header", required: true, schema: text }],
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: {
              type: "object",
              required: ["kind"],
              discriminator: { propertyName: "kind", mapping: { new: "Bought", old: "Lent" } },
              properties: { kind: { type: "string", enum: ["new", "old"], "x-bylaw-open-enum": true }, price: text },
            },
          },
          "text/csv": { schema: text },
        },
      },
      responses: {
        "200": {
          description: "Read.",
          content: { "application/json": { schema: { type: "object", properties: { ok: { type: "boolean" } } } } },
        },
        "410": { description: "Nobody is here." },
      },
    }),
  },
];

const query = (more: Readonly<Record<string, Json>>): Json => ({ name: "new", in: "query", schema: text, ...more });

/** One edit for each kind of change and its mirror, on the wire. */
export const plantedOnTheWire: readonly PlantedChange[] = [
  plant(["operation-removed", "breaking"], ["operation-added", "safe"], read, gone),
  even("trailing-slash-changed", "breaking", paths, renamed("/v1/bins", "/v1/bins/")),
  even("operation-moved", "breaking", paths, renamed("/v1/bins", "/v1/boxes")),
  even("part-unread", "risky", [...write, unreadParts], set([{ part: "requestBody", reference: "#/a" }])),
  even("operation-renamed", "risky", [...read, "operationId"], set("readShelf")),
  plant(["operation-deprecated", "safe"], ["operation-deprecation-ended", "safe"], [...read, "deprecated"], set(true)),
  even("callback-changed", "breaking", [...sold, "security"], set([{ other: [] }])),
  plant(["webhook-removed", "breaking"], ["webhook-added", "risky"], sold, gone),
  plant(
    ["webhook-added", "risky"],
    ["webhook-removed", "breaking"],
    [...write, "callbacks"],
    set({ put: { "{$request.body#/url}": { post: { responses: {} } } } }),
  ),
  plant(
    ["webhook-payload-removed", "breaking"],
    ["webhook-payload-added", "risky"],
    [...sold, "requestBody", "content", "text/csv"],
    gone,
  ),
  plant(["webhook-payload-widened", "breaking"], ["webhook-payload-narrowed", "safe"], [...payload, "required"], gone),
  plant(
    ["open-enum-extended", "risky"],
    ["webhook-payload-narrowed", "safe"],
    [...payload, "properties", "kind", "enum"],
    append("lent"),
  ),
  plant(
    ["enum-closed", "safe"],
    ["enum-opened", "breaking"],
    [...payload, "properties", "kind", "x-bylaw-open-enum"],
    gone,
  ),
  plant(
    ["webhook-parameters-widened", "breaking"],
    ["webhook-parameters-narrowed", "safe"],
    [...sold, "parameters"],
    gone,
  ),
  plant(["webhook-answer-removed", "breaking"], ["webhook-answer-added", "safe"], [...sold, "responses", "410"], gone),
  plant(
    ["webhook-answer-narrowed", "breaking"],
    ["webhook-answer-widened", "safe"],
    [...sold, "responses", "200", "content", "application/json", "schema", "required"],
    set(["ok"]),
  ),
  plant(
    ["parameter-added-optional", "safe"],
    ["optional-parameter-removed", "risky"],
    [...read, "parameters"],
    append(query({})),
  ),
  plant(
    ["parameter-added-required", "breaking"],
    ["parameter-removed", "breaking"],
    [...read, "parameters"],
    append(query({ required: true })),
  ),
  even("path-parameter-declared", "safe", [...write, "parameters"], gone),
  plant(
    ["parameter-made-required", "breaking"],
    ["parameter-made-optional", "safe"],
    [...read, "parameters", 1, "required"],
    set(true),
  ),
  plant(
    ["parameter-narrowed", "breaking"],
    ["parameter-widened", "safe"],
    [...read, "parameters", 1, "schema", "maximum"],
    set(20),
  ),
  plant(
    ["parameter-writing-loosened", "safe"],
    ["parameter-writing-tightened", "breaking"],
    [...read, "parameters", 2, "allowReserved"],
    set(true),
  ),
  even("parameter-serialization-changed", "breaking", [...read, "parameters", 2, "explode"], set(false)),
  plant(
    ["parameter-deprecated", "safe"],
    ["parameter-deprecation-ended", "safe"],
    [...read, "parameters", 1, "deprecated"],
    set(true),
  ),
  plant(["request-body-removed", "breaking"], ["request-body-added-required", "breaking"], body, gone),
  {
    ...plant(
      ["request-body-added-optional", "safe"],
      ["optional-request-body-removed", "risky"],
      [...read, "requestBody"],
      set({ content: {} }),
    ),
  },
  plant(
    ["request-body-made-optional", "safe"],
    ["request-body-made-required", "breaking"],
    [...body, "required"],
    set(false),
  ),
  plant(
    ["request-body-narrowed", "breaking"],
    ["request-body-widened", "safe"],
    [...bodySchema, "required"],
    set(["name"]),
  ),
  plant(
    ["request-media-type-removed", "breaking"],
    ["request-media-type-added", "safe"],
    [...body, "content", "multipart/form-data"],
    gone,
  ),
  even("request-media-type-changed", "breaking", [...body, "content"], renamed("application/json", "application/yaml")),
  even("request-encoding-changed", "breaking", [...body, "content", "multipart/form-data", "encoding"], gone),
  plant(
    ["request-encoding-widened", "safe"],
    ["request-encoding-changed", "breaking"],
    [...body, "content", "multipart/form-data", "encoding", "file", "contentType"],
    set("image/*"),
  ),
  plant(
    ["success-status-added", "breaking"],
    ["success-status-removed", "breaking"],
    [...read, "responses", "202"],
    set({ description: "Later." }),
  ),
  even("success-status-changed", "breaking", [...write, "responses"], set({ "200": { description: "Put." } })),
  {
    ...plant(
      ["success-range-widened", "breaking"],
      ["success-range-narrowed", "safe"],
      [...write, "responses"],
      set({ "2XX": { description: "Put." } }),
    ),
  },
  plant(["error-status-removed", "risky"], ["error-status-added", "risky"], [...read, "responses", "4XX"], gone),
  plant(["error-range-narrowed", "safe"], ["error-range-widened", "risky"], [...read, "responses"], (old) => {
    const { "4XX": wrong, ...rest } = isObject(old) ? old : {};
    return { ...rest, "404": wrong ?? null };
  }),
  plant(["response-body-widened", "breaking"], ["response-body-narrowed", "safe"], [...answerSchema, "required"], gone),
  plant(
    ["response-body-removed", "breaking"],
    ["response-body-added", "safe"],
    [...read, "responses", "4XX", "content"],
    gone,
  ),
  plant(
    ["response-media-type-removed", "breaking"],
    ["response-media-type-added", "risky"],
    [...answer, "content", "text/csv"],
    gone,
  ),
  even("response-media-type-changed", "breaking", [...answer, "content"], renamed("text/csv", "text/plain")),
  plant(
    ["response-header-removed", "breaking"],
    ["response-header-added", "safe"],
    [...answer, "headers", "ETag"],
    gone,
  ),
  plant(
    ["optional-response-header-removed", "risky"],
    ["optional-response-header-added", "safe"],
    [...answer, "headers", "Age"],
    gone,
  ),
  plant(
    ["response-header-made-optional", "breaking"],
    ["response-header-made-required", "safe"],
    [...answer, "headers", "ETag", "required"],
    gone,
  ),
  plant(
    ["response-header-widened", "breaking"],
    ["response-header-narrowed", "safe"],
    [...answer, "headers", "ETag", "schema", "minLength"],
    set(1),
  ),
  plant(
    ["response-media-type-added", "risky"],
    ["response-media-type-narrowed", "safe"],
    [...answer, "content", "text/*"],
    set({ schema: text }),
  ),
  even(
    "response-header-serialization-changed",
    "breaking",
    [...answer, "headers", "Age"],
    set({ content: { "text/plain": { schema: text } } }),
  ),
  plant(
    ["link-added", "safe"],
    ["links-changed", "risky"],
    [...answer, "links"],
    set({ next: { operationId: "getShelf" } }),
  ),
  plant(
    ["request-property-added", "safe"],
    ["request-property-removed", "risky"],
    [...bodySchema, "properties", "colour"],
    set(text),
  ),
  plant(["request-body-narrowed", "breaking"], ["required-request-property-removed", "breaking"], bodySchema, (old) => {
    const schema = isObject(old) ? old : {};
    const properties = isObject(schema.properties) ? schema.properties : {};
    return { ...schema, properties: { ...properties, colour: text }, required: ["colour"] };
  }),
  plant(
    ["response-property-added", "safe"],
    ["response-property-removed", "risky"],
    [...answerSchema, "properties", "colour"],
    set(text),
  ),
  plant(["default-removed", "breaking"], ["default-added", "risky"], [...size, "default"], gone),
  even("default-changed", "breaking", [...size, "default"], set(4)),
  plant(
    ["null-default-changed", "risky"],
    ["null-default-changed", "risky"],
    [...body, "content", "application/json", "schema", "properties", "name", "default"],
    set(null),
  ),
  plant(
    ["response-default-added", "safe"],
    ["response-default-changed", "risky"],
    [...answerSchema, "properties", "note", "default"],
    set("x"),
  ),
  {
    forth: ["number-range-covered", "safe"],
    back: ["number-range-exceeded", "risky"],
    edits: [{ at: [...answerSchema, "properties", "share", "format"], to: set("float") }],
  },
  plant(["made-read-only", "breaking"], ["read-only-ended", "safe"], [...size, "readOnly"], set(true)),
  {
    forth: ["made-write-only", "breaking"],
    back: ["write-only-ended", "safe"],
    edits: [{ at: [...answerSchema, "properties", "note", "writeOnly"], to: set(true) }],
  },
  plant(["schema-deprecated", "safe"], ["schema-deprecation-ended", "safe"], [...label, "deprecated"], set(true)),
  plant(
    ["discriminator-added", "safe"],
    ["discriminator-changed", "risky"],
    [...answerSchema, "discriminator"],
    set({ propertyName: "label" }),
  ),
  even("discriminator-changed", "risky", [...payload, "discriminator", "propertyName"], set("price")),
  even(
    "discriminator-value-removed",
    "breaking",
    [...payload, "discriminator", "mapping"],
    set({ fresh: "Bought", old: "Lent" }),
  ),
  even("content-encoding-changed", "breaking", [...label, "contentEncoding"], set("base64")),
  even(
    "xml-changed",
    "breaking",
    [...answer, "content", "application/xml", "schema", "properties", "code", "xml", "name"],
    set("D"),
  ),
  plant(
    ["response-child-added", "risky"],
    ["response-child-removed", "safe"],
    [...schemas, "MapShownItem"],
    set(childOf("ShownItem")),
  ),
  plant(
    ["request-child-added", "safe"],
    ["request-child-removed", "risky"],
    [...schemas, "MapSentItem"],
    set(childOf("SentItem")),
  ),
  plant(["null-perhaps-answered", "risky"], ["null-perhaps-gone", "safe"], [...label, nullableAlone], set(true)),
  plant(["null-perhaps-taken", "safe"], ["null-perhaps-refused", "risky"], [...size, nullableAlone], set(true)),
  even("malformed-keyword-changed", "risky", [...answerSchema, "properties", "weight", "x-unread-type"], set("double")),
  even("unread-keyword-changed", "breaking", [...label, "x-unread-pattern"], set("(")),
  plant(
    ["security-tightened", "breaking"],
    ["security-loosened", "safe"],
    ["services", 0, "document", "security"],
    set([{ BearerAuth: [], Other: [] }]),
  ),
  even(
    "token-address-changed",
    "risky",
    [...granted, "flows", "implicit", "authorizationUrl"],
    set("https://b.invalid"),
  ),
  plant(
    ["server-added", "safe"],
    ["server-removed", "breaking"],
    ["services", 0, "document", "servers"],
    append({ url: "https://two.invalid" }),
  ),
  plant(
    ["server-removed", "breaking"],
    ["unnamed-server-removed", "risky"],
    ["services", 0, "document", "servers"],
    gone,
  ),
];
