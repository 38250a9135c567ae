import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What needs PostgreSQL, and nothing else. */
const postgresOnly = ["reference-server/store/**/postgres*.test.ts", "scripts/commands/serve-postgres*.test.ts"];

/** What holds on every engine of the store. */
const everyEngine = [
  "reference-server/{server,server-bodies,server-failures}.test.ts",
  "reference-server/{routes,sandbox}/*.test.ts",
  "reference-server/store/sql-store.test.ts",
];

/** What takes longest, longest first: whole runs of the kit, or dozens of commands. What begins with one of them has its rank. */
const longest = `
  scripts/conformance. scripts/referee/ scripts/propagation. scripts/hooks. scripts/distorted/
  scripts/soak/ reference-server/store/sql-store. scripts/order. scripts/edits/edits.
  scripts/bench. scripts/probes/ scripts/degenerate/ scripts/commands/new. scripts/edits/two-faults.
  scripts/commands/verify. compiler/diff/diff. scripts/ci/contract-gate. scripts/commands/ scripts/
`
  .trim()
  .split(/\s+/)
  .map((name) => join(import.meta.dirname, name));

/** What runs whole servers and commands first: what is short fills the gaps at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((name) => moduleId.startsWith(name));
      return at === -1 ? longest.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    // Many tests wait for something to happen, so that another one can run meanwhile.
    maxWorkers: availableParallelism() * 2,
    // One process reads and warms up the modules for many files; no test replaces a module or leaves state in one.
    isolate: false,
    // Node reads TypeScript itself: nothing is transformed first, and tests run what the commands run.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongestFirst },
    // Child processes and real HTTP on a busy machine; a test that needs longer says so.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "sqlite",
          include: ["{spec,compiler,reference-server,conformance,scripts}/**/*.test.ts"],
          exclude: postgresOnly,
          provide: { engine: "sqlite" },
        },
      },
      {
        extends: true,
        test: {
          name: "postgresql",
          include: [...postgresOnly, ...everyEngine],
          globalSetup: "reference-server/store/test-databases.ts",
          provide: { engine: "postgresql" },
        },
      },
    ],
  },
});
