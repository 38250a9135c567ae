import { expect, test } from "vitest";
import { constants } from "../../generated/constants.ts";
import { operations } from "../../generated/operations.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { mayBeOlder } from "./may-be-older.ts";

const seconds = 1_767_225_600;
const clockSkew = 5_000;

const signedAt = (t: number) => ({ headers: [[constants.signatureHeader, `t=${t},v1=00`]] as const });

/** A rotation that was answered at the second, on the kit's clock, with these headers. */
const rotation = (headers: Readonly<Record<string, string>>): Exchange => ({
  number: 1,
  operation: operations.rotateEndpointSecret.id,
  request: { method: "POST", url: "http://target.example", headers: {}, body: null },
  outcome: { kind: "response", status: 200, headers, text: "{}", json: {}, truncated: false },
  sentAt: seconds * 1000,
  answeredAt: seconds * 1000,
});

test("a delivery of the second of the rotation may be older, one of a later second is not", () => {
  // The target's clock is an hour ahead.
  const told = rotation({ date: new Date((seconds + 3600) * 1000).toUTCString() });
  expect(mayBeOlder(signedAt(seconds), told, clockSkew)).toBe(true);
  expect(mayBeOlder(signedAt(seconds + 3601), told, clockSkew)).toBe(true);
  expect(mayBeOlder(signedAt(seconds + 3602), told, clockSkew)).toBe(false);
});

test("without a date the clocks may differ by as much as is allowed for", () => {
  expect(mayBeOlder(signedAt(seconds + 6), rotation({}), clockSkew)).toBe(true);
  expect(mayBeOlder(signedAt(seconds + 7), rotation({}), clockSkew)).toBe(false);
});

test("what bears no time that can be read is not excused", () => {
  expect(mayBeOlder({ headers: [] }, rotation({}), clockSkew)).toBe(false);
});
