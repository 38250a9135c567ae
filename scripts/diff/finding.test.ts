import { expect, it } from "vitest";
import { changeTable } from "../../compiler/diff/change-table.ts";
import { consequencesOf, findingsOf, reachText } from "./finding.ts";
import type { JudgedChange } from "./judged-change.ts";

const change = (operation: string, at: string | null, more: Partial<JudgedChange> = {}): JudgedChange => ({
  ...changeTable["response-body-widened"],
  ...{ id: "response-body-widened", service: "api", operation, pointer: operation, place: null, message: "" },
  fingerprint: "0f",
  edit: { at: at ?? `/paths/${operation.slice(4)}/get/responses/404`, keyword: "maximum", before: [9], after: [5] },
  ...{ rules: [], evidence: null, override: null, acceptance: null, checks: null, lines: { base: null, head: null } },
  ...more,
});

const kind = "/components/schemas/Kind";

it("changes by one edit are one finding, which names the other places", () => {
  const found = findingsOf([change("GET /a", kind), change("GET /b", kind), change("GET /c", null)]);
  expect(found.map(({ subject, others }) => [subject, others.length])).toEqual([
    ["schema Kind", 1],
    ["GET /c", 0],
  ]);
  expect(found.map((finding) => reachText(finding))).toEqual(["reaches 2 operations: GET /a, GET /b", null]);
});

it("webhooks that an edit reaches are named too", () => {
  const webhook = (name: string, at: string): JudgedChange =>
    change("GET /a", at, { operation: null, pointer: `/webhooks/${name}/post` });
  const [whole, ...others] = findingsOf([webhook("paid", "/webhooks"), webhook("sold", "/webhooks")]);
  expect(others).toEqual([]);
  expect([whole?.subject, whole && reachText(whole)]).toEqual(["webhooks", "reaches 2 webhooks: paid, sold"]);
  const [mixed] = findingsOf([change("GET /a", kind), webhook("sold", kind)]);
  expect(mixed && reachText(mixed)).toBe("reaches 1 operation: GET /a; 1 webhook: sold");
});

it("the gravest of them is shown, and at one place it alone, whatever the directions in which the edit is met", () => {
  const narrowed = { id: "response-body-narrowed", verdict: "safe" } as const;
  const [finding, ...more] = findingsOf([
    change("GET /a", kind, narrowed),
    change("GET /a", kind, { ...narrowed, pointer: "elsewhere" }),
    change("GET /a", kind),
  ]);
  expect(more).toEqual([]);
  expect(finding?.verdict).toBe("breaking");
  expect(finding?.others).toHaveLength(2);
  const told = finding === undefined ? [] : consequencesOf(finding).flatMap(({ changes }) => changes);
  expect(told.map(({ verdict, pointer }) => [verdict, pointer])).toEqual([["safe", "elsewhere"]]);
});

it("the same edit of what has one name is one finding: a property of several schemas, a status of several operations", () => {
  const size = (schema: string) => `/components/schemas/${schema}/properties/size`;
  const found = findingsOf([
    change("GET /a", size("A")),
    change("GET /a", size("B")),
    change("GET /b", null),
    change("GET /c", null),
  ]);
  expect(found.map(({ subject }) => subject)).toEqual(["schema A/size, schema B/size", "GET /b, GET /c"]);
});

it("a schema in place of another is one finding, in answers of any status; in a request it is another", () => {
  const swap = (operation: string, part: string): JudgedChange => {
    const at = `/paths/${operation}/get/${part}/content/application~1json/schema`;
    return change(`GET /${operation}`, at, { edit: { at, keyword: "$ref", before: ["Old"], after: ["New"] } });
  };
  const found = findingsOf([swap("a", "responses/400"), swap("a", "responses/5XX"), swap("b", "responses/400")]);
  expect(found.map(({ subject }) => subject)).toEqual(["GET /a, GET /b"]);
  expect(findingsOf([swap("a", "responses/400"), swap("a", "requestBody")])).toHaveLength(2);
});

it("other edits stand by themselves", () => {
  const other = { at: kind, keyword: "maximum", before: [5], after: [4] };
  const found = findingsOf([
    change("GET /a", kind),
    change("GET /a", `${kind}/items`),
    change("GET /a", kind, { edit: other }),
    change("GET /a", `${kind}/properties/items/items`),
  ]);
  expect(found.map(({ subject }) => subject)).toEqual([
    "schema Kind",
    "schema Kind/*",
    "schema Kind",
    "schema Kind/items/*",
  ]);
});

it("a change that somebody accepted is told by itself", () => {
  const acceptance: JudgedChange["acceptance"] = {
    ...{ reason: "known", owner: "us", expires: "2030-01-01", where: "accepted.yaml:1:1", expired: false },
  };
  expect(findingsOf([change("GET /a", kind), change("GET /b", kind, { acceptance })])).toHaveLength(2);
});
