import { describe, expect, it } from "vitest";
import { concessions } from "./concessions.ts";
import { decidedIn, judgeLawful } from "./judge.ts";
import type { TrialOutcome } from "./trial.ts";

const ran = (verdicts: Readonly<Record<string, string>>): TrialOutcome => ({
  kind: "ran",
  rules: Object.entries(verdicts).map(([id, verdict]) => ({ id, verdict, message: "", checks: [`about ${id}`] })),
  failures: [],
  report: { causes: 0, primary: [], shows: null },
});

const reference = decidedIn(ran({ "KEYC-01": "pass", "WHO-02": "pass", "EVT-15": "warn", "AUTH-25": "blocked" }));

describe("the judgement of a lawful server", () => {
  it("is green where all holds", () => {
    expect(judgeLawful([], ran({ "KEYC-01": "pass" }), reference)).toMatchObject({ holds: true, message: "green" });
  });

  it.each(["fail", "kit_error"])("minds a %s", (verdict) => {
    const found = judgeLawful(["Q43-daily"], ran({ "KEYG-06": verdict }), reference);
    expect(found).toMatchObject({ holds: false, checks: ["about KEYG-06"] });
  });

  it.each(["blocked", "not_applicable", "observed"])("minds a rule of the reference's that is %s", (verdict) => {
    expect(judgeLawful([], ran({ "KEYC-01": verdict, "WHO-02": "pass" }), reference).holds).toBe(false);
  });

  it("minds no rule that the reference leaves undecided too", () => {
    expect(judgeLawful([], ran({ "AUTH-25": "blocked" }), reference).holds).toBe(true);
    expect(judgeLawful([], ran({ "KEYC-01": "blocked" }), null).holds).toBe(true);
  });

  it("rejects a warning of a must, and reports one of a should", () => {
    expect(judgeLawful([], ran({ "KEYG-06": "warn" }), reference).holds).toBe(false);
    expect(judgeLawful([], ran({ "EVT-15": "warn" }), reference)).toMatchObject({
      holds: true,
      message: "warns: EVT-15",
    });
  });

  it("minds nothing that is conceded to the server's choices, and says what that was", () => {
    const found = judgeLawful(
      ["Q59-unknown", "Q43-daily"],
      ran({ "WHO-02": "observed", "KEYG-06": "warn" }),
      reference,
    );
    expect(found).toMatchObject({ holds: true, message: "warns: KEYG-06; undecided: WHO-02" });
    expect(found.conceded.map(({ choices }) => choices)).toEqual([["Q59-unknown"], ["Q43-daily"]]);
    expect(judgeLawful(["Q43-daily"], ran({ "WHO-02": "observed" }), reference).holds).toBe(false);
  });

  it("minds that nothing is left of a run", () => {
    expect(judgeLawful([], { kind: "broken", message: "no result" }, reference).holds).toBe(false);
  });
});

describe("what is conceded", () => {
  it("says why", () => {
    for (const { choices, rules, why } of concessions) {
      expect(choices.length * rules.length).toBeGreaterThan(0);
      expect(why).toMatch(/^[A-Z].+\.$/);
    }
  });
});
