import { expect, test } from "vitest";
import type { Exchange } from "../exchange/exchange.ts";
import { Blocked } from "../outcome/verdict.ts";
import { blamedOnStatus } from "./wrong-status.ts";

const refused = (status: number, code: string): Exchange => ({
  ...{ number: 1, operation: "createLookup", sentAt: 0, answeredAt: 0 },
  request: { method: "POST", url: "http://127.0.0.1:1/v1/lookup", headers: {}, body: null },
  outcome: {
    ...{ kind: "response", status, headers: {}, text: "", truncated: false },
    json: { success: false, error: { code, message: "No.", request_id: "1" } },
  },
});

const ended = new Blocked("a lookup was refused", "see what it takes");

test("blames the server for a documented code with an undocumented status", () => {
  for (const [status, code] of [
    [400, "INSUFFICIENT_CREDIT"],
    [403, "NOT_FOUND"],
  ] as const)
    expect(blamedOnStatus(ended, refused(status, code))).toMatchObject({
      ...{ message: ended.message, origin: "server", unblock: "see ENV-28 first" },
    });
});

test.each([
  [402, "INSUFFICIENT_CREDIT"],
  [404, "NOT_FOUND"],
  [418, "TEAPOT"],
] as const)("keeps the reason for %i %s", (status, code) => {
  expect(blamedOnStatus(ended, refused(status, code))).toBe(ended);
});

test("keeps any other end", () => {
  expect(blamedOnStatus(null, refused(400, "NOT_FOUND"))).toBeNull();
  expect(blamedOnStatus(ended, null)).toBe(ended);
  const lost = new Blocked("the target is gone", "start it", "environment");
  expect(blamedOnStatus(lost, refused(400, "NOT_FOUND"))).toBe(lost);
});
