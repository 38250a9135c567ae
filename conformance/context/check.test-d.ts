import { check } from "./check.ts";

const facts = { title: "A made-up check", kind: "scenario", needs: [], effects: [], draws: {} } as const;
const evidence = { expected: "this", actual: "that", exchanges: [] };

/** Rules that a check names are its own to decide. */
export const named = check({
  ...facts,
  id: "made-up.named",
  rules: ["KEYC-01", "KEYC-03"],
  async run(t) {
    t.verify("KEYC-01", true, evidence);
    t.observe("KEYC-03", "this was seen");
  },
});

/** A rule that it does not name is none of them. */
export const unnamed = check({
  ...facts,
  id: "made-up.unnamed",
  rules: ["KEYC-01"],
  async run(t) {
    // @ts-expect-error the check does not name this rule
    t.verify("KEYC-03", true, evidence);
    // @ts-expect-error the check does not name this rule
    t.observe("KEYC-03", "this was seen");
  },
});
