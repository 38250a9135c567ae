import { spawn } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { styleText } from "node:util";
import { withCompileCache } from "./compile-cache.ts";

/** One thing that must hold, as a command that exits 0 when it does. */
interface Step {
  readonly name: string;
  readonly command: readonly string[];
  /** What to do when it fails. */
  readonly fix: string;
}

const scratch = mkdtempSync(join(tmpdir(), "bylaw-test-"));
const results = join(scratch, "vitest.json");

const documents = globSync("generated/*openapi*.yaml").sort();

/** What needs no tests: looked at while these wait for something. */
const lookedAt: readonly Step[] = [
  {
    name: "types",
    // What was looked at before and is as it was, with all that it imports, is not looked at again.
    command: ["tsc", "--incremental", "--tsBuildInfoFile", "node_modules/.cache/tsc.json"],
    fix: "mend the types",
  },
  {
    name: "style and imports",
    command: ["biome", "ci", "--error-on-warnings", "."],
    fix: "run npm run format",
  },
  { name: "dead code", command: ["knip"], fix: "delete what nothing uses" },
  {
    name: "generated files",
    command: ["bylaw", "compile", "--check"],
    fix: "run npx bylaw compile and commit the result",
  },
  {
    name: "OpenAPI by Spectral",
    command: ["spectral", "lint", "--fail-severity=warn", ...documents],
    fix: "mend the spec",
  },
  {
    name: "OpenAPI by Redocly",
    command: ["redocly", "lint", ...documents],
    fix: "mend the spec",
  },
  { name: "format of the spec", command: ["tsp", "format", "--check", "spec/**/*.tsp"], fix: "run npm run format" },
];

/** The tests of some files, or all; `results` then says how each ended. */
function tests(files: readonly string[] = [], ...options: readonly string[]): Step {
  const reports = ["--reporter=default", "--reporter=json", `--outputFile.json=${results}`];
  return { name: "tests", command: ["vitest", "run", ...reports, ...options, ...files], fix: "mend what broke" };
}

/** More failing files than these are no accident of a busy machine. */
const mostTriedAgain = 3;

/** Runs a command of node_modules/.bin; its output is shown when it fails, or as it comes for the tests. */
async function holds({ name, command: [program = "", ...args] }: Step): Promise<boolean> {
  const live = name === "tests";
  const child = spawn(
    program === "bylaw" ? "node" : program,
    program === "bylaw" ? ["scripts/bylaw.js", ...args] : args,
    {
      stdio: ["ignore", live ? "inherit" : "pipe", live ? "inherit" : "pipe"],
      // Tests start many processes that read the same modules.
      env: withCompileCache,
    },
  );
  // Tests wait by the clock, and this does not.
  if (!live && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
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

/** What `results` says of a run of tests. */
interface TestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    /** Path of the file. */
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

function testReport(): TestReport {
  try {
    return JSON.parse(readFileSync(results, "utf8"));
  } catch {
    return { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, testResults: [] };
  }
}

const failedFiles = ({ testResults }: TestReport): string[] => [
  ...new Set(testResults.filter(({ status }) => status === "failed").map(({ name }) => name)),
];
const failedTests = ({ testResults }: TestReport): string[] =>
  testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ fullName }) => `${relative(process.cwd(), name)}: ${fullName}`),
  );

const failures: Step[] = [];
const told = (held: boolean, { name }: Step): void =>
  console.log(`${held ? styleText("green", "✔") : styleText("red", "✘")} ${name}`);
const kept: Step[] = [];
/** What fails is told at once, what holds beneath the lines of the tests. */
const look = async (): Promise<void> => {
  for (const step of lookedAt) {
    if (await holds(step)) kept.push(step);
    else {
      failures.push(step);
      told(false, step);
    }
  }
};
const looked = look();

let testsHeld = await holds(tests(process.argv.slice(2)));
const report = testReport();
let failed = report.numFailedTests;
// What fails beside others and passes alone waits for the wrong thing: it is named, and refuses nobody's change.
const files = failedFiles(report);
if (!testsHeld && failed > 0 && files.length > 0 && files.length <= mostTriedAgain) {
  console.log(`Trying again, one file at a time: ${files.map((file) => relative(process.cwd(), file)).join(", ")}`);
  testsHeld = await holds(tests(files, "--no-file-parallelism"));
  failed = testsHeld ? 0 : failed;
  if (testsHeld) {
    console.log(styleText("yellow", "unsteady: failed on a busy machine and passed alone; wait for what they assert"));
    for (const test of failedTests(report)) console.log(`  ${test}`);
  }
}
await looked;
for (const step of kept) told(true, step);
const step = tests();
if (!testsHeld) failures.push(step);
told(testsHeld, step);

const passed = report.numPassedTests + (report.numFailedTests - failed);
rmSync(scratch, { recursive: true });
for (const { name, fix } of failures) console.log(`${name}: ${fix}`);
const others = failures.filter(({ name }) => name !== step.name).length;
const skipped = report.numPendingTests;
console.log(
  `${passed + lookedAt.length - others} passed, ${failed + others} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`,
);
process.exitCode = failures.length > 0 || passed === 0 ? 1 : 0;
