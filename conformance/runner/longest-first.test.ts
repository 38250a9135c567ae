import { expect, test } from "vitest";
import { longestFirst } from "./longest-first.ts";

const scenario = (id: string, calls: number) => ({ id, calls, kind: "scenario" }) as const;
const ofOperation = (id: string, calls: number) => ({ ...scenario(id, calls), operation: "getApiKey" }) as const;
const property = (id: string, calls: number) => ({ id, calls, kind: "property" }) as const;

test("many values come first, then many calls, and single operations last; others stay as they were", () => {
  const checks = [
    ofOperation("one operation, many calls", 90),
    scenario("few calls", 0),
    scenario("as few", 0),
    property("few calls, many times", 1),
    ofOperation("one operation", 0),
    scenario("many calls", 50),
    property("many calls, many times", 70),
  ];
  const ordered = longestFirst(checks, ({ calls }) => calls);
  expect(ordered.map(({ id }) => id)).toEqual([
    ...["many calls, many times", "few calls, many times", "many calls", "few calls", "as few"],
    ...["one operation, many calls", "one operation"],
  ]);
});
