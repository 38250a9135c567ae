import { describe, expect, test } from "vitest";
import type { RuleId } from "../../generated/rules.ts";
import { rules } from "../../generated/rules.ts";
import { atPart, member } from "../evidence/place.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { stepOf } from "../story/stories.ts";
import { toldStory } from "../story/told.ts";
import { isReading } from "./cause-of.ts";
import { causesOf } from "./causes.ts";
import { answered, at, served } from "./made-up-answers.ts";
import { cleanRun, exchange, finding, ruleResult } from "./made-up-run.ts";

describe("what is done although it is refused", () => {
  const call = (number: number, path: string, status: number): Exchange => {
    const made = exchange(number, status, "{}");
    return { ...made, request: { ...made.request, url: `http://127.0.0.1:1/v1${path}` } };
  };
  const rotation = "/api-keys/11111111-2222-4333-8444-555555555555/rotate";
  /** The causes of a rotation that was refused and had an effect, and of an answer after a call with this status. */
  const leading = (status: number, path: string, rule: RuleId = "KEYG-02"): readonly string[] => {
    const refused = { ...call(3, rotation, 429), operation: "rotateApiKey" };
    const done = finding("ENV-61", "a", "fail", {
      ...{ expected: "the organization as it was before the call", actual: "keys 1 → 0", isEffect: true },
      exchanges: [refused],
    });
    const later = at("getApiKey", 7, 401);
    const missed = finding(rule, "b", "fail", {
      ...{ expected: "2xx success", actual: "401 UNAUTHORIZED", admits: ["success"], exchanges: [later] },
      came: { status: 401, code: "UNAUTHORIZED", isSuccess: false },
      told: toldStory({ steps: [call(6, path, status), later].map(stepOf), before: [] }, () => null),
    });
    const results = [done, missed].map((one) => ruleResult(one.rule, rules[one.rule], "fail", [one]));
    return causesOf({ ...cleanRun, rules: results, checks: [] }).map((cause) =>
      cause.rules.map(({ id }) => id).join(" "),
    );
  };

  test("leads what comes after such a refusal, and nothing else", () => {
    expect(leading(429, rotation)).toEqual(["ENV-61 KEYG-02"]);
    expect(leading(201, rotation)).toHaveLength(2);
    expect(leading(404, rotation)).toHaveLength(2);
    expect(leading(429, "/messages")).toHaveLength(2);
  });

  test("leads what comes after any refusal of the operation where that is what its rule is about", () => {
    expect(leading(404, rotation, "KEYR-07")).toEqual(["ENV-61 KEYR-07"]);
    expect(leading(201, rotation, "KEYR-07")).toHaveLength(2);
  });
});

test("a record in a wrong state leads what is refused for that state", () => {
  const cancel = at("cancelMessage", 2, 409);
  const standing = (status: string) => ({
    omitted: 0,
    steps: [{ ...stepOf(cancel), gives: [], standing: [["{id}'s status", JSON.stringify(status)] as const] }],
  });
  const led = (status: string): string | undefined => {
    const read = at("getMessage", 1);
    const place = { ...atPart(read, member("/data/status"), null), seen: '"delivered"' };
    const state = finding("MSG-46", "a", "fail", { expected: "x", actual: "y", exchanges: [read], at: [place] });
    const refused = finding("MSG-46", "b", "fail", {
      ...answered(409, "MESSAGE_NOT_CANCELABLE", "success"),
      ...{ exchanges: [cancel], at: [], told: standing(status) },
    });
    const results = [ruleResult("MSG-46", rules["MSG-46"], "fail", [refused, state])];
    return causesOf({ ...cleanRun, rules: results, checks: [] })[0]?.primary.check;
  };
  expect(led("delivered")).toBe("a");
  expect(led("canceled")).toBe("b");
});

test("what is carried out in place of a refusal leads what is found after that very call", () => {
  const causesAfter = (number: number): readonly string[] => {
    const change: Exchange = {
      ...at("updateOrganization", 3),
      request: { ...exchange(3, 200, "{}").request, method: "PATCH" },
    };
    const later = at("createBrand", 7, 422);
    const allowed = finding("ORG-03", "a", "fail", { ...served, exchanges: [change] });
    const refused = finding("ORG-05", "a", "fail", {
      ...answered(422, "RESELLER_REQUIRED", "success"),
      exchanges: [later],
      told: toldStory({ steps: [{ ...change, number }, later].map(stepOf), before: [] }, () => null),
    });
    const results = [allowed, refused].map((one) => ruleResult(one.rule, rules[one.rule], "fail", [one]));
    return causesOf({ ...cleanRun, rules: results, checks: [] }).map((cause) =>
      cause.rules.map(({ id }) => id).join(" "),
    );
  };
  expect(causesAfter(3)).toEqual(["ORG-03 ORG-05"]);
  expect(causesAfter(4)).toHaveLength(2);
});

test("what would pass under another reading of an open question comes after what would not", () => {
  const warned = (id: RuleId, exchange: Exchange, question: string | null) =>
    ruleResult(id, rules[id], "warn", [
      finding(id, id, "warn", { expected: id, actual: id, exchanges: [exchange], question }),
    ]);
  const found = causesOf({
    ...cleanRun,
    rules: [warned("WHL-22", at("getBrand", 1), "Q7"), warned("MSG-31", at("sendMessage", 2), null)],
    checks: [],
  });
  expect(found.map((cause) => [cause.rules[0]?.id, isReading(cause)])).toEqual([
    ["MSG-31", false],
    ["WHL-22", true],
  ]);
});

describe("a possible leak", () => {
  const leaks = (actual: string, status: number): readonly boolean[] => {
    const expected = "404 NOT_FOUND";
    const seen = finding("TEN-10", "a", "fail", { expected, actual, exchanges: [at("getBrand", 3, status)] });
    return causesOf({ ...cleanRun, rules: [ruleResult("TEN-10", rules["TEN-10"], "fail", [seen])] }).map(
      ({ isLeak }) => isLeak,
    );
  };

  test("is an answer that is served, and no refusal of another kind", () => {
    expect(leaks("200 success", 200)).toEqual([true]);
    expect(leaks("403 FORBIDDEN", 403)).toEqual([false]);
  });
});
