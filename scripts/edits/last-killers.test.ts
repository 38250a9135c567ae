import { expect, test } from "vitest";
import { apiOperations } from "../../conformance/context/for-each-operation.ts";
import { lastKillers } from "./last-killers.ts";
import { seenByMonitor } from "./trial.ts";

const matrixOf = (...kills: readonly string[]): string => `| AUTH-02 | must | checks | ${kills.join("<br>")} |\n`;

const first = (matrix: string, mutant: string) => lastKillers(matrix).get(mutant);

test("a mutant is tried first with the check that found it", () => {
  const matrix = matrixOf("`AUTH-02-basic` ✔ authentication.bad-credentials", "`AUTH-02-any-scheme` ✘ survives");
  expect(first(matrix, "AUTH-02-basic")).toEqual(["authentication.bad-credentials"]);
  expect(first(matrix, "AUTH-02-any-scheme")).toBeUndefined();
});

test("a check that is made for each operation is tried for each", () => {
  const found = first(matrixOf("`AUTH-01-not-found` ✔ authentication.callers (12 operations)"), "AUTH-01-not-found");
  expect(found?.length).toBeGreaterThan(1);
  const ids = apiOperations.map(({ id }) => `authentication.callers.${id}`);
  for (const check of found ?? []) expect(ids).toContain(check);
});

test("what the monitor found is tried first with the check in whose course it did", () => {
  const during = "authentication.callers.getApiKey";
  expect(first(matrixOf(`\`ENV-27-epoch\` ✔ ${seenByMonitor(during)}`), "ENV-27-epoch")).toEqual([during]);
  expect(first(matrixOf(`\`ENV-27-epoch\` ✔ ${seenByMonitor("gone")}`), "ENV-27-epoch")).toBeUndefined();
  expect(first(matrixOf("`ENV-27-epoch` ✔ monitor"), "ENV-27-epoch")).toBeUndefined();
});

test("checks that found the same mutants take turns", () => {
  const both = "api-keys.after-rotation, authentication.bad-credentials";
  const killers = lastKillers(matrixOf(`\`AUTH-04-second-half\` ✔ ${both}`, `\`AUTH-04-prefix\` ✔ ${both}`));
  expect([...killers.values()].flat().sort()).toEqual(both.split(", "));
});

test("a check that is gone, or has nothing to do with the rule any more, is not tried", () => {
  expect(first(matrixOf("`AUTH-02-basic` ✔ authentication.nothing, lookups.read"), "AUTH-02-basic")).toBeUndefined();
});
