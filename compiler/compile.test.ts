import { chmodSync, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type CompileOutcome, compileContract } from "./compile.ts";
import { changeOutput, compareOutput, ForeignFolder } from "./output-folder.ts";
import { scratchProject } from "./scratch-project.ts";

const projects: ReturnType<typeof scratchProject>[] = [];
const scratch = (...spec: Parameters<typeof scratchProject>) => {
  const project = scratchProject(...spec);
  projects.push(project);
  return project;
};
afterEach(() => {
  for (const project of projects.splice(0)) project.remove();
});

const mark = ["contract.json", "{}\n"] as const;

function compile(
  { root, entry }: ReturnType<typeof scratchProject>,
  files: Readonly<Record<string, string>> | "as printed",
  check = false,
): Promise<CompileOutcome> {
  const outDir = join(root, "generated");
  const print = files === "as printed" ? {} : { print: () => new Map([mark, ...Object.entries(files)]) };
  return compileContract({ root, entry, outDir, check, ...print });
}

const changesOf = (outcome: CompileOutcome): unknown => (outcome.kind === "compiled" ? outcome.changes : outcome);

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

describe("compileContract", () => {
  it("writes what is printed, and then finds it up to date", async () => {
    const project = scratch();
    expect(await compile(project, "as printed")).toMatchObject({ kind: "compiled", problems: [] });
    expect(project.read("generated/contract.json")).toContain("makeWidget");
    expect(changesOf(await compile(project, "as printed", true))).toEqual([]);
    expect(readdirSync(project.root).sort()).toEqual(["generated", "spec"]);
  });

  it("gives the same bytes in another folder", async () => {
    const [one, other] = [scratch(), scratch()];
    await compile(one, "as printed");
    await compile(other, "as printed");
    const files = filesBelow(join(one.root, "generated"));
    expect(files.map((file) => one.read(`generated/${file}`))).toEqual(
      files.map((file) => other.read(`generated/${file}`)),
    );
  });

  it("writes nothing when the spec does not compile, or breaks a lint rule", async () => {
    for (const piece of ["Answer<Widget> | Unknown", "@scope(Scope.read)\n  listWidgets"]) {
      const project = scratch([[piece, piece.includes("Answer") ? "Answr<Widget>" : "\n  listWidgets"]]);
      project.write("generated/contract.json", "before");
      const outcome = await compile(project, "as printed");
      expect(outcome.kind).toBe("refused");
      expect(outcome.problems.some((p) => p.severity === "error" && p.place?.file === "spec/main.tsp")).toBe(true);
      expect(filesBelow(join(project.root, "generated"))).toEqual(["contract.json"]);
      expect(project.read("generated/contract.json")).toBe("before");
    }
  });

  it("writes nothing when a lock line cannot be read", async () => {
    const project = scratch([], "WID-01 one space\n");
    const outcome = await compile(project, "as printed");
    expect(outcome.problems.map((p) => p.code)).toEqual(["lock-line", "rule-not-locked"]);
    expect(existsSync(join(project.root, "generated"))).toBe(false);
  });

  it("touches changed files only, removes what is no longer printed, and leaves hidden files alone", async () => {
    const project = scratch();
    await compile(project, { "same.ts": "1", "old.ts": "1", "gone/deep/file.ts": "1" });
    project.write("generated/.hidden", "mine");
    const before = statSync(join(project.root, "generated/same.ts"), { bigint: true }).mtimeNs;
    const files = { "same.ts": "1", "old.ts": "2", "new.ts": "3" };
    const expected = [
      { path: "gone/deep/file.ts", change: "superfluous" },
      { path: "new.ts", change: "missing" },
      { path: "old.ts", change: "stale" },
    ];
    expect(changesOf(await compile(project, files, true))).toEqual(expected);
    expect(project.read("generated/old.ts")).toBe("1");
    expect(changesOf(await compile(project, files))).toEqual(expected);
    expect(filesBelow(join(project.root, "generated"))).toEqual([
      ".hidden",
      "contract.json",
      "new.ts",
      "old.ts",
      "same.ts",
    ]);
    expect(existsSync(join(project.root, "generated/gone"))).toBe(false);
    expect(statSync(join(project.root, "generated/same.ts"), { bigint: true }).mtimeNs).toBe(before);
    expect(changesOf(await compile(project, files))).toEqual([]);
  });

  it("does not write into a folder that something else fills, or that holds the spec", async () => {
    const project = scratch();
    project.write("generated/notes.txt", "mine");
    await expect(compile(project, {})).rejects.toThrow(ForeignFolder);
    const { root, entry } = project;
    await expect(compileContract({ root, entry, outDir: root, check: false })).rejects.toThrow(ForeignFolder);
    expect(project.read("generated/notes.txt")).toBe("mine");
  });
});

describe("changeOutput", () => {
  it("puts everything back when a step fails", async () => {
    const project = scratch();
    const folder = join(project.root, "generated");
    const before = { "a.ts": "1", "z.ts": "1" };
    for (const [path, text] of [mark, ...Object.entries(before)]) project.write(`generated/${path}`, text);
    // A folder in the way of the last file: it can be seen only when the file is moved there.
    const files = new Map([mark, ["a.ts", "2"], ["b.ts", "2"], ["z.ts/inner.ts", "2"]]);
    const changes = (await compareOutput(folder, files)).filter(({ path }) => path !== "z.ts");
    await expect(changeOutput(folder, files, changes)).rejects.toThrow();
    expect(filesBelow(folder)).toEqual(["a.ts", "contract.json", "z.ts"]);
    expect(project.read("generated/a.ts")).toBe("1");
    expect(readdirSync(project.root).sort()).toEqual(["generated", "spec"]);
  });

  it.skipIf(process.getuid?.() === 0)("changes nothing in a folder that it may not write to", async () => {
    const project = scratch();
    const folder = join(project.root, "generated");
    for (const [path, text] of [mark, ["a.ts", "1"] as const]) project.write(`generated/${path}`, text);
    const files = new Map([mark, ["a.ts", "2"]]);
    chmodSync(folder, 0o555);
    await expect(changeOutput(folder, files, await compareOutput(folder, files))).rejects.toThrow("EACCES");
    chmodSync(folder, 0o755);
    expect(project.read("generated/a.ts")).toBe("1");
  });
});
