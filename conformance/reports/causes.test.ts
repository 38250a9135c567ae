import { describe, expect, test } from "vitest";
import { errorRows } from "../../generated/error-rows.ts";
import type { RuleId } from "../../generated/rules.ts";
import { rules } from "../../generated/rules.ts";
import type { Admitted, Misanswer } from "../evidence/misanswer.ts";
import { atPart, header, member, type Part } from "../evidence/place.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { RunResult } from "../runner/run-result.ts";
import { causesOf } from "./causes.ts";
import { answered, at, served } from "./made-up-answers.ts";
import { cleanRun, finding, ruleResult } from "./made-up-run.ts";

interface Seen {
  readonly rule: RuleId;
  readonly check: string;
  readonly verdict?: "fail" | "warn" | "kit_error";
  readonly expected: string;
  readonly actual: string;
  readonly by: Exchange;
  /** Where in the answer; nowhere in particular unless given. */
  readonly part?: Part;
  /** The probe that guesses why. */
  readonly probe?: string;
  readonly came?: Misanswer;
  readonly admits?: readonly Admitted[];
  readonly isSilence?: boolean;
  readonly isAstray?: boolean;
}

/** The causes of what was seen, each as its rules; those that lead it first. */
function causes(...all: readonly Seen[]): readonly string[] {
  const byRule = Map.groupBy(all, ({ rule }) => rule);
  const results = [...byRule].map(([id, seen]) =>
    ruleResult(
      id,
      rules[id],
      seen[0]?.verdict ?? "fail",
      seen.map(({ check, verdict = "fail", expected, actual, by, part, probe, ...answer }) =>
        finding(id, check, verdict, {
          message: `expected ${expected}, got ${actual}`,
          expected,
          actual,
          exchanges: [by],
          at: part === undefined ? [] : [atPart(by, part, null)],
          ...answer,
          likely: probe === undefined ? [] : [{ probe, says: "it may be so" }],
        }),
      ),
    ),
  );
  const run: RunResult = { ...cleanRun, rules: results, checks: [] };
  return causesOf(run).map((cause) => cause.rules.map(({ id }) => id).join(" "));
}

describe("one cause", () => {
  test("is what checks see in one answer, and the rule of its operation leads", () => {
    expect(
      causes(
        {
          rule: "ENV-17",
          check: "monitor",
          expected: "no error.details",
          actual: '{"a":1}',
          by: at("setAutoTopUp", 5),
        },
        {
          rule: "BIL-10",
          check: "a",
          expected: "error.details = undefined",
          actual: '{"a":1}',
          by: at("setAutoTopUp", 5),
        },
      ),
    ).toHaveLength(1);
  });

  test("is that callers are served at many operations who are to be refused", () => {
    const at403 = (rule: RuleId, operation: string, number: number, status: number): Seen => ({
      ...{ rule, check: `scopes.${operation}`, by: at(operation, number, status) },
      ...answered(status, "success", "Forbidden"),
    });
    const few = [
      at403("KEYC-21", "createApiKey", 1, 201),
      at403("KEYG-11", "getApiKey", 2, 200),
      at403("WHL-49", "listDeliveryAttempts", 3, 200),
    ];
    expect(causes(...few)).toHaveLength(3);
    expect(causes(...few, at403("WHR-18", "rotateEndpointSecret", 4, 200))).toHaveLength(1);
  });

  test("is what is served in place of one refusal by the rule of them all, whatever the statuses", () => {
    const taken = (operation: string, number: number, status: number, row: Admitted = "InvalidInput"): Seen => ({
      ...{ rule: "ENV-41", check: `texts.${operation}`, by: at(operation, number, status) },
      ...answered(status, "success", row),
    });
    expect(causes(taken("createApiKey", 1, 201), taken("updateProfile", 2, 200))).toHaveLength(1);
    expect(causes(taken("createApiKey", 1, 201), taken("updateProfile", 2, 200, "QuietHours"))).toHaveLength(2);
  });

  test("is whatever breaks a rule of one operation, whether answers or what they bring about show it", () => {
    const [replay, feed] = [at("replayDelivery", 1), at("listDeliveryAttempts", 2)];
    const seen = { expected: "x", actual: "y" };
    expect(
      causes(
        { rule: "WHP-15", check: "a", by: replay, ...seen },
        { rule: "WHP-15", check: "b", by: feed, part: member("/data/0/endpoint_id"), ...seen, actual: "z" },
      ),
    ).toHaveLength(1);
  });

  test("is a refusal that few operations share, wherever it comes in place of a success", () => {
    const refused = (rule: RuleId, operation: string, number: number, code: string): Seen => ({
      ...{ rule, check: rule, by: at(operation, number, 409) },
      ...answered(409, code, "success"),
    });
    const both = (code: string) =>
      causes(refused("NUM-22", "attachCampaign", 1, code), refused("NUM-44", "orderPhoneNumbers", 2, code));
    expect(both(errorRows.BrandNotVerified.code)).toHaveLength(1);
    expect(both(errorRows.Conflict.code)).toHaveLength(2);
  });

  test("is whatever breaks a rule of one member", () => {
    const [made, rotated] = [at("createWebhookEndpoint", 1), at("rotateEndpointSecret", 2)];
    const broken = (rule: RuleId) =>
      causes(
        { rule, check: "a", by: made, expected: "one type", actual: "two" },
        { rule, check: "b", by: rotated, expected: "none", actual: "an event" },
      );
    expect(broken("WHE-10")).toEqual(["WHE-10"]);
    expect(broken("ENV-04")).toHaveLength(2);
  });

  test("is that what an operation brings about comes elsewhere, and not where it was to", () => {
    const seen = (rule: RuleId, check: string, more: Partial<Seen>): Seen => ({
      ...{ rule, check, by: at("replayDelivery", 1 + check.length), expected: rule, actual: check },
      ...more,
    });
    const astray = seen("WHP-15", "a", { isAstray: true });
    expect(causes(astray, seen("WHP-16", "bb", { isSilence: true }))).toHaveLength(1);
    expect(causes(astray, seen("WHE-17", "bb", { isSilence: true }))).toHaveLength(2);
    expect(causes(astray, seen("WHP-16", "bb", {}))).toHaveLength(2);
  });

  test("is what one guess explains, of things that are done in one place for all operations", () => {
    const guessed = (probe: string): readonly Seen[] => [
      { rule: "ENV-02", check: "a", expected: "JSON", actual: "none", by: at("getApiKey", 1), probe },
      { rule: "KEYC-40", check: "b", expected: "x", actual: "y", by: at("createApiKey", 2), probe },
    ];
    expect(causes(...guessed("cut-short"))).toHaveLength(1);
    expect(causes(...guessed("ignored-parameter"))).toHaveLength(2);
  });

  test("tells of each rule that it breaks before it tells of one again", () => {
    const by = at("listMessages", 3);
    const seen = (rule: RuleId, check: string) =>
      finding(rule, check, "fail", { expected: "x", actual: check, exchanges: [by] });
    const findings = { "ENV-02": ["a", "b", "c"], "ENV-05": ["d"] } as const;
    const results = Object.entries(findings).map(([rule, checks]) => {
      const id = rule as keyof typeof findings;
      return ruleResult(
        id,
        rules[id],
        "fail",
        checks.map((check) => seen(id, check)),
      );
    });
    const [cause] = causesOf({ ...cleanRun, rules: results });
    const told = [cause?.primary, ...(cause?.consequences ?? [])].map((group) =>
      group?.rules.map(({ id }) => id).join(),
    );
    expect(told).toEqual(["ENV-02", "ENV-05", "ENV-02", "ENV-02"]);
  });

  test("is one refusal of one operation, whatever was asked of it", () => {
    const [first] = causes(
      {
        rule: "LIM-18",
        check: "a",
        ...answered(422, "CONSENT_REQUIRED"),
        by: at("sendMessage", 3, 422),
      },
      {
        rule: "MSG-06",
        check: "b",
        ...answered(422, "CONSENT_REQUIRED"),
        by: at("sendMessage", 9, 422),
      },
    );
    expect(first).toBe("MSG-06 LIM-18");
  });

  test("is one header at several operations, and the rule that speaks of all of them leads", () => {
    const missing = { expected: "whole seconds", actual: "none", part: header("Retry-After") };
    const [first] = causes(
      { rule: "KEYC-31", check: "a", ...missing, by: at("createApiKey", 3, 429) },
      { rule: "LIM-12", check: "monitor", ...missing, by: at("replayDelivery", 9, 429) },
    );
    expect(first).toBe("LIM-12 KEYC-31");
  });

  test("is told once, with how often it was seen, whatever the ids", () => {
    const run: RunResult = {
      ...cleanRun,
      rules: [
        ruleResult(
          "WHE-08",
          rules["WHE-08"],
          "fail",
          [1, 2, 3].map((n) => {
            const id = `evt_0190a1b2-0000-7000-8000-00000000000${n}`;
            return finding("WHE-08", "a", "fail", { expected: `${id} at 2025-01-01T00:00:0${n}Z`, actual: "none" });
          }),
        ),
      ],
    };
    expect(causesOf(run).map(({ primary, consequences }) => [primary.times, consequences.length])).toEqual([[3, 0]]);
  });

  test("is one refusal of many operations, and who should be served tells of it", () => {
    const failed = (...admits: readonly Admitted[]) => answered(500, "INTERNAL_ERROR", ...admits);
    const by = (operation: string, number: number): Exchange => at(operation, number, 500);
    expect(
      causes(
        { rule: "KEYC-15", check: "a", ...failed("InvalidInput"), by: by("createApiKey", 1) },
        { rule: "KEYG-01", check: "b", ...failed("success"), by: by("getApiKey", 2) },
        { rule: "MSG-60", check: "c", ...failed("NotFound"), by: by("listMessages", 3) },
        { rule: "LKP-11", check: "d", ...failed("NotFound"), by: by("getLookup", 4) },
      ),
    ).toEqual(["KEYG-01 LKP-11 KEYC-15 MSG-60"]);
  });

  test("has a wrong status first and what follows of it for the body behind", () => {
    const [first] = causes(
      {
        rule: "KEYG-01",
        check: "monitor",
        expected: "every member",
        actual: "/data/id must be there",
        by: at("getApiKey", 4),
      },
      { rule: "KEYG-11", check: "a", verdict: "warn", ...served, by: at("getApiKey", 4) },
    );
    expect(first).toBe("KEYG-11 KEYG-01");
  });
});

describe("several causes", () => {
  test("are who is served in place of several refusals", () => {
    expect(
      causes(
        { rule: "KEYC-21", check: "a", ...served, by: at("createApiKey", 3) },
        {
          rule: "KEYC-15",
          check: "b",
          ...answered(200, "success", "InvalidInput"),
          by: at("createApiKey", 9),
        },
      ),
    ).toHaveLength(2);
  });

  test("are one refusal of several operations", () => {
    const refused = answered(409, "CONFLICT", "success");
    expect(
      causes(
        { rule: "KEYC-01", check: "a", ...refused, by: at("createApiKey", 3, 409) },
        { rule: "KEYG-01", check: "b", ...refused, by: at("getApiKey", 9, 409) },
      ),
    ).toHaveLength(2);
  });

  test("are parts of one answer that have nothing to do with each other", () => {
    const by = at("getApiKey", 3);
    expect(
      causes(
        { rule: "ENV-12", check: "monitor", expected: "one", actual: "none", by, part: header("X-Request-Id") },
        { rule: "KEYG-01", check: "monitor", expected: "a string", actual: "1", by, part: member("/data/label") },
      ),
    ).toHaveLength(2);
  });

  test("stand in order: a leak, even one that only warns, breaches by their rules, warnings, faults of the kit", () => {
    const by = (number: number): Exchange =>
      at(["getApiKey", "getBrand", "getLookup", "listMessages"][number] ?? "", number);
    const other = { expected: "x", actual: "y" };
    expect(
      causes(
        { rule: "KEYC-33", check: "k", verdict: "kit_error", ...other, by: by(0) },
        { rule: "LKP-11", check: "a", verdict: "warn", ...other, by: by(2) },
        { rule: "KEYG-02", check: "b", ...other, by: by(0) },
        { rule: "MSG-60", check: "c", ...other, by: by(3) },
        { rule: "MSG-61", check: "c", ...other, by: by(3) },
        { rule: "TEN-10", check: "d", verdict: "warn", ...other, by: by(1) },
      ),
    ).toEqual(["TEN-10", "MSG-60 MSG-61", "KEYG-02", "LKP-11", "KEYC-33"]);
  });
});
