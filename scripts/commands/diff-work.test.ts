import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { launcher, runBylaw } from "../run-bylaw.ts";

const folder = mkdtempSync(join(tmpdir(), "bylaw-start-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Prints on standard error each module that is loaded. */
const telling = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  import { writeSync } from "node:fs";
  registerHooks({ load: (url, context, next) => { writeSync(2, url + "\\n"); return next(url, context); } });
`)}`;

const documents = [5, 4].map((maxLength) => {
  const schema = { type: "string", maxLength };
  const responses = { 200: { description: "Done.", content: { "application/json": { schema } } } };
  const path = join(folder, `${maxLength}.json`);
  writeFileSync(path, JSON.stringify({ openapi: "3.1.0", info: {}, paths: { "/a": { get: { responses } } } }));
  return path;
});

it("tells what its budget does not suffice for as risky, with the reason", () => {
  const { code, stdout, stderr } = runBylaw(folder, ["diff", ...documents, "--budget", "1", "--fail-on", "risky"]);
  expect([code, stderr]).toEqual([1, ""]);
  expect(stdout).toContain("The 200 answer differs: whether anything new is admitted was not decided.");
  expect(stdout).toContain("schema-undecided");
  expect(stdout).toContain("no value shown: Not decided within 1 steps of work.");
});

it.each(["--budget", "--time-limit"])("refuses a %s that is no number above zero", (flag) => {
  const { code, stderr } = runBylaw(folder, ["diff", ...documents, flag, "0"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("It is a whole number from 1 to 1000000000.")]);
});

it("compares two documents without loading the TypeSpec compiler, the kit's checks or an HTTP client", () => {
  const args = ["--import", telling, launcher, "diff", ...documents, "--fail-on", "none"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  expect([status, stdout]).toEqual([0, expect.stringContaining("1 safe")]);
  expect(stderr).toContain("/compiler/diff/diff.ts");
  for (const heavy of ["@typespec/compiler", "/conformance/checks/", "/generated/", "/undici/"])
    expect(stderr).not.toContain(heavy);
});
