import { expect, it } from "vitest";
import { declarationsIn } from "./declarations.ts";

const text = `import "x";
namespace Shop.Parts;

model Bolt<T> {
  ...Base;
  length: int32;
  \`thread-pitch\`: T;
}

enum Size { small, large: "L" }
scalar Id extends string;

interface Empty {}

interface Store {
  @get list(): void;
}
`;

const found = declarationsIn([
  { file: "spec/bolts.tsp", text },
  { file: "spec/other.tsp", text: "namespace Void { model Nut {} }\nnamespace Full { op fetch(): void; }" },
  { file: "spec/later.tsp", text: "model Nut {}" },
]);

it("finds models, properties, members, scalars and operations with their places", () => {
  expect(found.get("Bolt")).toEqual({ file: "spec/bolts.tsp", line: 4, column: 7 });
  expect(found.get("Bolt.length")).toEqual({ file: "spec/bolts.tsp", line: 6, column: 3 });
  expect(found.get("Bolt.thread-pitch")?.line).toBe(7);
  expect(found.get("Size.large")?.line).toBe(10);
  expect(found.get("small")?.line).toBe(10);
  expect(found.get("Id")?.line).toBe(11);
  expect(found.get("list")?.line).toBe(16);
});

it("keeps the first of two declarations with one name", () => {
  expect(found.get("Nut")?.file).toBe("spec/other.tsp");
});

it("counts a namespace or an interface only when an operation stands in it", () => {
  expect(["Shop", "Parts", "Store", "Full"].filter((name) => !found.has(name))).toEqual([]);
  expect(["Empty", "Void"].filter((name) => found.has(name))).toEqual([]);
});

it("reads what it can of a file with errors", () => {
  expect(declarationsIn([{ file: "a.tsp", text: "model Whole {}\nmodel {" }]).has("Whole")).toBe(true);
});
