import { expect, it } from "vitest";
import { changeTable } from "../../compiler/diff/change-table.ts";
import { findingsOf, othersText } from "./finding.ts";
import type { JudgedChange } from "./judged-change.ts";

const change = (operation: string, cause: string | null, more: Partial<JudgedChange> = {}): JudgedChange => ({
  ...changeTable["response-body-widened"],
  ...{ id: "response-body-widened", service: "api", operation, pointer: operation, cause, place: null, message: "" },
  ...{ rules: [], evidence: null, override: null, acceptance: null, checks: null },
  ...more,
});

const cause = "/components/schemas/Kind";

it("changes of one kind with one cause are one finding, which names the other places", () => {
  const found = findingsOf([change("GET /a", cause), change("GET /b", cause), change("GET /c", null)]);
  expect(found.map(({ subject, others }) => [subject, others.length])).toEqual([
    ["schema Kind", 1],
    ["GET /c", 0],
  ]);
  expect(found.map(othersText)).toEqual(["one edit reaches 2 operations: GET /a, GET /b", null]);
});

it("changes without a cause, of another kind or another part of the schema stand by themselves", () => {
  const found = findingsOf([
    change("GET /a", cause),
    change("GET /a", `${cause}/size`),
    change("GET /a", cause, { id: "response-body-narrowed", verdict: "safe" }),
    change("GET /b", null),
    change("GET /c", null),
  ]);
  expect(found.map(({ subject }) => subject)).toEqual([
    "schema Kind",
    "schema Kind/size",
    "GET /b",
    "GET /c",
    "schema Kind",
  ]);
});

it("a change that somebody accepted is told by itself", () => {
  const acceptance: JudgedChange["acceptance"] = {
    ...{ id: "response-body-widened" as const, operation: "GET /b", pointer: "GET /b", reason: "known", owner: "us" },
    ...{ expires: "2030-01-01", where: "accepted.yaml:1:1", expired: false },
  };
  expect(findingsOf([change("GET /a", cause), change("GET /b", cause, { acceptance })])).toHaveLength(2);
});
