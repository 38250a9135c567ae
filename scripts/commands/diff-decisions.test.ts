import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { scratchProject, soundSpec, withReplaced } from "../../compiler/scratch-project.ts";
import { callBylaw } from "../call-bylaw.ts";

const project = scratchProject();
const git = (...args: readonly string[]): void => {
  const who = ["-c", "user.name=A", "-c", "user.email=a@example.invalid", "-c", "init.defaultBranch=main"];
  execFileSync("git", [...who, ...args], { cwd: project.root, stdio: "ignore" });
};
const run = (...args: readonly string[]) => callBylaw(project.root, ["diff", "v1", ...args]);

const file = ".bylaw/accepted-changes.yaml";

/** One limit lowered, which breaks, and an operation with its rule gone. */
const lowered = withReplaced(soundSpec, [["capacity: 5", "capacity: 3"]]);

/** The file that accepts it, as it is printed, with a decision. */
async function accepting(expires: string): Promise<string> {
  const { stdout } = await run("--print-acceptances", "--accepted", "severities.yaml");
  return stdout
    .replace('reason: ""', "reason: Few draw so much.")
    .replace('owner: ""', "owner: team-widgets")
    .replace(/expires: .*/, `expires: ${expires}`);
}

beforeAll(async () => {
  await callBylaw(project.root, ["compile"]);
  git("init");
  git("add", ".");
  git("commit", "-m", "Begin");
  git("tag", "v1");
  project.write("spec/main.tsp", lowered);
  project.write("severities.yaml", "severities: []\n");
});
afterEach(() => project.write(file, ""));
afterAll(() => project.remove());

describe("accepted changes", () => {
  it("printed, given reason and owner, and put into the file, make the comparison pass", async () => {
    const printed = await run("--print-acceptances");
    expect(printed).toMatchObject({ code: 1, stderr: "" });
    project.write(file, printed.stdout);
    expect(await run()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('/accepted/0/reason: "reason" is empty'),
    });
    const filled = printed.stdout.replace('reason: ""', "reason: Few draw so much.").replace('owner: ""', "owner: us");
    project.write(file, filled);
    const { code, stdout } = await run();
    expect(code).toBe(0);
    expect(stdout).toMatch(/accepted by us until \d{4}-\d\d-\d\d \(\.bylaw\/accepted-changes\.yaml:4:5\): Few draw/);
    expect(stdout).toContain("1 breaking (1 accepted)");
  });

  it("count no longer once they have expired, which is said", async () => {
    project.write(file, await accepting("2020-01-31"));
    const { code, stdout } = await run();
    expect(code).toBe(1);
    expect(stdout).toContain("EXPIRED: the acceptance by team-widgets ended with 2020-01-31");
  });

  it("fail where nobody made their edit, or where the edit became another", async () => {
    const entries = await accepting("2999-01-31");
    project.write("accepted.yaml", entries.replace("- /buckets/makes", "- /buckets/made"));
    const misplaced = await run("--accepted", "accepted.yaml");
    expect(misplaced.code).toBe(1);
    expect(misplaced.stdout).toMatch(
      /Stale acceptance: accepted\.yaml:4:5: nobody made the edit [^\n]+ at \/buckets\/made\./,
    );
    // The edit of a limit has no values of its own: both limits count.
    project.write("accepted.yaml", entries);
    project.write("spec/main.tsp", withReplaced(soundSpec, [["capacity: 5", "capacity: 2"]]));
    const lower = await run("--accepted", "accepted.yaml");
    project.write("spec/main.tsp", lowered);
    expect(lower.code).toBe(1);
    expect(lower.stdout).toContain("Stale acceptance: accepted.yaml:4:5");
    expect(lower.stdout).toContain("Not accepted: 1 change");
  });

  it("are found in a folder above, up to the root of the repository", async () => {
    project.write(file, await accepting("2999-01-31"));
    project.write("docs/notes/a.txt", "");
    const inside = join(project.root, "docs/notes");
    const inFolder = (...args: readonly string[]) => callBylaw(inside, ["diff", "v1", ...args]);
    expect(await inFolder()).toMatchObject({ code: 0, stdout: expect.stringContaining("1 breaking (1 accepted)") });
    expect((await inFolder("--accepted", file)).code).toBe(0);
    expect(await inFolder("--accepted", "../accepted.yaml")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("There is no ../accepted.yaml"),
    });
  });

  it("are refused where they name a place and no edit, and printed again with their decisions", async () => {
    const former =
      "accepted:\n  - { id: limit-tightened, pointer: /buckets/makes, reason: Few draw so much., owner: us, expires: 2999-01-31 }\n";
    project.write(file, former);
    expect(await run()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /yaml:2:5: \/accepted\/0: This entry names a place and no edit[\s\S]+--print-acceptances/,
      ),
    });
    const { stdout, stderr } = await run("--print-acceptances");
    expect(stderr).toContain("This entry names a place and no edit");
    expect(stdout).toMatch(/reason: Few draw so much\.\n {4}owner: us\n {4}expires: 2999-01-31\n/);
    project.write(file, stdout);
    expect((await run()).code).toBe(0);
  });

  it("whose change was merged with them are only told, when that is asked", async () => {
    project.write(file, await accepting("2999-01-31"));
    project.write("generated/later.txt", "");
    git("add", "-f", file);
    git("commit", "-m", "Accept");
    const against = (...args: readonly string[]) => callBylaw(project.root, ["diff", "HEAD", "spec", ...args]);
    await callBylaw(project.root, ["compile"]);
    git("commit", "-am", "Lower");
    expect((await against()).code).toBe(1);
    const told = await against("--tolerate-merged");
    expect(told.code).toBe(0);
    expect(told.stdout).toContain("Spent acceptance: .bylaw/accepted-changes.yaml:4:5");
  });

  it.each([
    [
      "an unknown id",
      "accepted: [{ ids: [limit-tight] }]",
      /yaml:1:20: \/accepted\/0\/ids\/0: [\s\S]+Did you mean "limit-tightened"\?/,
    ],
    ["broken YAML", "accepted: {", /yaml:1:\d+: /],
  ])("that cannot be read give exit code 2: %s", async (_, text, message) => {
    project.write(file, text);
    const { code, stdout, stderr } = await run();
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });

  it("in a file that was named must be there", async () => {
    expect(await run("--accepted", "none.yaml")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("There is no none.yaml"),
    });
  });
});

describe("severities", () => {
  it("lower what breaks only with a reason, which the report shows", async () => {
    expect(await run("--severity", "limit-tightened=safe")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("only with a reason"),
    });
    project.write(file, "severities:\n  - { id: limit-tightened, verdict: safe, reason: Nobody draws so much. }\n");
    const { code, stdout } = await run();
    expect(code).toBe(0);
    expect(stdout).toContain("OVERRIDDEN: breaking → safe by .bylaw/accepted-changes.yaml:2:5: Nobody draws so much.");
    expect(stdout).toContain("OVERRIDDEN: 1 verdict of this report is the project's, not bylaw's.");
  });

  it("raise what is safe", async () => {
    project.write(
      "generated/contract.json",
      project.read("generated/contract.json").replaceAll(/"capacity": \d+/g, '"capacity": 9'),
    );
    expect((await callBylaw(project.root, ["diff", "v1", "generated/contract.json"])).code).toBe(0);
    expect(
      (
        await callBylaw(project.root, [
          "diff",
          "v1",
          "generated/contract.json",
          "--severity",
          "limit-loosened=breaking",
        ])
      ).code,
    ).toBe(1);
  });
});

it("a version that is too small fails when that is asked", async () => {
  project.write(file, await accepting("2999-01-31"));
  expect((await run()).code).toBe(0);
  const { code, stdout } = await run("--check-version");
  expect(code).toBe(1);
  expect(stdout).toContain("0.0.0 → 0.1.0 or later. The head declares 0.0.0, which is too small.");
});

it("reports go to files beside what is printed", async () => {
  await run("--report", "html=out/diff.html", "--report", "json=out/diff.json");
  expect(readFileSync(join(project.root, "out/diff.html"), "utf8")).toMatch(/^<!doctype html>/);
  expect(JSON.parse(project.read("out/diff.json"))).toMatchObject({ format: 1, version: { suggested: "0.1.0" } });
  expect(await run("--report", "pdf=a")).toMatchObject({ code: 2, stderr: expect.stringContaining("FORMAT=FILE") });
});

it("what a commit declared and the spec has no longer is shown where it stood, with its line", async () => {
  project.write(
    "spec/main.tsp",
    soundSpec
      .replace(/ {2}@get @route\("\{id\}"\)[^\n]+\n[^\n]+\n/, "")
      .replace(/@@(?:rule|question)[\s\S]*$/, "")
      .replace(/@error @errorRow\(#\{ when: "there is no[^\n]+\n[^\n]+\n/, ""),
  );
  const { stdout, stderr } = await run("--fail-on", "none", "--all-places");
  expect(stderr).toBe("");
  const lineOf = (text: string): number => soundSpec.split("\n").findIndex((line) => line.includes(text)) + 1;
  expect(stdout).toContain(`/api/paths/~1widgets~1{id}/get  spec/main.tsp:${lineOf("getWidget(")}:3`);
  expect(stdout).toContain(`/rules/WID-01  spec/main.tsp:${lineOf("@@rule(")}:1`);
  expect(stdout).toContain(`/questions/Q1  spec/main.tsp:${lineOf("@@question(")}:1`);
  expect(stdout).toContain(`/errors/Missing  spec/main.tsp:${lineOf("model Missing")}:1`);
});

it("without a base there is nothing to compare, but the schema can be printed", async () => {
  expect(await callBylaw(project.root, ["diff"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Name a base"),
  });
  expect(JSON.parse((await callBylaw(project.root, ["diff", "--print-schema"])).stdout)).toMatchObject({
    title: "Changes between two contracts",
  });
});
