import type { Json } from "../contract.ts";
import { isList, isObject } from "../schema/schema-node.ts";
import { append, even, first, merged, type PlantedChange, plant, set } from "./planted-changes.ts";

const create = ["operations", 0];
const wrongKey = ["services", 0, "document", "paths", "/v1/api-keys", "post", "responses", "400"];
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
  plant(
    ["idempotency-added", "risky"],
    ["idempotency-ended", "breaking"],
    [...create, "idempotencyHeader"],
    set("Idempotency-Key"),
  ),
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
  plant(["operation-limit-removed", "safe"], ["operation-limit-added", "breaking"], [...create, "draws"], set([])),
  even("operation-limit-changed", "breaking", [...create, "draws", 0, "bucket"], set("deliveryReplays")),
  plant(["bound-tightened", "breaking"], ["bound-loosened", "risky"], ["bounds"], (old) =>
    isList(old)
      ? old.map((one) => (isObject(one) && one.name === "deliveryPageMax" ? { ...one, value: 2 } : one))
      : null,
  ),
  even("bound-changed", "breaking", ["bounds", 0, "unit"], set("others")),
  plant(["bound-removed", "risky"], ["bound-added", "breaking"], ["bounds"], tail),
  even("constant-changed", "breaking", ["constants", 0, "value"], set("other")),
  plant(["constant-removed", "safe"], ["constant-added", "safe"], ["constants"], tail),
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
      notOffered: null,
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
  even("signature-scheme-changed", "breaking", ["deliveryHeaders", 4, "scheme", "hash"], set("other")),
  plant(["entity-removed", "breaking"], ["entity-added", "safe"], ["entities"], tail),
  plant(["state-removed", "breaking"], ["state-added", "breaking"], [...entity, "states"], first),
  plant(["open-state-added", "risky"], ["state-removed", "breaking"], ["entities", 2, "states"], append("NEW")),
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
  even("rule-meaning-changed", "breaking", rule, merged({ template: "Another sentence.", says: "Another sentence." })),
  even(
    "rule-reused",
    "breaking",
    rule,
    merged({ template: "Another sentence.", says: "Another sentence.", about: "Uuid" }),
  ),
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
  plant(
    ["rule-drafted", "risky"],
    ["rule-draft-ended", "safe"],
    [...rule, "draft"],
    set({ owner: "kit", expires: "2027-01-31" }),
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
