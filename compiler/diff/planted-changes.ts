import type { Json } from "../contract.ts";
import { isList, isObject } from "../schema/schema-node.ts";
import type { Verdict } from "./change.ts";
import type { ChangeId } from "./change-table.ts";

/** Changes what stands at a path of names; undefined stands for nothing. */
export interface Edit {
  readonly at: readonly (string | number)[];
  readonly to: (old: Json | undefined) => Json | undefined;
}

/** An edit, what it is found to be, and what it is found to be the other way round. */
export interface PlantedChange {
  readonly forth: readonly [ChangeId, Verdict];
  readonly back: readonly [ChangeId, Verdict];
  readonly edits: readonly Edit[];
}

const set = (value: Json) => (): Json => value;
const gone = (): undefined => undefined;
const append =
  (value: Json) =>
  (old: Json | undefined): Json => [...(isList(old) ? old : []), value];
const first = (old: Json | undefined): Json => (isList(old) ? old.slice(0, 1) : null);
const merged =
  (value: Readonly<Record<string, Json>>) =>
  (old: Json | undefined): Json => ({
    ...(isObject(old) ? old : {}),
    ...value,
  });

export function edited(json: Json, edits: readonly Edit[]): Json {
  return edits.reduce<Json>((at, { at: names, to }) => put(at, names, to) ?? null, json);
}

function put(json: Json | undefined, names: Edit["at"], to: Edit["to"]): Json | undefined {
  const [name, ...rest] = names;
  if (name === undefined) return to(json);
  if (isList(json)) {
    const items = json.map((item, index) => (index === name ? put(item, rest, to) : item));
    return items.filter((item) => item !== undefined);
  }
  const members = isObject(json) ? json : {};
  const { [name]: old, ...others } = members;
  const made = put(old, rest, to);
  if (made === undefined) return others;
  return name in members
    ? Object.fromEntries(Object.entries(members).map(([n, m]) => [n, n === name ? made : m]))
    : { ...members, [name]: made };
}

const text: Json = { type: "string" };
const shelf = ["api", "paths", "/v1/shelves/{id}"];
const read = [...shelf, "get"];
const write = [...shelf, "put"];
const answer = [...read, "responses", "200"];
const body = [...write, "requestBody"];
const bodySchema = [...body, "content", "application/json", "schema"];
const size = [...bodySchema, "properties", "size"];
const answerSchema = [...answer, "content", "application/json", "schema"];
const label = [...answerSchema, "properties", "label"];

/** Operations that hold what the contract's own do not, for edits of it. */
export const shelves: readonly Edit[] = [
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
                  properties: { label: { type: "string", maxLength: 9 }, note: text },
                },
              },
              "text/csv": { schema: text },
            },
          },
          "4XX": { description: "Wrong.", content: { "application/json": { schema: text } } },
        },
      },
      put: {
        operationId: "putShelf",
        parameters: [{ name: "id", in: "path", required: true, schema: text }],
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: { type: "object", properties: { size: { type: "integer", minimum: 0, default: 3 }, name: text } },
            },
            "multipart/form-data": { schema: { type: "object" }, encoding: { file: { contentType: "image/png" } } },
          },
        },
        responses: { "204": { description: "Put." } },
      },
    }),
  },
];

const plant = (
  forth: PlantedChange["forth"],
  back: PlantedChange["back"],
  at: Edit["at"],
  to: Edit["to"],
): PlantedChange => ({ forth, back, edits: [{ at, to }] });

/** A change that is its own mirror. */
const even = (id: ChangeId, verdict: Verdict, at: Edit["at"], to: Edit["to"]): PlantedChange =>
  plant([id, verdict], [id, verdict], at, to);

const query = (more: Readonly<Record<string, Json>>): Json => ({ name: "new", in: "query", schema: text, ...more });

/** One edit for each kind of change and its mirror, on the wire. */
export const plantedOnTheWire: readonly PlantedChange[] = [
  plant(["operation-removed", "breaking"], ["operation-added", "safe"], read, gone),
  even("operation-renamed", "risky", [...read, "operationId"], set("readShelf")),
  plant(["operation-deprecated", "safe"], ["operation-deprecation-ended", "safe"], [...read, "deprecated"], set(true)),
  even("callback-changed", "breaking", ["api", "webhooks"], set({ sold: { post: { responses: {} } } })),
  plant(
    ["parameter-added-optional", "safe"],
    ["parameter-removed", "breaking"],
    [...read, "parameters"],
    append(query({})),
  ),
  plant(
    ["parameter-added-required", "breaking"],
    ["parameter-removed", "breaking"],
    [...read, "parameters"],
    append(query({ required: true })),
  ),
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
      ["request-body-removed", "breaking"],
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
  even("request-encoding-changed", "breaking", [...body, "content", "multipart/form-data", "encoding"], gone),
  plant(
    ["success-status-added", "breaking"],
    ["success-status-removed", "breaking"],
    [...read, "responses", "202"],
    set({ description: "Later." }),
  ),
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
  even(
    "response-header-serialization-changed",
    "breaking",
    [...answer, "headers", "Age"],
    set({ content: { "text/plain": { schema: text } } }),
  ),
  even("links-changed", "risky", [...answer, "links"], set({ next: { operationId: "getShelf" } })),
  plant(["default-removed", "breaking"], ["default-added", "risky"], [...size, "default"], gone),
  even("default-changed", "breaking", [...size, "default"], set(4)),
  plant(["made-read-only", "breaking"], ["read-only-ended", "safe"], [...size, "readOnly"], set(true)),
  {
    forth: ["made-write-only", "breaking"],
    back: ["write-only-ended", "safe"],
    edits: [{ at: [...answerSchema, "properties", "note", "writeOnly"], to: set(true) }],
  },
  plant(["schema-deprecated", "safe"], ["schema-deprecation-ended", "safe"], [...label, "deprecated"], set(true)),
  even("discriminator-changed", "risky", [...answerSchema, "discriminator"], set({ propertyName: "label" })),
  even("content-encoding-changed", "breaking", [...label, "contentEncoding"], set("base64")),
  even("unread-keyword-changed", "breaking", [...label, "x-unread-pattern"], set("(")),
  plant(
    ["security-tightened", "breaking"],
    ["security-loosened", "risky"],
    ["api", "security"],
    set([{ BearerAuth: [], Other: [] }]),
  ),
  plant(
    ["server-added", "safe"],
    ["server-removed", "breaking"],
    ["api", "servers"],
    append({ url: "https://two.invalid" }),
  ),
];

const create = ["operations", 0];
const wrongKey = ["api", "paths", "/v1/api-keys", "post", "responses", "400"];
const bucket = ["buckets", 0];
const ladder = (old: Json | undefined): Json =>
  isList(old)
    ? old.map((item) =>
        isObject(item) && isObject(item) && item.kind === "ladder" && isList(item.tiers)
          ? { ...item, tiers: item.tiers.map((tier) => ({ ...(isObject(tier) ? tier : {}), tier: 9 })) }
          : item,
      )
    : null;
const row = ["errors", 0];
const rule = ["rules", 0];
const question = ["questions", 0];
const entity = ["entities", 0];

const tail = (old: Json | undefined): Json => (isList(old) ? old.slice(1) : null);

/** One edit for each kind of change and its mirror, among the contract's own facts. */
export const plantedFacts: readonly PlantedChange[] = [
  plant(["idempotency-added", "risky"], ["idempotency-ended", "breaking"], [...create, "idempotent"], set(true)),
  plant(["secret-removed", "risky"], ["secret-added", "safe"], [...create, "secrets"], set([])),
  even("reference-choice-changed", "risky", [...create, "success", "reference"], set(299)),
  even("reference-choice-changed", "risky", [...create, "narrowings"], set([])),
  plant(["operation-scope-removed", "risky"], ["operation-scope-added", "breaking"], [...create, "scope"], set(null)),
  even("operation-scope-changed", "breaking", [...create, "scope"], set("other")),
  plant(["callers-narrowed", "breaking"], ["callers-widened", "risky"], [...create, "caller"], set("session")),
  plant(["scope-removed", "breaking"], ["scope-added", "safe"], ["scopes"], tail),
  plant(["limit-tightened", "breaking"], ["limit-loosened", "safe"], [...bucket, "capacity"], set(1)),
  plant(["limit-loosened", "safe"], ["limit-tightened", "breaking"], [...bucket, "periodSeconds"], set(1)),
  even("limit-unit-changed", "breaking", [...bucket, "unit"], set("record")),
  even("limit-kind-changed", "breaking", bucket, merged({ kind: "ladder", tiers: [] })),
  plant(
    ["limit-added", "risky"],
    ["limit-removed", "safe"],
    ["buckets"],
    append({
      name: "more",
      summary: "",
      kind: "bucket",
      capacity: 1,
      periodSeconds: 1,
      unit: "request",
      adjustable: false,
      question: null,
      place: { file: "a.tsp" },
    }),
  ),
  plant(["limit-adjustable", "safe"], ["limit-fixed", "breaking"], [...bucket, "adjustable"], set(true)),
  even("limit-tiers-renumbered", "risky", ["buckets"], ladder),
  even("limit-question-changed", "risky", [...bucket, "question"], set("Q1")),
  plant(["operation-limit-removed", "safe"], ["operation-limit-added", "breaking"], [...create, "bucket"], set(null)),
  even("operation-limit-changed", "breaking", [...create, "bucket"], set("deliveryReplays")),
  plant(["bound-tightened", "breaking"], ["bound-loosened", "risky"], ["bounds"], (old) =>
    isList(old)
      ? old.map((one) => (isObject(one) && one.name === "deliveryPageMax" ? { ...one, value: 2 } : one))
      : null,
  ),
  even("bound-changed", "breaking", ["bounds", 0, "unit"], set("others")),
  plant(["bound-removed", "risky"], ["bound-added", "breaking"], ["bounds"], tail),
  plant(
    ["error-added", "risky"],
    ["error-removed", "risky"],
    ["errors"],
    append({
      name: "Odd",
      service: "api",
      code: "ODD",
      status: 418,
      referenceStatus: 418,
      details: { kind: "none" },
      when: "",
      extension: false,
      anywhere: false,
      headers: [],
      place: { file: "a.tsp" },
    }),
  ),
  even("error-code-changed", "breaking", [...row, "code"], set("OTHER")),
  plant(
    ["error-status-widened", "breaking"],
    ["error-status-narrowed", "safe"],
    [...row, "status"],
    set({ from: 400, to: 402, except: [] }),
  ),
  plant(
    ["error-details-added", "safe"],
    ["error-details-removed", "breaking"],
    [...row, "details"],
    set({ kind: "keys", keys: ["why"] }),
  ),
  plant(
    ["error-header-added", "safe"],
    ["error-header-removed", "breaking"],
    [...row, "headers"],
    append("Retry-After"),
  ),
  plant(["error-spread", "risky"], ["error-confined", "safe"], [...row, "anywhere"], set(true)),
  even("error-extension-changed", "risky", [...row, "extension"], set(true)),
  {
    forth: ["operation-error-removed", "risky"],
    back: ["operation-error-added", "risky"],
    edits: [
      { at: [...create, "errors"], to: tail },
      { at: [...wrongKey, "content", "application/json", "schema", "anyOf"], to: tail },
    ],
  },
  even("refusal-changed", "risky", [...create, "refusals"], set([])),
  plant(["reserved-code-removed", "risky"], ["reserved-code-added", "safe"], ["reservedCodes"], tail),
  plant(["event-removed", "breaking"], ["event-added", "risky"], ["eventTypes"], tail),
  plant(["delivery-header-removed", "breaking"], ["delivery-header-added", "safe"], ["deliveryHeaders"], tail),
  plant(
    ["delivery-header-widened", "breaking"],
    ["delivery-header-narrowed", "safe"],
    ["deliveryHeaders", 0, "pattern"],
    set(null),
  ),
  plant(["entity-removed", "breaking"], ["entity-added", "safe"], ["entities"], tail),
  plant(["state-removed", "breaking"], ["state-added", "breaking"], [...entity, "states"], first),
  plant(["open-state-added", "risky"], ["state-removed", "breaking"], ["entities", 1, "states"], append("NEW")),
  plant(["states-opened", "breaking"], ["states-closed", "safe"], [...entity, "open"], set(true)),
  plant(["transition-removed", "breaking"], ["transition-added", "risky"], [...entity, "transitions"], tail),
  even("transition-condition-changed", "risky", [...entity, "transitions", 0, "condition"], set("other")),
  even("transition-answer-changed", "breaking", [...entity, "transitions", 0, "answers"], set("other")),
  plant(["rule-removed", "breaking"], ["rule-added", "risky"], ["rules"], tail),
  plant(["advice-removed", "risky"], ["rule-added", "risky"], ["rules"], (old) =>
    isList(old)
      ? old.filter(
          (one, index) =>
            !isObject(one) ||
            one.level === "must" ||
            index !== old.findIndex((other) => isObject(other) && other.level !== "must"),
        )
      : null,
  ),
  plant(["rule-weakened", "breaking"], ["rule-strengthened", "risky"], [...rule, "level"], set("should")),
  plant(["advice-weakened", "risky"], ["advice-strengthened", "safe"], ["rules"], (old) =>
    isList(old)
      ? old.map((one) => (isObject(one) && one.level === "should" ? { ...one, level: "observe" } : one))
      : null,
  ),
  even("rule-meaning-changed", "breaking", [...rule, "template"], set("Another sentence.")),
  even("rule-reused", "breaking", rule, merged({ template: "Another sentence.", about: "Uuid" })),
  even("rule-value-changed", "risky", [...rule, "says"], set("The same with 7.")),
  even("rule-moved", "safe", [...rule, "about"], set("Uuid")),
  even("rule-basis-changed", "safe", [...rule, "basis"], set("assumed")),
  even("rule-questions-changed", "risky", [...rule, "questions"], set(["Q1"])),
  plant(
    ["rule-made-unobservable", "risky"],
    ["rule-made-observable", "safe"],
    [...rule, "unobservable"],
    set("no client sees it"),
  ),
  plant(["question-settled", "risky"], ["question-opened", "risky"], ["questions"], tail),
  plant(
    ["question-alternative-added", "risky"],
    ["question-alternative-removed", "breaking"],
    [...question, "alternatives"],
    append("another"),
  ),
  even("question-meaning-changed", "risky", [...question, "asks"], set("Something else?")),
  even("question-kind-changed", "risky", [...question, "kind"], set("shape")),
  even("question-tolerance-changed", "risky", [...question, "tolerates"], set("an hour")),
  even("question-option-changed", "risky", [...question, "option"], set({ name: "other", values: ["a", "b"] })),
];
