import { describe, expect, test } from "vitest";
import { errorRows } from "../../generated/error-rows.ts";
import type { CheckContext } from "../context/context.ts";
import { codeOf, type Exchange, type Outcome } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import { judgeConcurrentCalls } from "./concurrent-calls.ts";

const exchange = (outcome: Outcome): Exchange => ({
  ...{ number: 1, operation: null, request: { method: "POST", url: "", headers: {}, body: null } },
  ...{ outcome, sentAt: 0, answeredAt: 0 },
});
const answer = (status: number, json: unknown): Exchange =>
  exchange({ kind: "response", status, headers: {}, text: JSON.stringify(json), json, truncated: false });

const { code } = errorRows.RateLimited;
const admitted = answer(201, { success: true, data: {} });
const refused = answer(429, { success: false, error: { code } });
const failed = answer(500, { success: false, error: { code: errorRows.InternalError.code } });
const lost = exchange({ kind: "lost", reason: "reset", message: "reset" });

const room = 2;

/** What is said of each rule, and why the rest is left open. */
function judged(...exchanges: readonly Exchange[]) {
  const said: string[] = [];
  const verify: CheckContext["verify"] = (rule, holds, { warnOnly }) => {
    said.push(`${rule} ${holds ? "holds" : warnOnly ? "warns" : "fails"}`);
    return holds;
  };
  const isRefusal = (one: Exchange): boolean => codeOf(one) === code;
  const warnOnly = { tooFew: false, tooMany: false };
  try {
    judgeConcurrentCalls(
      { verify },
      { exchanges, noun: "calls", room, isRefusal, admits: "KEYC-29", refuses: "KEYC-30", warnOnly },
    );
  } catch (error) {
    if (!(error instanceof Blocked)) throw error;
    said.push(`blocked by the ${error.origin}`);
  }
  return said;
}

describe("calls at once", () => {
  test("pass when as many are admitted as there is room for, and the others refused", () => {
    expect(judged(admitted, refused, admitted, refused)).toEqual(["KEYC-30 holds", "KEYC-29 holds"]);
  });

  test("break the limit when more are admitted, whatever else is answered", () => {
    expect(judged(admitted, admitted, admitted)).toContain("KEYC-30 fails");
    expect(judged(admitted, admitted, admitted, failed, lost)).toEqual([
      "KEYC-30 fails",
      "KEYC-29 holds",
      "blocked by the server",
    ]);
  });

  test("break it when some are refused although there is room", () => {
    expect(judged(admitted, refused, refused)).toEqual(["KEYC-30 holds", "KEYC-29 fails"]);
  });

  test("only warn of a call that fails, which proves nothing about the limit", () => {
    expect(judged(admitted, failed, admitted, refused)).toEqual([
      "KEYC-30 warns",
      "KEYC-29 holds",
      "blocked by the server",
    ]);
    expect(judged(admitted, failed, lost, refused)).toEqual(["KEYC-30 warns", "blocked by the server"]);
  });

  test("leave open what a lost call may have been", () => {
    expect(judged(admitted, lost, admitted, refused)).toEqual(["KEYC-29 holds", "blocked by the environment"]);
    expect(judged(admitted, lost, refused)).toEqual(["blocked by the environment"]);
  });

  test("say nothing when none is admitted and none is refused for the limit", () => {
    expect(judged(failed, failed, failed)).toEqual(["blocked by the server"]);
  });
});
