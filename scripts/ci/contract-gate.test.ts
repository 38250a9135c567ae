import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileContract } from "../../compiler/compile.ts";
import { scratchProject, soundSpec, withReplaced } from "../../compiler/scratch-project.ts";
import { type AnsweringBylaw, answerBylaw } from "./answer-bylaw.ts";
import { gitIn, runGate } from "./run-gate.ts";

const project = scratchProject();
const outside = mkdtempSync(join(tmpdir(), "bylaw-gate-"));

const git = (...args: readonly string[]): string => gitIn(project.root, ...args);

/** The script with the command that it comes with. */
const gateAsItIs = (env: Readonly<Record<string, string>>, folder = project.root) =>
  runGate(folder, { CONTRACT_REPORT: join(outside, "report"), ...env });

let bylaw: AnsweringBylaw;

/** The script with a command that this process answers: each start of bylaw would read TypeSpec anew. */
const gate = (env: Readonly<Record<string, string>>, folder?: string) =>
  gateAsItIs({ BYLAW: bylaw.command, ...env }, folder);

type Piece = readonly [piece: string, by: string];

/** Compiles the spec in a folder, in this process: each start of the command would read TypeSpec anew. */
async function compile(root: string): Promise<void> {
  const entry = join(root, "spec/main.tsp");
  const outcome = await compileContract({ root, entry, outDir: join(root, "generated"), check: false });
  expect(outcome).toMatchObject({ kind: "compiled" });
}

/** A branch of main with an edited spec, compiled unless it is to have drifted. */
async function branch(name: string, pieces: readonly Piece[], compiled = true): Promise<void> {
  git("checkout", "-q", "-B", name, "main");
  project.write("spec/main.tsp", withReplaced(soundSpec, pieces));
  if (compiled) await compile(project.root);
  git("add", "-A");
  git("commit", "-q", "--allow-empty", "-m", name);
}

/** Commits the entries that the gate prints for what fails, with a decision. */
async function accept(expires: string): Promise<void> {
  const { code, stdout } = await runGate(project.root, { BYLAW: bylaw.command, CONTRACT_BASE: "main" }, [
    "--print-acceptances",
  ]);
  expect(code).toBe(1);
  const filled = stdout
    .replaceAll('reason: ""', "reason: Few draw so much.")
    .replaceAll('owner: ""', "owner: us")
    .replaceAll(/expires: .*/g, `expires: ${expires}`);
  project.write(".bylaw/accepted-changes.yaml", filled);
  git("add", "-A");
  git("commit", "-q", "-m", "Accept");
}

const tighter: readonly Piece[] = [["capacity: 5", "capacity: 3"]];

beforeAll(async () => {
  bylaw = await answerBylaw(outside);
  await compile(project.root);
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "Begin");
});
afterAll(async () => {
  await bylaw.close();
  project.remove();
  rmSync(outside, { recursive: true, force: true });
});

describe("the gate, on a branch that holds", () => {
  const against = { CONTRACT_BASE: "main" };

  it("a safe change: green", async () => {
    await branch("safe", [["capacity: 5", "capacity: 9"]]);
    const { code, out } = await gateAsItIs(against);
    expect([code, out]).toEqual([0, expect.stringContaining("0 breaking, 0 risky, 1 safe")]);
  });

  it("a risky change: green, or red when risky changes fail", async () => {
    await branch("risky", [
      [
        "getWidget(@path id: string): Answer<Widget> | Unknown | Denied",
        "getWidget(@path id: string): Answer<Widget> | Unknown | TooMany | Denied",
      ],
    ]);
    expect(await gate(against)).toMatchObject({ code: 0, out: expect.stringMatching(/0 breaking, [1-9] risky/) });
    expect((await gate({ ...against, CONTRACT_FAIL_ON: "risky" })).code).toBe(1);
  });

  it("a breaking change: red, with annotations and a step summary on GitHub", async () => {
    await branch("breaking", tighter);
    const summary = join(outside, "summary.md");
    writeFileSync(summary, "");
    const { code, out } = await gate({ ...against, GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary });
    expect(code).toBe(1);
    expect(out).toMatch(/^::error file=spec\/main\.tsp,line=\d+,col=\d+,title=limit-tightened::The limit makes/m);
    expect(readFileSync(summary, "utf8")).toMatch(
      /✅ compile --check[\s\S]+✅ lint[\s\S]+❌ Contract: fails, 1 breaking/,
    );
    expect(readFileSync(join(outside, "report/diff.html"), "utf8")).toContain("limit-tightened");
  });

  it("an accepted change: green", async () => {
    await branch("accepted", tighter);
    await accept("2999-12-31");
    expect(await gate(against)).toMatchObject({ code: 0, out: expect.stringContaining("1 breaking (1 accepted)") });
  });

  it("an acceptance that has expired: red", async () => {
    await branch("expired", tighter);
    await accept("2020-12-31");
    expect(await gate(against)).toMatchObject({ code: 1, out: expect.stringContaining("EXPIRED") });
  });

  it("an acceptance of nothing: red", async () => {
    await branch("stale", tighter);
    await accept("2999-12-31");
    project.write("spec/main.tsp", soundSpec);
    await compile(project.root);
    git("commit", "-q", "-a", "-m", "Undo");
    expect(await gate(against)).toMatchObject({ code: 1, out: expect.stringContaining("Stale acceptance") });
  });

  it("generated files that have drifted: red", async () => {
    await branch("drifted", [["capacity: 5", "capacity: 9"]], false);
    expect(await gate(against)).toMatchObject({ code: 1, out: expect.stringContaining("generated is stale") });
  });

  it("what lint refuses: red, annotated at its line", async () => {
    await branch("lint", [['@route("{id}") @scope(Scope.read)', '@route("{id}")']], false);
    const { code, out } = await gate({ ...against, GITHUB_ACTIONS: "true" });
    expect(code).toBe(1);
    expect(out).toMatch(/^::error file=spec\/main\.tsp,line=\d+,col=\d+,title=[\w%-]+::/m);
  });
});

describe("the gate, in a clone", () => {
  const cloned = (name: string, from: string, ...args: readonly string[]): string => {
    const folder = join(outside, name);
    gitIn(outside, "clone", "-q", ...args, "--branch", from, `file://${project.root}`, folder);
    return folder;
  };

  it("deepens a shallow one until the merge base is there, and compares with that, not with the branch's tip", async () => {
    await branch("behind", [["capacity: 5", "capacity: 9"]]);
    git("checkout", "-q", "main");
    project.write("spec/main.tsp", withReplaced(soundSpec, [["limit?: int32 = 10", "limit?: int32 = 20"]]));
    await compile(project.root);
    git("commit", "-q", "-a", "-m", "Go on");
    const folder = cloned("shallow", "behind", "--depth=1");
    const { code, out } = await gate({ GITHUB_BASE_REF: "main" }, folder);
    expect(out).toContain("Deepening");
    expect([code, out]).toEqual([0, expect.stringContaining("0 breaking, 0 risky, 1 safe")]);
    git("reset", "-q", "--hard", "HEAD^");
  });

  it("says how, when there is no merge base, and exits 2", async () => {
    expect(await gate({ CONTRACT_BASE: "origin/none" }, cloned("lone", "safe"))).toMatchObject({
      code: 2,
      out: expect.stringContaining("fetch-depth: 0"),
    });
  });

  it("has nothing to compare with where the base has no contract yet, and says so", async () => {
    const folder = cloned("first", "main");
    gitIn(folder, "rm", "-q", "-r", "generated");
    gitIn(folder, "commit", "-q", "-m", "None yet");
    gitIn(folder, "tag", "none");
    await compile(folder);
    expect(await gate({ CONTRACT_BASE: "none" }, folder)).toMatchObject({
      code: 2,
      out: expect.stringContaining("generated/contract.json is not committed"),
    });
    gitIn(folder, "add", "-A");
    gitIn(folder, "commit", "-q", "-m", "The first");
    expect(await gate({ CONTRACT_BASE: "none" }, folder)).toMatchObject({
      code: 0,
      out: expect.stringContaining("this is the first contract"),
    });
  });
});

it("compares a contract that was moved within the change with where it was", async () => {
  await branch("moved", tighter);
  git("mv", "generated/contract.json", "generated/former.json");
  git("commit", "-q", "-m", "Move it away");
  git("checkout", "-q", "-b", "back");
  git("mv", "generated/former.json", "generated/contract.json");
  project.write("spec/main.tsp", withReplaced(soundSpec, [["capacity: 5", "capacity: 2"]]));
  await compile(project.root);
  git("add", "-A");
  git("commit", "-q", "-m", "Move it back, and lower the limit");
  const { code, out } = await gate({ CONTRACT_BASE: "moved" });
  expect([code, out]).toEqual([1, expect.stringContaining("limit-tightened")]);
  expect(out).toContain("generated/contract.json was generated/former.json in the base");
});

describe("the gate, where a server is to be verified", () => {
  const openapi = "openapi: 3.1.0\ninfo: { title: A, version: 1.0.0 }\npaths: {}\n";
  const folder = join(outside, "stranger");
  const event = join(outside, "event.json");
  const env = { CONTRACT_OPENAPI: "docs/api.yaml", CONTRACT_BASE: "HEAD", CONTRACT_VERIFY: "https://a.invalid" };
  const pullFrom = (repository: string): void =>
    writeFileSync(
      event,
      JSON.stringify({
        pull_request: { head: { repo: { full_name: repository } }, base: { repo: { full_name: "o/r" } } },
      }),
    );

  beforeAll(() => {
    gitIn(outside, "init", "-q", folder);
    execFileSync("mkdir", ["-p", join(folder, "docs")]);
    writeFileSync(join(folder, "docs/api.yaml"), openapi);
    gitIn(folder, "add", "-A");
    gitIn(folder, "commit", "-q", "-m", "Begin");
  });

  it("leaves that out for a pull request from a fork, which has no secrets, and stays green", async () => {
    pullFrom("someone/r");
    const { code, out } = await gate({ ...env, GITHUB_ACTIONS: "true", GITHUB_EVENT_PATH: event }, folder);
    expect([code, out]).toEqual([0, expect.stringContaining("::notice title=Contract gate::verify is left out")]);
    expect(out).toContain("Passes: no change between");
  });

  it("is not let off in the project itself, and exits 2", async () => {
    pullFrom("o/r");
    expect(await gate({ ...env, GITHUB_EVENT_PATH: event }, folder)).toMatchObject({
      code: 2,
      out: expect.stringContaining("BYLAW_API_KEY"),
    });
  });
});
