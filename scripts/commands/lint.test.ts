import { afterAll, expect, it } from "vitest";
import { scratchProject } from "../../compiler/scratch-project.ts";
import { runBylaw } from "../run-bylaw.ts";

const sound = scratchProject();
const broken = scratchProject([['@pattern("^[a-z]+$")', '@pattern("[a-z]+$")']], null);
afterAll(() => {
  sound.remove();
  broken.remove();
});

it("exits 0 when nothing is wrong", () => {
  expect(runBylaw(sound.root, ["lint"])).toEqual({ code: 0, stdout: "✔ 0 errors.\n", stderr: "" });
});

it("exits 1 and prints every problem", () => {
  const { code, stdout } = runBylaw(broken.root, ["lint"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/unanchored-pattern: [\s\S]+rule-not-locked: [\s\S]+✘ 2 errors\.\n$/);
});

it("puts JSON alone on standard output", () => {
  const { code, stdout, stderr } = runBylaw(broken.root, ["lint", "--format", "json"], { FORCE_COLOR: "1" });
  expect([code, stderr]).toEqual([1, ""]);
  expect(JSON.parse(stdout)).toMatchObject({
    errors: 2,
    warnings: 0,
    problems: [
      { code: "unanchored-pattern", severity: "error", place: { file: "spec/main.tsp", column: 3 } },
      { code: "rule-not-locked" },
    ],
  });
});
