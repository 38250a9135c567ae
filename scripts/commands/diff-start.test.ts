import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { launcher } from "../run-bylaw.ts";

const folder = mkdtempSync(join(tmpdir(), "bylaw-start-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Prints on standard error each module that is loaded. */
const telling = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  import { writeSync } from "node:fs";
  registerHooks({ load: (url, context, next) => { writeSync(2, url + "\\n"); return next(url, context); } });
`)}`;

it("compares two documents without loading the TypeSpec compiler, the kit's checks or an HTTP client", () => {
  const [base, head] = [5, 4].map((maxLength) => {
    const schema = { type: "string", maxLength };
    const responses = { 200: { description: "Done.", content: { "application/json": { schema } } } };
    const path = join(folder, `${maxLength}.json`);
    writeFileSync(path, JSON.stringify({ openapi: "3.1.0", info: {}, paths: { "/a": { get: { responses } } } }));
    return path;
  });
  const args = ["--import", telling, launcher, "diff", base ?? "", head ?? "", "--fail-on", "none"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  expect([status, stdout]).toEqual([0, expect.stringContaining("1 safe")]);
  expect(stderr).toContain("/compiler/diff/diff.ts");
  for (const heavy of ["@typespec/compiler", "/conformance/checks/", "/undici/"]) expect(stderr).not.toContain(heavy);
});
