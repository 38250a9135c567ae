import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{spec,compiler,reference-server,conformance,scripts}/**/*.test.ts"],
    // Child processes and real HTTP on a busy machine; a test that needs longer says so.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
