import { describe, expect, it } from "vitest";
import type { Contract, Json } from "../contract.ts";
import { changeIds, changeTable } from "./change-table.ts";
import { diff } from "./diff.ts";
import { asContract, plantedBase as base } from "./planted-base.ts";
import { type Edit, edited, type PlantedChange } from "./planted-changes.ts";
import { plantedFacts } from "./planted-facts.ts";
import { plantedOnTheWire } from "./planted-on-the-wire.ts";
import { sampledInclusion as includes } from "./sampled-inclusion.ts";

const contract = asContract(base);
const planted = [...plantedOnTheWire, ...plantedFacts];

/** Each planted change with what is found of it forth and back: every test below looks at the same comparisons. */
const found = new Map<PlantedChange, Found>();

interface Found {
  readonly head: Contract;
  readonly forth: readonly string[];
  readonly back: readonly string[];
}

function foundOf(change: PlantedChange): Found {
  const known = found.get(change);
  if (known !== undefined) return known;
  const head = headWith(change.edits);
  const made = { head, forth: idsAndVerdicts(contract, head), back: idsAndVerdicts(head, contract) };
  found.set(change, made);
  return made;
}

const headWith = (edits: readonly Edit[]): Contract => asContract(edited(base, edits));

const between = (base: Contract, head: Contract) => diff(base, head, { includes, extent: "contract" });

const idsAndVerdicts = (base: Contract, head: Contract): readonly string[] =>
  [...new Set(between(base, head).map(({ id, verdict }) => `${id} ${verdict}`))].sort();

describe("a planted change is found as what it is, and as its mirror the other way round", () => {
  it.each(planted.map((one) => [one.forth[0], one.edits[0]?.at.join("/") ?? "", one] as const))(
    "%s at %s",
    (_, __, change) => {
      const { forth, back } = change;
      expect(foundOf(change).forth).toContain(forth.join(" "));
      expect(foundOf(change).back).toContain(back.join(" "));
      expect(changeTable[forth[0]].mirrors).toContain(back[0]);
    },
  );

  it("a change of a single fact is told as one kind of change", () => {
    const told = planted.map((change) => [change.forth[0], foundOf(change).forth] as const);
    expect(told.filter(([, found]) => found.length !== 1)).toEqual([]);
  });

  it("every id is planted", () => {
    const ids = new Set(planted.flatMap(({ forth, back }) => [forth[0], back[0]]));
    // What is undecided shows in the head as any other change: it is the work that is planted, below. Values of formats that
    // nobody knows can't be sampled, what refuses wide integers is no change the other way round, alternatives that overlap are
    // told of by proofs, and all bodies of requests are closed here: pairs of documents have them.
    expect(changeIds.filter((id) => !ids.has(id))).toEqual([
      "schema-undecided",
      "unknown-format-changed",
      "wide-integers-refused",
      "alternatives-overlap",
      "free-form-specified",
      "unnamed-members-refused",
    ]);
  });
});

it("every id has a mirror, and is a mirror of it", () => {
  const lonely = changeIds.filter((id) => {
    const { mirrors } = changeTable[id];
    return (
      mirrors.length === 0 ||
      !mirrors.every((one) => changeIds.some((other) => other === one && changeTable[other].mirrors.includes(id)))
    );
  });
  expect(lonely).toEqual([]);
});

describe("nothing changed", () => {
  it("between a contract and itself", () => {
    expect(between(contract, asContract(base))).toEqual([]);
  });

  it.each(planted.map((one) => [one.forth[0], one] as const))(
    "between an edited contract and itself: %s",
    (_, change) => {
      expect(between(foundOf(change).head, headWith(change.edits))).toEqual([]);
    },
  );

  const schemas = ["services", 0, "document", "components", "schemas"];
  const create = ["services", 0, "document", "paths", "/v1/api-keys", "post"];
  const harmless: readonly (readonly [string, readonly Edit[]])[] = [
    ["by a description", [{ at: [...create, "description"], to: () => "Other words." }]],
    ["by a description in a schema", [{ at: [...schemas, "ApiKey", "description"], to: () => "Other words." }]],
    ["by examples", [{ at: [...schemas, "ApiKey", "examples"], to: () => [] }]],
    ["by the order of members", [{ at: [...schemas, "ApiKey"], to: reversed }]],
    ["by the order of rules", [{ at: ["rules"], to: (old) => (Array.isArray(old) ? old.toReversed() : null) }]],
    ["by the version", [{ at: ["services", 0, "document", "info", "version"], to: () => "9.0.0" }]],
    [
      "by a regrouped schema",
      [{ at: [...schemas, "CreateApiKeyRequest"], to: (old) => ({ allOf: [old ?? {}, { type: "object" }] }) }],
    ],
  ];

  it.each(harmless)("%s", (_, edits) => {
    expect(between(contract, headWith(edits))).toEqual([]);
  });

  it("by other names of components, limits, errors and path parameters", () => {
    const text = JSON.stringify(base)
      .replaceAll('"CreateApiKeyRequest"', '"KeyOrder"')
      .replaceAll("/CreateApiKeyRequest", "/KeyOrder")
      .replaceAll('"bucket":"apiKeyWrites"', '"bucket":"keyWrites"')
      .replaceAll('"name":"apiKeyWrites"', '"name":"keyWrites"')
      .replaceAll("/v1/shelves/{id}", "/v1/shelves/{shelf}")
      .replaceAll(
        '{"name":"id","in":"path","required":true,"schema":{"type":"string"}}',
        '{"name":"shelf","in":"path","required":true,"schema":{"type":"string"}}',
      );
    expect(between(contract, asContract(JSON.parse(text)))).toEqual([]);
  });
});

function reversed(old: Json | undefined): Json {
  return Object.fromEntries(Object.entries(old ?? {}).toReversed());
}

it("a narrowed request shows a value that was admitted, and the rules that it touches", () => {
  const head = headWith([
    {
      at: [
        "services",
        0,
        "document",
        "components",
        "schemas",
        "CreateApiKeyRequest",
        "properties",
        "scopes",
        "maxItems",
      ],
      to: () => 1,
    },
  ]);
  const [change] = between(contract, head);
  expect(change).toMatchObject({
    id: "request-body-narrowed",
    verdict: "breaking",
    operation: "POST /v1/api-keys",
    pointer: "/api/paths/~1v1~1api-keys/post/requestBody/content/application~1json/schema/scopes",
    place: { side: "head", file: "spec/api-keys.tsp" },
    evidence: { kind: "value", refusedBy: "head", at: "/scopes", keyword: "maxItems" },
  });
  expect(change?.rules.length).toBeGreaterThan(0);
});

it("a change inside a component that contains itself is found", () => {
  const tree = (maxLength: number): Json => ({
    type: "object",
    properties: { name: { type: "string", maxLength }, next: { $ref: "#/components/schemas/Tree" } },
  });
  const grown = (maxLength: number): readonly Edit[] => [
    { at: ["services", 0, "document", "components", "schemas", "Tree"], to: () => tree(maxLength) },
    {
      at: ["services", 0, "document", "components", "schemas", "CreateApiKeyRequest", "properties", "tree"],
      to: () => ({ $ref: "#/components/schemas/Tree" }),
    },
  ];
  expect(idsAndVerdicts(headWith(grown(9)), headWith(grown(5)))).toEqual(["request-body-narrowed breaking"]);
});

it("what cannot be decided is breaking, with the reason", () => {
  const head = headWith([
    {
      at: [
        "services",
        0,
        "document",
        "components",
        "schemas",
        "CreateApiKeyRequest",
        "properties",
        "label",
        "maxLength",
      ],
      to: () => 5,
    },
  ]);
  const unsure = () => ({ kind: "unknown", why: "too hard" }) as const;
  const changes = diff(contract, head, { includes: unsure, extent: "contract" });
  expect(changes).toMatchObject([
    { id: "request-body-narrowed", verdict: "breaking", evidence: { kind: "unproven", why: "too hard" } },
  ]);
});

it("what the work did not suffice for is risky, and says so", () => {
  const label = ["services", 0, "document", "components", "schemas", "CreateApiKeyRequest", "properties", "label"];
  const head = headWith([{ at: [...label, "maxLength"], to: () => 5 }]);
  const unfinished = () => ({ kind: "unknown", why: "too long", isUnfinished: true }) as const;
  expect(diff(contract, head, { includes: unfinished, extent: "contract" })).toMatchObject([
    { id: "schema-undecided", verdict: "risky", evidence: { kind: "unproven", why: "too long" } },
  ]);
});

it("a side that is an OpenAPI document says nothing about the contract's own facts", () => {
  const bare: Contract = { ...contract, rules: [], errors: [], buckets: [], operations: [] };
  expect(diff(contract, bare, { includes, extent: "document" })).toEqual([]);
});

/** Places of the contract's own facts that are prose, names or derived, and so never a change. */
const silent: readonly string[] = [
  ...["contractFormat", "operations/*/resource", "operations/*/summary", "operations/*/scopeExemption"],
  "operations/*/scopeQuestion",
  // The document of the service says them, and is compared.
  ...["operations/*/method", "operations/*/path", "operations/*/service"],
  ...[
    "operations/*/place/file",
    "operations/*/id",
    "operations/*/list",
    "operations/*/callerQuestion",
    "operations/*/listQuestion",
    "operations/*/success/allowed",
  ],
  // Where the move's own words are compared, and which rules say so.
  ...["operation", "row", "rule", "stateRule"].map((part) => `entities/*/transitions/*/${part}`),
  // What calls change the rules say, which are compared.
  "operations/*/changes",
  // Whose rows it is, which are compared.
  "operations/*/shortages/*",
  // How printed code hands over what the document describes.
  ...["operations/*/pageSize", "operations/*/pageSizeQuestion", "operations/*/payload/*"],
  ...["", "/parameter", "/pointer"].map((part) => `operations/*/continuation${part}`),
  ...["errors/*/when", "errors/*/place/file", "scopes/*/name", "scopes/*/question"],
  ...["buckets/*/summary", "buckets/*/place/file", "deliveryHeaders/*/summary"],
  "deliveryHeaders/*/component",
  // What the reference makes of its options, and what a server may lawfully lack, bind no client.
  ...["pointer", "keywords/*", "option"].map((part) => `operations/*/optionalRefusals/*/${part}`),
  ...["operations/*/narrowings/*/requiredBy", "errors/*/notOffered"],
  ...["bounds/*/summary", "constants/*/summary"],
  ...[
    "rules/*/why",
    // A sentence is compared as it reads.
    "rules/*/template",
    "rules/*/operations/*",
    "rules/*/rows/*",
    "rules/*/demands",
    "rules/*/place/file",
    "questions/*/reason",
    "questions/*/place/file",
  ],
];

it("every fact of the contract that is neither prose nor a name is compared", () => {
  const { services: _, ...facts } = contract;
  const places = new Map<string, (string | number)[]>();
  const visit = (at: unknown, names: (string | number)[]): void => {
    const pattern = names.map((name) => (typeof name === "number" ? "*" : name)).join("/");
    if (typeof at !== "object" || at === null) {
      places.set(pattern, places.get(pattern) ?? names);
    } else if (Array.isArray(at)) {
      for (const [index, item] of at.entries()) visit(item, [...names, index]);
    } else {
      for (const [name, member] of Object.entries(at)) visit(member, [...names, name]);
    }
  };
  visit(facts, []);
  expect(places.size).toBeGreaterThan(60);
  // Closed words have no other value of the same kind; they are planted above.
  for (const closed of ["operations/*/caller", "errors/*/details/kind", "buckets/*/kind"]) places.delete(closed);
  // The next status is excepted from the range, so the range is the same.
  places.delete("errors/*/status/from");
  const unseen = [...places].filter(
    ([, names]) => between(contract, headWith([{ at: names, to: other }])).length === 0,
  );
  expect(unseen.map(([pattern]) => pattern).sort()).toEqual([...silent].sort());
});

/** Another value of the same kind. */
function other(old: Json | undefined): Json {
  if (typeof old === "number") return old + 1;
  if (typeof old === "boolean") return !old;
  // After the anchor of a pattern, so that it still admits something.
  return `${old ?? ""}`.replace(/^\^?/, "$&x");
}
