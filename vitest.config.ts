import { defineConfig } from "vitest/config";

/** What needs PostgreSQL, and nothing else. */
const postgresOnly = ["reference-server/store/**/postgres*.test.ts", "scripts/commands/serve-postgres.test.ts"];

/** What holds on every engine of the store. */
const everyEngine = [
  "reference-server/{server,server-bodies,server-failures}.test.ts",
  "reference-server/{routes,sandbox}/*.test.ts",
  "reference-server/store/sql-store.test.ts",
];

export default defineConfig({
  test: {
    // By default one core is left to vitest itself, which on two cores is half of the machine.
    maxWorkers: "100%",
    // Child processes and real HTTP on a busy machine; a test that needs longer says so.
    testTimeout: 60_000,
    hookTimeout: 60_000,
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
