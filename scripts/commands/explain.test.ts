import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scratchProject } from "../../compiler/scratch-project.ts";
import { apiOperations } from "../../conformance/context/for-each-operation.ts";
import { callBylaw } from "../call-bylaw.ts";

const root = join(import.meta.dirname, "../..");
const project = scratchProject();
beforeAll(async () => {
  expect((await callBylaw(project.root, ["compile"])).code).toBe(0);
});
afterAll(project.remove);

const explain = (...args: readonly string[]) => callBylaw(project.root, ["explain", ...args]);
const lineOf = (text: string): number =>
  project
    .read("spec/main.tsp")
    .split("\n")
    .findIndex((line) => line.includes(text)) + 1;

describe("bylaw explain", () => {
  it("explains a rule: sentence, level, basis, questions with tolerated answers, place and checks", async () => {
    expect((await explain("wid-01")).stdout).toBe(`WID-01 (must)
  A widget that does not exist gives 404 \`MISSING\`.

  about      getWidget, GET /widgets/{id}
  basis      explicit: the API document says so
  question   Q1: Whether a deleted widget is missing.
  tolerated  yes (the reference); or no
  place      spec/main.tsp:${lineOf('"WID-01"')}
  checks     none yet
`);
  });

  it.each([
    ["Q1", "Q1 (open question, observable)", "rules      WID-01"],
    ["MISSING", "Missing (error row)", "404 MISSING: there is no such widget."],
    ["TooMany", "TooMany (error row)", "headers  Retry-After"],
    ["widgets:write", "widgets:write (scope)", "Needed by makeWidget."],
    ["makes", "makes (bucket)", "5, filled in 60 seconds; one unit is a request"],
    ["makeWidget", "makeWidget (operation of the API)", "POST /widgets"],
  ])("explains %s", async (name, title, line) => {
    const { code, stdout } = await explain(name);
    expect(code).toBe(0);
    expect(stdout.startsWith(`${title}\n`)).toBe(true);
    expect(stdout).toContain(line);
  });

  it("points at the line of an operation, a row, a bucket and a question", async () => {
    expect((await explain("makeWidget")).stdout).toContain(`spec/main.tsp:${lineOf("makeWidget(")}\n`);
    expect((await explain("TooMany")).stdout).toContain(`spec/main.tsp:${lineOf("model TooMany")}\n`);
    expect((await explain("makes")).stdout).toContain(`spec/main.tsp:${lineOf("  makes,")}\n`);
    expect((await explain("Q1")).stdout).toContain(`spec/main.tsp:${lineOf('"Q1", #{')}\n`);
  });

  it("tells which checks decide rules over many operations, and which of these bind an operation", async () => {
    const own = async (name: string): Promise<string> => (await callBylaw(root, ["explain", name])).stdout;
    const count = apiOperations.length;
    expect(await own("AUTH-01")).toContain(`authentication.callers, at each of ${count} operations`);
    expect(await own("replayDelivery")).toMatch(
      /checked by\s+authentication\.scopes\.replayDelivery: AUTH-12, AUTH-14, AUTH-15/,
    );
  });

  it("tells of an operation what it still lacks, and where the rest stands", async () => {
    const { stdout } = await callBylaw(root, ["explain", "rotateEndpointSecret"]);
    expect(stdout).toMatch(/^ {2}handler +done, reference-server\/routes\/webhooks\.ts:\d+$/m);
    expect(stdout).toMatch(/^ {2}sound input +done, conformance\/steps\/sound-inputs\/webhooks\.ts:\d+$/m);
    expect(stdout).toMatch(/^ {2}example +done, spec\/webhooks\.examples\.tsp:\d+$/m);
    expect(stdout).toMatch(/^ {2}second entry +done, spec\/document\/webhooks\.ts:\d+$/m);
    expect(stdout).toMatch(/^ {2}checks +done, \d+ made from its facts/m);
    expect(stdout).not.toContain("missing");
    const bare = (await explain("makeWidget")).stdout;
    expect(bare).toContain("missing: makeWidget in reference-server/routes/");
    expect(bare).toContain("missing: makeWidget in conformance/steps/sound-inputs/");
  });

  it("explains the kit's own contract where no project is, without a word on standard error", async () => {
    const { code, stdout, stderr } = await callBylaw(tmpdir(), ["explain", "KEYC-15"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^KEYC-15 \(must\)\n[\s\S]+ {2}place {6}\S*spec\/[\w.-]+:\d+\n/);
    const rules = await callBylaw(tmpdir(), ["rules"]);
    expect([rules.code, rules.stderr]).toEqual([0, ""]);
  });

  it("puts JSON alone on standard output", async () => {
    const { stdout, stderr } = await explain("WID-01", "--format", "json");
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toMatchObject({ kind: "rule", rule: { id: "WID-01" }, checks: [] });
  });

  it("suggests a name that is near", async () => {
    const { code, stdout, stderr } = await explain("WID-91");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(
      '"WID-91" is no rule, question, option, error, scope, bucket, operation or check. Did you mean "WID-01"?',
    );
  });
});
