import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { type ScratchProject, scratchProject, soundLock } from "../../compiler/scratch-project.ts";
import { callBylaw } from "../call-bylaw.ts";

const projects: ScratchProject[] = [];
const scratch = (...spec: Parameters<typeof scratchProject>): ScratchProject => {
  const project = scratchProject(...spec);
  projects.push(project);
  return project;
};
afterEach(() => {
  for (const project of projects.splice(0)) project.remove();
});

it("makes a lock that the lint accepts", async () => {
  const { root, read } = scratch([], null);
  const { code, stdout } = await callBylaw(root, ["lock"]);
  expect([code, stdout]).toEqual([0, "  added WID-01\n✔ spec/rules.lock is in line with the spec: 1 rule id.\n"]);
  expect(read("spec/rules.lock")).toMatch(/^# /);
  expect((await callBylaw(root, ["lint"])).code).toBe(0);
  expect((await callBylaw(root, ["lock"])).stdout).toBe("✔ spec/rules.lock is up to date: 1 rule id.\n");
});

it("retires a rule that is gone", async () => {
  const { root, read } = scratch([], `${soundLock}WID-02  Widgets are round.\n`);
  expect((await callBylaw(root, ["lock"])).stdout).toContain("  retired WID-02\n");
  expect(read("spec/rules.lock")).toBe(`${soundLock}WID-02  (retired) Widgets are round.\n`);
});

it("changes a sentence only when its id is named", async () => {
  const { root, read } = scratch([], "WID-01  Widgets are round.\n");
  const refused = await callBylaw(root, ["lock"]);
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain("error rule-meaning-changed: WID-01");
  expect(refused.stdout).toContain("✘ 1 error; spec/rules.lock is untouched.\n");
  expect(read("spec/rules.lock")).toBe("WID-01  Widgets are round.\n");
  expect((await callBylaw(root, ["lock", "--change", "WID-01"])).stdout).toContain("  changed WID-01\n");
  expect(read("spec/rules.lock")).toBe(soundLock);
});

it("does not take a retired id back, and does not know ids that no rule has", async () => {
  const { root } = scratch([], "WID-01  (retired) Widgets are round.\n");
  expect((await callBylaw(root, ["lock", "--change", "WID-01"])).code).toBe(1);
  const unknown = await callBylaw(root, ["lock", "--change", "WID-11"]);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('--change WID-11: The spec declares no such rule. Did you mean "WID-01"?');
});

it("does not touch a lock when the spec has errors, or when the lock cannot be read", async () => {
  const broken = scratch([["Page<Widget> | Unknown", "Page<Wdget> | Unknown"]]);
  expect((await callBylaw(broken.root, ["lock"])).code).toBe(1);
  const garbled = scratch([], "WID-01 one space\n");
  const { code, stdout } = await callBylaw(garbled.root, ["lock"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^spec\/rules\.lock:1:1 - error lock-line: /);
  expect(garbled.read("spec/rules.lock")).toBe("WID-01 one space\n");
});

it("keeps the ids that two branches added beside each other, and says which both took", async () => {
  const { root, read, write } = scratch();
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: root, stdio: "ignore" });
  const commit = (name: string, lock: string) => {
    git("checkout", "-q", "-B", name, "main");
    write("spec/rules.lock", lock);
    git("commit", "-q", "-a", "-m", name);
  };
  git("init", "-q", "-b", "main");
  write(".gitattributes", readFileSync(new URL("../../.gitattributes", import.meta.url), "utf8"));
  git("add", "-A");
  git("commit", "-q", "-m", "Begin");
  commit("one", `${soundLock}WID-02  (retired) Widgets are round.\n`);
  commit("other", `${soundLock}WID-02  (retired) Widgets are red.\nWID-03  (retired) Widgets are small.\n`);
  git("merge", "-q", "one");
  expect(read("spec/rules.lock").split("\n").toSorted().join("\n").trim()).toBe(
    `${soundLock}WID-02  (retired) Widgets are red.
WID-02  (retired) Widgets are round.
WID-03  (retired) Widgets are small.`,
  );
  const { code, stdout } = await callBylaw(root, ["lint"]);
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining("error lock-duplicate: WID-02 already stands on line 2."),
  ]);
});
