import { describe, expect, it } from "vitest";
import type { Contract, Json } from "../contract.ts";
import { isList, isObject } from "../schema/schema-node.ts";
import { diff } from "./diff.ts";
import { asContract, plantedBase as base } from "./planted-base.ts";
import { append, type Edit, edited, set } from "./planted-changes.ts";
import { plantedFacts } from "./planted-facts.ts";
import { plantedOnTheWire } from "./planted-on-the-wire.ts";
import { sampledInclusion as includes } from "./sampled-inclusion.ts";

/** What a change is known by. */
const keysBetween = (one: Contract, other: Json): readonly string[] =>
  diff(one, asContract(other), { includes, extent: "contract" })
    .map(({ id, operation, pointer }) => `${id} ${operation ?? ""} ${pointer}`)
    .sort();

const backwards = (json: Json): Json => {
  if (isList(json)) return json.map(backwards).toReversed();
  if (!isObject(json)) return json;
  return Object.fromEntries(Object.entries(json).map(([name, member]) => [name, backwards(member)]));
};

const contract = asContract(base);
const contractBackwards = asContract(backwards(base));

describe("the pointer of a change", () => {
  it.each([...plantedOnTheWire, ...plantedFacts].map((one) => [one.forth[0], one] as const))(
    "is its own, and stays when every list stands in another order: %s",
    (_, { edits }) => {
      const head = edited(base, edits);
      const keys = keysBetween(contract, head);
      expect(new Set(keys).size).toBe(keys.length);
      expect(keysBetween(contractBackwards, backwards(head))).toEqual(keys);
    },
  );

  const read = ["services", 0, "document", "paths", "/v1/shelves/{id}", "get"];
  const pointersOf = (edits: readonly Edit[]): readonly string[] =>
    diff(contract, asContract(edited(base, edits)), { includes, extent: "contract" }).map((one) => one.pointer);

  const named: readonly (readonly [string, readonly Edit[], readonly unknown[]])[] = [
    [
      "a parameter by its place and name",
      [
        {
          at: [...read, "parameters"],
          to: append({ name: "page/size", in: "query", schema: { type: "integer" } }),
        },
      ],
      ["/api/paths/~1v1~1shelves~1{id}/get/parameters/query:page~1size"],
    ],
    [
      "an address by its URL",
      [{ at: ["services", 0, "document", "servers"], to: append({ url: "https://two.invalid" }) }],
      ["/api/servers/https:~1~1two.invalid"],
    ],
    ["a limit by its name", [{ at: ["buckets", 0, "adjustable"], to: set(true) }], ["/buckets/apiKeyWrites"]],
    [
      "a fact of an operation by the operation's id",
      [{ at: ["operations", 0, "scope"], to: set("other") }],
      [expect.stringMatching(/^\/operations\/[A-Za-z]+\/scope$/)],
    ],
  ];

  it.each(named)("names %s", (_, edits, pointers) => {
    expect(pointersOf(edits)).toEqual(pointers);
  });
});
