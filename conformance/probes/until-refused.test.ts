import { expect, test } from "vitest";
import type { Exchange } from "../exchange/exchange.ts";
import { finding } from "../reports/made-up-run.ts";
import { sandboxStep, stepOf } from "../story/stories.ts";
import { isBeyondLimit, untilRefused } from "./until-refused.ts";

const sent = (number: number, status: number): Exchange => ({
  ...{ number, operation: "sendMessage", sentAt: number, answeredAt: number },
  request: {
    ...{ method: "POST", url: "http://127.0.0.1:1/v1/messages", headers: { authorization: "Bearer a" }, body: "{}" },
  },
  outcome: {
    ...{ kind: "response", status, headers: {}, text: "", truncated: false },
    json: status < 300 ? { success: true, data: {} } : { success: false, error: { code: "RATE_LIMITED" } },
  },
});

const moved = sandboxStep("move the clock", {
  ...{ method: "POST", url: "http://127.0.0.1:2/organizations/1/clock", headers: {}, status: 200, sentAt: 2 },
  ...{ body: Buffer.from('{"seconds":60}'), answer: Buffer.from("{}") },
});

const shown = sent(4, 202);
const seen = {
  finding: finding("LIM-01", "limits.check", "fail", { exchanges: [shown] }),
  ...{ steps: [stepOf(sent(1, 202)), moved, stepOf(sent(3, 202)), stepOf(shown)], secrets: [] },
};

/** What is told where so many more are admitted. */
async function toldOf(admitted: number, isStill: boolean): Promise<readonly string[]> {
  const answers = Array.from({ length: admitted }, () => 202);
  return untilRefused(seen, shown, async () => sent(10, answers.pop() ?? 429), isStill);
}

test("a call that a limit was to refuse is made until it is, and all are counted where time stands still", async () => {
  expect(await toldOf(18, true)).toEqual([
    "the same call, until it is refused: 18 more admitted, then 429 RATE_LIMITED, for the limit: 20 in all at one time of the organization's clock",
  ]);
  expect((await toldOf(18, false))[0]).toMatch(/18 more admitted, then 429 RATE_LIMITED, for the limit: within \d/);
  expect((await toldOf(1000, true))[0]).toContain("25 more admitted and none refused, 27 in all");
});

test("nothing is told where nothing may be asked", async () => {
  const never = async (): Promise<Exchange> => Promise.reject(new Error("Enough was asked."));
  expect(await untilRefused(seen, shown, never, true)).toEqual([]);
});

test("it is of a limit by what was admitted, or by what its rule says", () => {
  expect(isBeyondLimit(seen, shown)).toBe(true);
  expect(isBeyondLimit(seen, sent(4, 429))).toBe(false);
  expect(isBeyondLimit({ ...seen, finding: { ...seen.finding, rule: "LKP-01" } }, shown)).toBe(false);
  expect(isBeyondLimit({ ...seen, finding: { ...seen.finding, admits: ["Forbidden"] } }, shown)).toBe(false);
});
