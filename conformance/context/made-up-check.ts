import type { Check } from "./check.ts";

/** A check that does nothing, for tests. */
export const madeUpCheck = (more: Partial<Check>): Check => ({
  id: "made-up.check",
  title: "A made-up check",
  rules: ["KEYC-01"],
  kind: "scenario",
  needs: ["key"],
  effects: ["reads"],
  draws: {},
  run: async () => undefined,
  ...more,
});
