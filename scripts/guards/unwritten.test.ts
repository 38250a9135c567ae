import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { unwritten, unwrittenCode } from "../new/unwritten.ts";

const root = resolve(import.meta.dirname, "../..");

it("nothing that was begun by command is left unwritten", () => {
  const files = globSync("{reference-server,conformance}/**/*.ts", { cwd: root });
  expect(files.length).toBeGreaterThan(300);
  const left = files.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((line, at) => (unwrittenCode.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  );
  expect(left, "write these, or take them out").toEqual([]);
});

it("what was begun is known by what it throws", () => {
  expect(`throw new Error("${unwritten("webhooks.reading")}");`).toMatch(unwrittenCode);
  expect(`throw new Error("${unwritten("WHE-19-lost")}");`).toMatch(unwrittenCode);
});
