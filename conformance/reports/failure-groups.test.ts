import { expect, test } from "vitest";
import { rules } from "../../generated/rules.ts";
import { failureGroups } from "./failure-groups.ts";
import { htmlReport } from "./html.ts";
import { cleanRun, exchange, finding, ruleResult } from "./made-up-run.ts";
import { terminalReport } from "./terminal.ts";

test("of checks that do the same at one operation each, the one that is shown is told with its own sentence", () => {
  const at = (operation: "getApiKey" | "rotateApiKey") => ({
    ...{ id: `keys.twice.${operation}`, title: `${operation} does it once`, operation, verdict: "fail" as const },
    ...{ durationMs: 1, requests: 1 },
  });
  const seen = (operation: string, number: number) =>
    finding("AUTH-05", `keys.twice.${operation}`, "fail", {
      ...{ expected: "401", actual: "200 success", exchanges: [{ ...exchange(number, 200, "{}"), operation }] },
      // The one with a guess is shown.
      likely: number === 2 ? [{ probe: "probe", says: "it is so" }] : [],
    });
  const run = {
    ...cleanRun,
    checks: [at("getApiKey"), at("rotateApiKey")],
    rules: [ruleResult("AUTH-05", rules["AUTH-05"], "fail", [seen("getApiKey", 1), seen("rotateApiKey", 2)])],
  };
  const [group, ...others] = failureGroups(run);
  expect(others).toEqual([]);
  expect(group).toMatchObject({ finding: { check: "keys.twice.rotateApiKey" }, title: "rotateApiKey does it once" });
  expect(htmlReport(run)).toContain("<code>keys.twice.rotateApiKey</code>: rotateApiKey does it once");
  expect(terminalReport(run, { colour: false, width: 100, reports: [], quiet: false })).toContain(
    "keys.twice.rotateApiKey: rotateApiKey does it once",
  );
});
