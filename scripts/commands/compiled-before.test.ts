import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compiledBefore, noteCompiled, stateOf } from "./compiled-before.ts";

const root = mkdtempSync(join(tmpdir(), "bylaw-compiled-"));
afterAll(() => rmSync(root, { recursive: true }));

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const files = [
  ...["spec/main.tsp", "spec/resources/widget.tsp", "compiler/compile.ts", "generated/contract.json"],
  ...["conformance/a.ts", "reference-server/a.ts", "scripts/a.ts", "docs/a.md"],
  ...["README.md", "CONTRIBUTING.md", "package.json", "package-lock.json"],
];
for (const file of files) write(file, `of ${file}`);

const noteFile = join(root, "node_modules/.cache/compiled.json");
const note = { files: 227, rules: 602 };
const state = (): string => stateOf(root) ?? "none";

describe("what was compiled before", () => {
  it("is known as long as every file is as it was, whenever it was written", () => {
    expect(compiledBefore(noteFile, state())).toBe(null);
    noteCompiled(noteFile, state(), note);
    utimesSync(join(root, "spec/main.tsp"), 1, 1);
    expect(compiledBefore(noteFile, state())).toEqual(note);
  });

  it.each(files)("is not known when %s has changed, and is again when it is as before", (file) => {
    const text = readFileSync(join(root, file), "utf8");
    write(file, text.replace("of", "if"));
    expect(compiledBefore(noteFile, state())).toBe(null);
    write(file, text);
    expect(compiledBefore(noteFile, state())).toEqual(note);
  });

  it("is not known when a file came, went or got another name", () => {
    write("generated/more.ts", "");
    expect(compiledBefore(noteFile, state())).toBe(null);
    rmSync(join(root, "generated/more.ts"));
    expect(compiledBefore(noteFile, state())).toEqual(note);
    renameSync(join(root, "scripts/a.ts"), join(root, "scripts/b.ts"));
    expect(compiledBefore(noteFile, state())).toBe(null);
    renameSync(join(root, "scripts/b.ts"), join(root, "scripts/a.ts"));
    rmSync(join(root, "package-lock.json"));
    expect(stateOf(root)).toBe(null);
    write("package-lock.json", "of package-lock.json");
  });

  it("is nothing where the note cannot be read, or cannot be written", () => {
    writeFileSync(noteFile, "{");
    expect(compiledBefore(noteFile, state())).toBe(null);
    noteCompiled(join(root, "README.md/compiled.json"), state(), note);
    expect(compiledBefore(join(root, "README.md/compiled.json"), state())).toBe(null);
  });
});
