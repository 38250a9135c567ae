import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callBylaw } from "../call-bylaw.ts";
import { parseAcceptedChanges } from "../diff/parse-accepted-changes.ts";
import { type AnsweringBylaw, answerBylaw } from "./answer-bylaw.ts";
import { gitIn, runGate } from "./run-gate.ts";

const outside = mkdtempSync(join(tmpdir(), "bylaw-gate-of-documents-"));
const acceptedFile = ".bylaw/accepted-changes.yaml";

let bylaw: AnsweringBylaw;
let root = "";
let count = 0;

beforeAll(async () => {
  bylaw = await answerBylaw(outside);
});
afterAll(async () => {
  await bylaw.close();
  rmSync(outside, { recursive: true, force: true });
});

const git = (...args: readonly string[]): string => gitIn(root, ...args);
const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
};
const commit = (message: string): void => {
  git("add", "-A");
  git("commit", "-q", "--allow-empty", "-m", message);
};

const get = (path: string, maximum: number): string => `  ${path}:
    get:
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: ${maximum} } }
      responses: { "200": { description: It. } }
`;

/** A document of two operations, of which one has a parameter with a maximum. */
const api = (maximum: number, others: readonly string[] = ["/gadgets", "/tools"]): string =>
  `openapi: 3.1.0
info: { title: A, version: 1.0.0 }
paths:
${get("/widgets", maximum)}${others.map((path) => get(path, 7)).join("")}`;

const gate = (env: Readonly<Record<string, string>> = {}, folder = root, args: readonly string[] = []) =>
  runGate(
    folder,
    {
      ...{ BYLAW: bylaw.command, CONTRACT_BASE: "main", CONTRACT_OPENAPI: "openapi.yaml" },
      ...{ CONTRACT_REPORT: join(outside, "report"), ...env },
    },
    args,
  );

/** Gives each printed entry a reason and an owner. */
const filled = (printed: string, reason = "Nobody asks for more."): string =>
  printed.replaceAll('reason: ""', `reason: ${reason}`).replaceAll('owner: ""', "owner: team-widgets");

async function printed(base = "main:openapi.yaml"): Promise<string> {
  const { stdout } = await callBylaw(root, ["diff", base, "openapi.yaml", "--print-acceptances"]);
  return stdout;
}

/** A pull request that lowers the maximum, with its acceptance. */
async function lower(branch: string, maximum: number, reason?: string): Promise<void> {
  git("checkout", "-q", "-b", branch, "main");
  write("openapi.yaml", api(maximum));
  write(acceptedFile, filled(await printed(), reason));
  commit(branch);
}

const merge = (branch: string): void => {
  git("checkout", "-q", "main");
  git("merge", "-q", "--no-ff", "-m", `Merge ${branch}`, branch);
};

beforeEach(() => {
  count += 1;
  root = join(outside, `repository-${count}`);
  gitIn(outside, "init", "-q", root);
  write("openapi.yaml", api(100));
  commit("Begin");
});

describe("an acceptance", () => {
  it("accepts the edit in whose pull request it stands, and once merged no later edit of the same place", async () => {
    await lower("to-50", 50);
    expect(await gate()).toMatchObject({ code: 0, out: expect.stringContaining("1 breaking (1 accepted)") });
    merge("to-50");
    git("checkout", "-q", "-b", "to-10");
    write("openapi.yaml", api(10));
    commit("to-10");
    const { code, out } = await gate();
    expect([code, out]).toEqual([1, expect.stringContaining("Not accepted: 1 change")]);
    expect(out).not.toContain("accepted by team-widgets");
  });

  it("does not accept what its own pull request makes of the edit later", async () => {
    await lower("to-50", 50);
    write("openapi.yaml", api(10));
    commit("Lower further");
    const { code, out } = await gate();
    expect([code, out]).toEqual([1, expect.stringContaining("Not accepted: 1 change")]);
  });

  it("accepts nothing once the base has it, even where the same edit is made again, until somebody decides again", async () => {
    await lower("to-50", 50);
    merge("to-50");
    write("openapi.yaml", api(100));
    commit("Raise again");
    git("checkout", "-q", "-b", "again");
    write("openapi.yaml", api(50));
    commit("Lower again");
    expect((await gate()).code).toBe(1);
    write(acceptedFile, filled(await printed(), "The same reason holds this year."));
    commit("Accept again");
    expect(await gate()).toMatchObject({ code: 0, out: expect.stringContaining("1 breaking (1 accepted)") });
  });
});

it("refuses entries that name a place and no edit, and prints them again with their decisions", async () => {
  git("checkout", "-q", "-b", "to-50");
  write("openapi.yaml", api(50));
  write(
    acceptedFile,
    `accepted:
  - id: parameter-narrowed
    operation: GET /widgets
    pointer: /paths/~1widgets/get/parameters/query:limit/schema
    reason: Nobody asks for more.
    owner: team-widgets
    expires: 2999-12-31
`,
  );
  commit("to-50");
  expect(await gate()).toMatchObject({
    code: 2,
    out: expect.stringMatching(/accepted-changes\.yaml:2:5: [^\n]+names a place and no edit[\s\S]+--print-acceptances/),
  });
  const { stdout } = await gate({}, root, ["--print-acceptances"]);
  write(acceptedFile, stdout);
  expect(await gate()).toMatchObject({
    code: 0,
    out: expect.stringContaining("accepted by team-widgets until 2999-12-31"),
  });
});

describe("a document that the base does not have", () => {
  it("is the first where the head has it and no other went: green", async () => {
    git("checkout", "-q", "-b", "second");
    write("gadgets.yaml", api(3));
    commit("A second document");
    const { code, out } = await gate({ CONTRACT_OPENAPI: "gadgets.yaml" });
    expect([code, out]).toEqual([0, expect.stringContaining("this is the first contract")]);
  });

  it("and the head does not have either is a mistyped path: exit code 2, with the documents that there are", async () => {
    git("checkout", "-q", "-b", "mistyped");
    write("openapi.yaml", api(10));
    commit("Lower");
    const { code, out } = await gate({ CONTRACT_OPENAPI: "opeanpi.yaml" });
    expect([code, out]).toEqual([2, expect.stringMatching(/There is no opeanpi\.yaml[^\n]+openapi\.yaml/)]);
    expect(out).not.toContain("first contract");
  });

  it("and that is not committed would never be compared: exit code 2", async () => {
    git("checkout", "-q", "-b", "generated");
    write(".gitignore", "built.yaml\n");
    commit("Ignore");
    write("built.yaml", api(100));
    expect(await gate({ CONTRACT_OPENAPI: "built.yaml" })).toMatchObject({
      code: 2,
      out: expect.stringMatching(/built\.yaml is not committed/),
    });
  });

  it("but was moved is compared with where it was", async () => {
    git("checkout", "-q", "-b", "moved");
    git("rm", "-q", "openapi.yaml");
    write("api/openapi.yaml", api(100, ["/gadgets"]));
    commit("Move, and drop an operation");
    const { code, out } = await gate({ CONTRACT_OPENAPI: "api/openapi.yaml" });
    expect([code, out]).toEqual([1, expect.stringContaining("operation-removed")]);
    expect(out).toContain("api/openapi.yaml was openapi.yaml in the base");
  });

  it("while another went can't be judged until its former place is named: exit code 2", async () => {
    git("checkout", "-q", "-b", "rewritten");
    git("rm", "-q", "openapi.yaml");
    write("api/openapi.json", JSON.stringify({ openapi: "3.1.0", info: { title: "A", version: "2.0.0" }, paths: {} }));
    commit("Move and rewrite");
    const env = { CONTRACT_OPENAPI: "api/openapi.json" };
    const { code, out } = await gate(env);
    expect([code, out]).toEqual([2, expect.stringMatching(/openapi\.yaml[^\n]+CONTRACT_BASE_DOCUMENT/)]);
    expect(await gate({ ...env, CONTRACT_BASE_DOCUMENT: "openapi.yaml" })).toMatchObject({
      code: 1,
      out: expect.stringContaining("operation-removed"),
    });
    expect(await gate({ ...env, CONTRACT_BASE_DOCUMENT: "opeanpi.yaml" })).toMatchObject({
      code: 2,
      out: expect.stringContaining("has no opeanpi.yaml"),
    });
    expect((await gate({ ...env, CONTRACT_BASE_DOCUMENT: "none" })).code).toBe(0);
  });

  it("is compared with where it was although a setting says that it is the first", async () => {
    git("checkout", "-q", "-b", "moved");
    git("rm", "-q", "openapi.yaml");
    write("api/openapi.yaml", api(100, ["/gadgets"]));
    commit("Move, and drop an operation");
    const env = { CONTRACT_OPENAPI: "api/openapi.yaml", CONTRACT_BASE_DOCUMENT: "none" };
    expect((await gate(env)).code).toBe(1);
    merge("moved");
    expect(await gate(env)).toMatchObject({ code: 0, out: expect.stringContaining("has no effect") });
  });

  it("is found by its path from the root, however that is written, and in any folder", async () => {
    git("checkout", "-q", "-b", "written");
    mkdirSync(join(root, "docs"));
    write("openapi.yaml", api(10));
    commit("Lower");
    for (const path of ["./openapi.yaml", join(root, "openapi.yaml")]) {
      expect((await gate({ CONTRACT_OPENAPI: path }, join(root, "docs"))).code).toBe(1);
    }
  });
});

describe("entries for the file of accepted changes", () => {
  beforeEach(() => {
    git("checkout", "-q", "-b", "lower");
    write("openapi.yaml", api(10, ["/gadgets", "/tools"]).replaceAll("maximum: 7", "maximum: 5"));
    commit("Lower all");
    git("checkout", "-q", "main");
    write("openapi.yaml", api(100, ["/gadgets", "/tools", "/later"]));
    commit("Go on");
    git("checkout", "-q", "lower");
  });

  it("are printed alone, one for each edit, for the merge base", async () => {
    const { code, stdout, out } = await gate({}, root, ["--print-acceptances"]);
    expect(code).toBe(1);
    expect(out).not.toContain("later");
    expect(parseAcceptedChanges("a.yaml", filled(stdout))).toMatchObject({
      problems: [],
      changes: {
        accepted: [
          { from: [100], to: [10], at: [expect.stringContaining("widgets")] },
          { from: [7], to: [5], at: [expect.stringContaining("gadgets"), expect.stringContaining("tools")] },
        ],
      },
    });
    write(acceptedFile, filled(stdout));
    // From a folder within, the file is found above.
    mkdirSync(join(root, "docs"));
    expect(await gate({}, join(root, "docs"))).toMatchObject({
      code: 0,
      out: expect.stringContaining("2 breaking (2 accepted), 0 risky, 0 safe, at 3 places"),
    });
  });

  it("are the same from bylaw diff with the merge base", async () => {
    const args = ["--merge-base", "--print-acceptances"];
    const { stdout } = await callBylaw(root, ["diff", "main:openapi.yaml", "openapi.yaml", ...args]);
    expect(stdout).toBe((await gate({}, root, ["--print-acceptances"])).stdout);
    expect(await callBylaw(root, ["diff", "openapi.yaml", "openapi.yaml", ...args])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("names no commit"),
    });
    git("checkout", "-q", "--orphan", "unrelated");
    git("commit", "-q", "-m", "Begin");
    expect(await callBylaw(root, ["diff", "main:openapi.yaml", "openapi.yaml", ...args])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no common commit"),
    });
  });

  it("stand in the report, in the log and in the step summary of what fails", async () => {
    const summary = join(outside, "summary.md");
    writeFileSync(summary, "");
    const { out } = await gate({ GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary });
    const entries = readFileSync(join(outside, "report/accepted-changes.yaml"), "utf8");
    expect(parseAcceptedChanges("a.yaml", filled(entries)).changes.accepted).toHaveLength(2);
    expect(out).toContain(`::group::Entries for the file of accepted changes\n`);
    expect(out).toContain(entries);
    expect(readFileSync(summary, "utf8")).toContain(`\n~~~~~~yaml\n${entries}~~~~~~\n`);
  });

  it("say what is unknown among the arguments", async () => {
    expect(await gate({}, root, ["--print-acceptance"])).toMatchObject({
      code: 2,
      out: expect.stringContaining("--print-acceptances"),
    });
  });
});

it("a repository without a spec, in which no document is named, is exit code 2 with what to set", async () => {
  const { code, out } = await gate({ CONTRACT_OPENAPI: "" });
  expect(code).toBe(2);
  expect(out).toMatch(/CONTRACT_OPENAPI[^\n]+openapi\.yaml/);
  expect(out).not.toContain("first contract");
});
