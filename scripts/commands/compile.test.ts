import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type ScratchProject, scratchProject, soundSpec } from "../../compiler/scratch-project.ts";
import { callBylaw } from "../call-bylaw.ts";
import { launcher } from "../run-bylaw.ts";

const projects: ScratchProject[] = [];
const scratch = (...spec: Parameters<typeof scratchProject>): ScratchProject => {
  const project = scratchProject(...spec);
  projects.push(project);
  return project;
};
afterEach(() => {
  for (const project of projects.splice(0)) project.remove();
});

describe("bylaw compile", () => {
  it("writes generated/, from any folder of the project, and then finds it up to date", async () => {
    const { root } = scratch();
    const first = await callBylaw(join(root, "spec"), ["compile"]);
    expect([first.code, first.stderr]).toEqual([0, ""]);
    expect(first.stdout).toContain("../generated/contract.json added");
    expect((await callBylaw(root, ["compile"])).stdout).toMatch(/^✔ generated is up to date: \d+ files, 1 rule\.\n$/);
    expect((await callBylaw(root, ["compile", "--check"])).code).toBe(0);
  });

  it("prints a spec's errors with place, code, lines and fix, exits 1 and leaves generated/ untouched", async () => {
    const { root, write, read } = scratch([["Page<Widget> | Unknown | Denied", "Page<Widget> | Unknown"]]);
    write("generated/contract.json", "before");
    const { code, stdout, stderr } = await callBylaw(root, ["compile"]);
    expect([code, stderr]).toEqual([1, ""]);
    const line = soundSpec.slice(0, soundSpec.indexOf("/** Lists widgets. */")).split("\n").length;
    expect(
      stdout,
    ).toBe(`spec/main.tsp:${line}:3 - error scope-without-denial: GET /widgets (listWidgets) needs the scope widgets:read but documents no 403 for a caller without the scope.
  ${line - 2} | @route("/widgets")
  ${line - 1} | interface WidgetStore {
> ${line} |   /** Lists widgets. */
     |   ^
  ${line + 1} |   @get @list @scope(Scope.read)
  ${line + 2} |   listWidgets(@query @pageSize @minValue(1) @maxValue(50) limit?: int32 = 10): Page<Widget> | Unknown;
  fix: Add the error row with status 403 to its return type.

✘ 1 error; generated is untouched.
`);
    expect(readdirSync(join(root, "generated"))).toEqual(["contract.json"]);
    expect(read("generated/contract.json")).toBe("before");
  });

  it("prints errors of TypeSpec itself in the same way", async () => {
    const { root } = scratch([["Page<Widget> | Unknown", "Page<Wdget> | Unknown"]]);
    const { code, stdout } = await callBylaw(root, ["compile", "--check"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^spec\/main\.tsp:\d+:\d+ - error invalid-ref: Unknown identifier Wdget\n/);
    expect(existsSync(join(root, "generated"))).toBe(false);
  });

  it("keeps the list of a spec's files, where the project has one", async () => {
    const { root, write, read } = scratch();
    expect(existsSync(join(root, "spec/all.tsp"))).toBe(false);
    write("spec/all.tsp", "");
    write("spec/sprockets.tsp", 'import "./main.tsp";\n');
    expect((await callBylaw(root, ["compile"])).stdout).toContain("  spec/all.tsp updated\n");
    expect(read("spec/all.tsp")).toContain('\nimport "./sprockets.tsp";\n');
    expect((await callBylaw(root, ["compile", "--check"])).code).toBe(0);
    write("spec/gears.tsp", 'import "./main.tsp";\n');
    const { code, stdout } = await callBylaw(root, ["compile", "--check"]);
    expect([code, stdout]).toEqual([1, expect.stringContaining("  spec/all.tsp is stale\n")]);
    expect(read("spec/all.tsp")).not.toContain("gears");
  });

  it("names each file that is missing, stale or superfluous, exits 1 and writes nothing with --check", async () => {
    const { root, write, read } = scratch();
    expect((await callBylaw(root, ["compile"])).code).toBe(0);
    write("generated/limits.ts", "stale");
    write("generated/surplus.ts", "surplus");
    write("spec/main.tsp", soundSpec.replaceAll("interface WidgetStore", '@tag("x")\ninterface WidgetStore'));
    const { code, stdout } = await callBylaw(root, ["compile", "--check"]);
    expect(code).toBe(1);
    expect(stdout).toContain("  generated/limits.ts is stale\n");
    expect(stdout).toContain("  generated/openapi.yaml is stale\n");
    expect(stdout).toContain("  generated/surplus.ts is superfluous\n");
    expect(stdout).toMatch(/✘ generated is stale: \d+ files of \d+ differ\. Run "npx bylaw compile"/);
    expect(read("generated/limits.ts")).toBe("stale");
    expect((await callBylaw(root, ["compile"])).stdout).toContain("  generated/surplus.ts removed\n");
  });

  it("compiles the spec that --spec names into the folder that --out names", async () => {
    const { root } = scratch();
    expect((await callBylaw("/", ["compile", "--spec", join(root, "spec"), "--out", join(root, "other")])).code).toBe(
      0,
    );
    expect(existsSync(join(root, "other/contract.json"))).toBe(true);
  });

  it("does not overwrite a folder of something else", async () => {
    const { root, write } = scratch();
    write("mine/notes.txt", "mine");
    const { code, stderr } = await callBylaw(root, ["compile", "--out", "mine"]);
    expect(code).toBe(2);
    expect(stderr).toContain("is not empty and holds no contract.json");
    expect(readdirSync(join(root, "mine"))).toEqual(["notes.txt"]);
  });

  it("says which file cannot be used", async () => {
    const { root, write } = scratch();
    write("flat", "a file");
    const { code, stderr } = await callBylaw(root, ["compile", "--out", "flat"]);
    expect([code, stderr]).toEqual([2, "error: This is a file, where a folder is needed: flat\n"]);
  });

  it("compiles again when the spec changes, with --watch, and says what changed", async () => {
    const { root, write, read } = scratch();
    const child = spawn(process.execPath, [launcher, "compile", "--watch"], { cwd: root });
    let output = "";
    const waiting = new Set<() => void>();
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      for (const look of waiting) look();
    });
    const shows = (text: string): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!output.includes(text)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      });
    const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
    await shows("Watching spec; end with Ctrl-C.");
    output = "";
    await repeatedly(
      () => write("spec/main.tsp", soundSpec.replace("capacity: 5", "capacity: 7")),
      shows("changed.\n"),
    );
    expect(output).toMatch(/\d\d:\d\d:\d\d spec\/main\.tsp changed\n {2}generated\//);
    expect(read("generated/limits.ts")).toContain("7");
    output = "";
    await repeatedly(() => write("spec/main.tsp", "nonsense"), shows("generated is untouched"));
    child.kill("SIGINT");
    expect(await ended).toBe(0);
  });
});

/** Acts at once and then again and again until the promise is kept: a watcher may need a moment to be all there. */
async function repeatedly(act: () => void, until: Promise<void>): Promise<void> {
  act();
  const timer = setInterval(act, 5_000);
  await until;
  clearInterval(timer);
}
