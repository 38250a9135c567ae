import { afterAll, describe, expect, it } from "vitest";
import { contractFormat } from "../../compiler/contract.ts";
import { scratchProject } from "../../compiler/scratch-project.ts";
import { callBylaw } from "../call-bylaw.ts";
import { runBylaw } from "../run-bylaw.ts";

const assumed =
  '@@rule(WidgetStore.makeWidget, "GAD-02", "A widget is made at once.", #{ assumed: "nothing says that it waits" });';
const project = scratchProject([["@@rule(", `${assumed}\n@@rule(`]], null);
afterAll(project.remove);

describe("bylaw rules", () => {
  it("reads the spec when nothing was compiled, and says so", async () => {
    const { code, stdout, stderr } = await callBylaw(project.root, ["rules"]);
    expect(code).toBe(0);
    expect(stderr).toBe("There is no generated/contract.json; reading spec/main.tsp instead.\n");
    expect(stdout).toBe(`GAD-02  should   makeWidget  A widget is made at once.
WID-01  must     getWidget   A widget that does not exist gives 404 \`MISSING\`.
2 rules: 1 must, 1 should, 0 observe.
`);
  });

  it("reads the compiled contract, by area, level and as JSON", async () => {
    expect((await callBylaw(project.root, ["lock"])).code).toBe(0);
    expect((await callBylaw(project.root, ["compile"])).code).toBe(0);
    const { stdout, stderr } = await callBylaw(project.root, ["rules", "--area", "wid", "--format", "json"]);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toMatchObject([{ id: "WID-01", level: "must", about: "getWidget" }]);
    expect((await callBylaw(project.root, ["rules", "--level", "should"])).stdout).toMatch(/^GAD-02[^\n]+\n1 rule: /);
    expect((await callBylaw(project.root, ["rules", "--level", "observe"])).stdout).toMatch(/^0 rules: /);
  });

  it("names the areas when one is unknown", async () => {
    const { code, stderr } = await callBylaw(project.root, ["rules", "--area", "WIDE"]);
    expect(code).toBe(2);
    expect(stderr).toContain('--area WIDE: There is no such area. Did you mean "WID"?\n  Areas: GAD, WID.');
  });

  it("does not read a contract that the compiler did not write", async () => {
    const before = project.read("generated/contract.json");
    for (const text of ["{", "[]", '{"contractFormat":3}', '{"contractFormat":2}']) {
      project.write("generated/contract.json", text);
      const { code, stderr } = await callBylaw(project.root, ["rules"]);
      expect(code).toBe(2);
      expect(stderr).toContain("generated/contract.json is no contract of this version.");
    }
    project.write("generated/contract.json", before);
  });

  it("tells an unexpected error in one line, and where it happened only when asked", () => {
    const parts = ["questions", "errors", "scopes", "operations", "buckets", "reservedCodes"].map((p) => [p, []]);
    const odd = { contractFormat, rules: [null], ...Object.fromEntries(parts) };
    project.write("generated/contract.json", JSON.stringify(odd));
    const { code, stderr } = runBylaw(project.root, ["rules"], { BYLAW_DEBUG: "" });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: [^\n]+\n[^\n]+BYLAW_DEBUG=1 shows where it happened\.\n$/);
    expect(runBylaw(project.root, ["rules"], { BYLAW_DEBUG: "1" }).stderr).toContain("\n    at ");
  });
});
