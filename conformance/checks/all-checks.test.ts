import { expect, test } from "vitest";
import { allChecks } from "./all-checks.ts";

test("no two checks have the same id", () => {
  const ids = allChecks.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});
