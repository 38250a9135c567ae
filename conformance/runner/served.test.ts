import { describe, expect, test } from "vitest";
import { operationList } from "../../generated/operations.ts";
import { type RuleId, rules } from "../../generated/rules.ts";
import { type Servable, servedBy } from "./served.ts";

/** A contract of two resources: one that there is, and one that is made up. */
const operations: readonly Servable[] = [
  ...operationList,
  { id: "sendPigeon", service: "api", resource: "pigeons" },
  { id: "getPigeon", service: "api", resource: "pigeons" },
];
const about: Partial<Record<RuleId, string>> = {
  "KEYC-01": "createApiKey",
  "KEYG-01": "getPigeon",
  "ENV-01": "Success",
};
const aboutOf = (rule: RuleId): string => about[rule] ?? "sendPigeon";

const keysAlone = servedBy(["api-keys"], operations, aboutOf);
const pigeonsAlone = servedBy(["pigeons"], operations, aboutOf);
const reason = (resource: string, operation: string) =>
  `the target does not implement ${resource}, of which ${operation} is an operation`;

describe("a target that implements some resources", () => {
  test("serves their operations, and tells why it does not serve others", () => {
    expect(keysAlone.operation("createApiKey")).toBeNull();
    expect(keysAlone.operation("sendPigeon")).toBe(reason("pigeons", "sendPigeon"));
    expect(pigeonsAlone.operation("createApiKey")).toBe(reason("api-keys", "createApiKey"));
  });

  test("is not judged by rules about operations of others, but by those about everything else", () => {
    expect(keysAlone.rule("KEYG-01")).toBe(reason("pigeons", "getPigeon"));
    expect(keysAlone.rule("KEYC-01")).toBeNull();
    expect(keysAlone.rule("ENV-01")).toBeNull();
    expect(pigeonsAlone.rule("ENV-01")).toBeNull();
  });

  test("is not asked by checks that need an operation of others", () => {
    expect(keysAlone.check({ rules: ["ENV-01", "KEYC-01"] })).toBeNull();
    expect(keysAlone.check({ rules: ["ENV-01", "KEYG-01"] })).toBe(reason("pigeons", "getPigeon"));
    expect(keysAlone.check({ rules: [] })).toBeNull();
  });

  test("keeps the operations of its sandbox, which is no resource of the contract", () => {
    expect(keysAlone.operation("createOrganization")).toBeNull();
  });
});

test("a target that names no resources implements all of them", () => {
  const all = servedBy(null, operations, (rule) => rules[rule].about);
  expect(operations.filter((o) => all.operation(o.id) !== null)).toEqual([]);
});
