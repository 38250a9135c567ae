import { expect, test } from "vitest";
import { operations } from "../../generated/operations.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { finding } from "../reports/made-up-run.ts";
import { stepOf } from "../story/stories.ts";
import { takenForOne } from "./value-probes.ts";

const { id: operation, method, path, idempotencyHeader } = operations.createLookup;

/** A lookup of a number with an idempotency key, whose response shows always the same id. */
const lookup = (number: number, phone_number: string, key: string): Exchange => ({
  ...{ number, operation, sentAt: number, answeredAt: number + 1 },
  request: {
    ...{ method, url: `http://127.0.0.1:1${path}`, body: JSON.stringify({ phone_number }) },
    headers: { [idempotencyHeader ?? ""]: key },
  },
  outcome: {
    ...{ kind: "response", status: 201, headers: {}, text: "", truncated: false },
    json: { success: true, data: { id: "one" } },
  },
});

const says = (exchanges: readonly Exchange[]) =>
  takenForOne.says({
    finding: { ...finding("LKP-16", "a.check", "warn"), at: [], exchanges },
    steps: exchanges.map(stepOf),
    secrets: [],
  });

test("two keys that differ in case are a guess, and two numbers with one key are none", () => {
  expect(says([lookup(1, "+12025550123", "key-a"), lookup(2, "+12025550123", "KEY-A")])).toMatch(/whatever their case/);
  expect(says([lookup(1, "+12025550123", "key-a"), lookup(2, "+12025550124", "key-a")])).toBeNull();
});
