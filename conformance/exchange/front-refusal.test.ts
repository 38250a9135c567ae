import { describe, expect, it } from "vitest";
import type { Exchange } from "./exchange.ts";
import { isFrontRefusal } from "./front-refusal.ts";

const responded = (status: number, json: unknown, isOddHttp = true): Exchange => ({
  ...{ number: 1, operation: null, sentAt: 0, answeredAt: 0, isOddHttp },
  request: { method: "GET", url: "http://127.0.0.1:1/v1/api-keys/%", headers: {}, body: null },
  outcome: { kind: "response", status, headers: {}, text: "", json, truncated: false },
});

describe("a refusal by a proxy or an HTTP parser", () => {
  it.each([400, 403, 411, 414, 431, 501, 505])("has status %i and no envelope", (status) => {
    expect(isFrontRefusal(responded(status, undefined))).toBe(true);
  });

  it.each([200, 302, 500, 502, 503])("never has status %i", (status) => {
    expect(isFrontRefusal(responded(status, undefined))).toBe(false);
  });

  it("never has a property of the envelope", () => {
    expect(isFrontRefusal(responded(400, { success: false }))).toBe(false);
    expect(isFrontRefusal(responded(400, { error: {} }))).toBe(false);
  });

  it("is a response to odd HTTP only", () => {
    expect(isFrontRefusal(responded(400, undefined, false))).toBe(false);
  });
});
