import { afterAll, expect, it } from "vitest";
import { scratchProject } from "../../compiler/scratch-project.ts";
import { callBylaw } from "../call-bylaw.ts";

const sound = scratchProject();
const broken = scratchProject([['@pattern("^[a-z]+$")', '@pattern("[a-z]+$")']], null);
const warned = scratchProject([["/** Gets a widget. */", ""]]);
const suppressed = scratchProject([
  ["/** Gets a widget. */", '#suppress "bylaw/operation-without-summary" "Its name says it."'],
]);
afterAll(() => {
  sound.remove();
  warned.remove();
  suppressed.remove();
  broken.remove();
});

it("exits 0 when nothing is wrong", async () => {
  expect(await callBylaw(sound.root, ["lint"])).toEqual({ code: 0, stdout: "✔ 0 errors.\n", stderr: "" });
});

it("exits 1 and prints every problem", async () => {
  const { code, stdout } = await callBylaw(broken.root, ["lint"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/unanchored-pattern: [\s\S]+rule-not-locked: [\s\S]+✘ 2 errors\.\n$/);
});

it("puts JSON alone on standard output", async () => {
  const { code, stdout, stderr } = await callBylaw(broken.root, ["lint", "--format", "json"], { FORCE_COLOR: "1" });
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

it("shows a warning and exits 0, or 1 where none is allowed", async () => {
  const shown = await callBylaw(warned.root, ["lint"]);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toMatch(/warning bylaw\/operation-without-summary: getWidget [\s\S]+✔ 0 errors, 1 warning\.\n$/);
  const strict = await callBylaw(warned.root, ["lint", "--max-warnings", "0"]);
  expect(strict.code).toBe(1);
  expect(strict.stdout).toMatch(/✘ 0 errors, 1 warning; --max-warnings is 0\.\n$/);
});

it("takes a warning back that the spec suppresses with a reason", async () => {
  expect(await callBylaw(suppressed.root, ["lint", "--max-warnings", "0"])).toMatchObject({
    code: 0,
    stdout: "✔ 0 errors.\n",
  });
});
