import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Contract, contractFormat } from "../../compiler/contract.ts";
import { validatorFor } from "../../compiler/schema/validator.ts";
import { scratchProject, soundSpec, withReplaced } from "../../compiler/scratch-project.ts";
import { callBylaw } from "../call-bylaw.ts";
import { jsonReportSchema } from "../diff/json-report-schema.ts";

const project = scratchProject();
const git = (...args: readonly string[]): void => {
  const who = ["-c", "user.name=A", "-c", "user.email=a@example.invalid", "-c", "init.defaultBranch=main"];
  execFileSync("git", [...who, ...args], { cwd: project.root, stdio: "ignore" });
};
const run = (...args: readonly string[]) => callBylaw(project.root, ["diff", ...args]);

/** The committed contract, and a working tree that lowers a limit and asks for more. */
beforeAll(async () => {
  await callBylaw(project.root, ["compile"]);
  git("init");
  git("add", ".");
  git("commit", "-m", "Begin");
  git("tag", "v1");
  project.write(
    "spec/main.tsp",
    withReplaced(soundSpec, [
      ["capacity: 5", "capacity: 3"],
      ["limit?: int32 = 10", "limit?: int32 = 20"],
      ['  @pattern("^[a-z]+$")\n', '  @pattern("^[a-z]+$") @maxLength(20)\n'],
    ]),
  );
});
afterAll(() => project.remove());

describe("a working tree against a commit", () => {
  it("names what breaks, why, and where, and exits 1", async () => {
    const { code, stdout, stderr } = await run("v1");
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toContain("The limit makes admits less (5 in 60 s → 3 in 60 s)");
    expect(stdout).toMatch(/limit-tightened {2}\/buckets\/makes {2}spec\/main\.tsp:19:3/);
    expect(stdout).toMatch(
      /maxLength 20 added in the request body at \/name: [^\n]+\n +\{[^\n]+ is valid in base, refused by "maxLength" at \/name in head/,
    );
    expect(stdout).toMatch(/default-changed/);
    expect(stdout).toMatch(/^✘ Fails: .* breaking.*, \d+ risky.*, \d+ safe.*\. Exit code 1 \(--fail-on breaking\)\.$/m);
  });

  it("exits 0 when nothing is to fail, and when nothing changed", async () => {
    expect((await run("v1", "--fail-on", "none")).code).toBe(0);
    expect(await run("generated/contract.json", "v1")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("no change"),
    });
  });

  it("gives JSON that its schema describes", async () => {
    const { stdout } = await run("v1", "--format", "json");
    const report: unknown = JSON.parse(stdout);
    expect(validatorFor({}).compile(jsonReportSchema)(report)).toEqual([]);
    expect(report).toMatchObject({ format: 1, exitCode: 1, extent: "contract" });
  });

  it("gives annotations, Markdown, SARIF and JUnit", async () => {
    expect((await run("v1", "--format", "github")).stdout).toMatch(
      /^::error file=spec\/main\.tsp,line=\d+,col=\d+,title=[\w-]+/m,
    );
    expect((await run("v1", "--format", "markdown")).stdout).toMatch(
      /^## ❌ Contract: fails, \d+ breaking[\s\S]+### Breaking/,
    );
    expect(JSON.parse((await run("v1", "--format", "sarif")).stdout)).toMatchObject({ version: "2.1.0", runs: [{}] });
    expect((await run("v1", "--format", "junit")).stdout).toMatch(/<failure message="[^"]+" type="breaking">/);
  });
});

it("compares with a contract of the format before this one, of which nothing is gone", async () => {
  const path = join(project.root, "generated/contract.json");
  const contract = JSON.parse(readFileSync(path, "utf8")) as Contract;
  const rules = contract.rules.map(({ demands: _demands, ...rule }) => rule);
  const older = { ...contract, contractFormat: contractFormat - 1, rules };
  project.write("older/contract.json", JSON.stringify(older));
  expect(await run("older/contract.json", "generated/contract.json")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("no change"),
  });
  expect((await run("older/contract.json")).stdout).toContain("limit-tightened");
});

it("compares OpenAPI documents, and says that it compares no more", async () => {
  const { code, stdout } = await run("generated/openapi.yaml", "spec");
  expect(code).toBe(1);
  expect(stdout).toMatch(/request-body-narrowed[\s\S]+One side is an OpenAPI document: /);
  expect(stdout).not.toContain("limit-tightened");
});

it("compares a document with itself as it was committed, with the files it refers to", async () => {
  project.write(
    "docs/api.yaml",
    `openapi: 3.1.0
info: { title: A, version: 1.0.0 }
paths:
  /a:
    get:
      parameters:
        - { name: n, in: query, schema: { $ref: shapes.json#/Name } }
      responses: { "200": { description: It. } }
`,
  );
  project.write("docs/shapes.json", '{ "Name": { "type": "string" } }');
  git("add", "docs");
  git("commit", "-m", "Document", "docs");
  git("tag", "v3");
  project.write("docs/shapes.json", '{ "Name": { "type": "string", "maxLength": 3 } }');
  const { code, stdout } = await run("v3:docs/api.yaml", "docs/api.yaml");
  expect(code).toBe(1);
  expect(stdout).toMatch(/^[\s\S]+parameter-narrowed[\s\S]+v3:docs\/api\.yaml → docs\/api\.yaml: 1 breaking/);
  expect(await run("v3:docs/none.yaml", "docs/api.yaml")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("This commit has no docs/none.yaml"),
  });
  expect((await run("v3:../../etc/passwd", "docs/api.yaml")).stderr).toContain("This commit has no");
  const broken = await run("v3:docs/shapes.json", "docs/api.yaml");
  expect(broken.stderr).toContain("v3:docs/shapes.json");
  expect(broken.stderr).not.toContain("bylaw-tree-");
});

it("marks the line of the nullable by which null comes, with and without a type beside it", async () => {
  const api = (nullable: string): string => `openapi: 3.0.3
info: { title: A, version: 1.0.0 }
paths:
  /a:
    get:
      responses:
        "200":
          description: It.
          content:
            application/json:
              schema:
                type: object
                properties:
                  named:
                    type: string${nullable}
                  alone:
                    allOf: [{ type: object }]${nullable}
`;
  project.write("plain.yaml", api(""));
  project.write("nullable.yaml", api("\n                    nullable: true"));
  const { stdout } = await run("plain.yaml", "nullable.yaml");
  expect(stdout.match(/^ +[-+] .*$/gm)?.map((line) => line.trim())).toEqual([
    "- plain.yaml:15  type: string",
    "+ nullable.yaml:16  nullable: true",
    "- plain.yaml:17  allOf: [{ type: object }]",
    "+ nullable.yaml:19  nullable: true",
  ]);
  const back = await run("nullable.yaml", "plain.yaml", "--all-places");
  expect(back.stdout).toContain("- nullable.yaml:19  nullable: true");
  const letter = await run("plain.yaml", "nullable.yaml", "--strict");
  expect(letter.stdout).not.toContain("nullable.yaml:19");
});

describe("a side that cannot be read is said, with what to do, and exit code 2", () => {
  const folder = mkdtempSync(join(tmpdir(), "bylaw-sides-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  const sides: readonly (readonly [string, () => string, RegExp])[] = [
    [
      "an unknown ref",
      () => "v2",
      /git knows no such commit\.\n {2}Correct the name, or fetch it: git fetch origin v2/,
    ],
    [
      "a URL",
      () => "https://api.example/openapi.yaml",
      /A URL is read with --allow-network only[\s\S]+Add it, or fetch the document first/,
    ],
    ["a folder with nothing", () => folder, /This folder holds no contract/],
    [
      "another contract format",
      () => file("contract.json", '{"contractFormat":9}'),
      new RegExp(
        `contract format 9; this bylaw reads format ${contractFormat} and the one before\\.\\n {2}Compile it again[^]+openapi\\.yaml`,
      ),
    ],
    ["half a contract", () => file("half.json", JSON.stringify({ contractFormat })), /"services" is missing/],
    ["Swagger 2", () => file("two.yaml", "swagger: '2.0'\n"), /Swagger 2\.0[\s\S]+Convert it to OpenAPI/],
    ["what is no document", () => file("text.txt", "hello"), /This is no OpenAPI document/],
    ["a broken spec", () => file("broken.tsp", "model {"), /broken\.tsp cannot be read/],
  ];

  it.each(sides)("%s", async (_, side, message) => {
    const { code, stdout, stderr } = await run(side());
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it("a commit without a contract", async () => {
    git("rm", "--cached", "generated/contract.json");
    git("commit", "-m", "Forget");
    expect(await run("HEAD")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("This commit has no readable generated/contract.json"),
    });
  });

  it("a shallow clone", async () => {
    const clone = join(folder, "clone");
    execFileSync("git", ["clone", "--depth=1", `file://${project.root}`, clone], { stdio: "ignore" });
    const { code, stderr } = await callBylaw(clone, ["diff", "v1"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/this shallow clone has no such commit\.\n {2}Fetch it: git fetch --unshallow/);
  });
});
