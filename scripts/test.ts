import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { styleText } from "node:util";

/** One thing that must hold, as a command that exits 0 when it does. */
interface Step {
  readonly name: string;
  readonly command: readonly string[];
  /** What to do when it fails. */
  readonly fix: string;
}

const scratch = mkdtempSync(join(tmpdir(), "bylaw-test-"));
const results = join(scratch, "vitest.json");

/** What needs no tests; some at a time. */
const lookedAt: readonly Step[] = [
  { name: "types", command: ["tsc"], fix: "mend the types" },
  {
    name: "style and imports",
    command: ["biome", "ci", "--error-on-warnings", "."],
    fix: "run npm run format",
  },
  { name: "format of the spec", command: ["tsp", "format", "--check", "spec/**/*.tsp"], fix: "run npm run format" },
  {
    name: "generated files",
    command: ["bylaw", "compile", "--check"],
    fix: "run npx bylaw compile and commit the result",
  },
  {
    name: "OpenAPI by Redocly",
    command: ["redocly", "lint", "generated/openapi.yaml", "generated/sandbox.openapi.yaml"],
    fix: "mend the spec",
  },
  {
    name: "OpenAPI by Spectral",
    command: ["spectral", "lint", "--fail-severity=warn", "generated/openapi.yaml", "generated/sandbox.openapi.yaml"],
    fix: "mend the spec",
  },
  { name: "dead code", command: ["knip"], fix: "delete what nothing uses" },
];

const tests: Step = {
  name: "tests",
  command: ["vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${results}`],
  fix: "mend what broke",
};

/** Runs a command of node_modules/.bin; its output is shown when it fails, or as it comes for the tests. */
async function holds({ name, command: [program = "", ...args] }: Step): Promise<boolean> {
  const live = name === "tests";
  const child = spawn(
    program === "bylaw" ? "node" : program,
    program === "bylaw" ? ["scripts/bylaw.js", ...args] : args,
    {
      stdio: ["ignore", live ? "inherit" : "pipe", live ? "inherit" : "pipe"],
      // Tests start many processes that read the same modules.
      env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "../node_modules/.cache/bylaw"), ...process.env },
    },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number>((resolve) => {
    child.on("error", (error) => {
      output += error.message;
      resolve(1);
    });
    child.on("close", (status) => resolve(status ?? 1));
  });
  if (code !== 0 && !live) console.log(output.trimEnd());
  return code === 0;
}

function testCounts(): { readonly passed: number; readonly failed: number; readonly skipped: number } {
  try {
    const report = JSON.parse(readFileSync(results, "utf8")) as Record<string, number>;
    return {
      passed: report.numPassedTests ?? 0,
      failed: report.numFailedTests ?? 0,
      skipped: report.numPendingTests ?? 0,
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

const failures: Step[] = [];
const take = async (step: Step): Promise<void> => {
  const held = await holds(step);
  if (!held) failures.push(step);
  console.log(`${held ? styleText("green", "✔") : styleText("red", "✘")} ${step.name}`);
};
const waiting = [...lookedAt];
const lane = async (): Promise<void> => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await take(next);
};
await Promise.all(Array.from({ length: availableParallelism() }, lane));
await take(tests);
const { passed, failed, skipped } = testCounts();
rmSync(scratch, { recursive: true });
for (const { name, fix } of failures) console.log(`${name}: ${fix}`);
const others = failures.filter((step) => step.name !== "tests").length;
console.log(
  `${passed + lookedAt.length - others} passed, ${failed + others} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`,
);
process.exitCode = failures.length > 0 || passed === 0 ? 1 : 0;
