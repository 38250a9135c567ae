import { expect, test } from "vitest";
import { standingClocks } from "./standing-clocks.ts";
import type { ToldStep } from "./step.ts";

const id = "f2a1b1de-0000-7000-8000-000000000001";

const step = (through: "api" | "sandbox", what: string | null, path: string, data: unknown, more = {}): ToldStep => ({
  ...{ through, what, exchange: null, seconds: null, at: 1, gives: [], ...more },
  request: { method: "POST", url: `http://127.0.0.1:1${path}`, headers: { authorization: "Bearer key-1" }, body: null },
  outcome: { kind: "response", status: 200, json: { data } },
});

const made = (clock: string): ToldStep =>
  step(
    "sandbox",
    "create an organization",
    "/organizations",
    { id, clock, now: "2026-01-15T04:00:00.000Z" },
    {
      gives: [{ pointer: "/data/key/plaintext", value: "key-1" }],
    },
  );
const moved = step("sandbox", "move the clock", `/organizations/${id}/clock`, { now: "2026-01-15T05:00:00.000Z" });
const call = (): ToldStep => step("api", null, "/v1/messages", {});

test("a call is told the time of its organization, which stands still until it is moved", () => {
  const steps = [made("manual"), call(), moved, call()];
  const clocks = standingClocks(steps);
  expect(steps.map((one) => clocks.get(one) ?? null)).toEqual([
    ...[null, "2026-01-15T04:00:00.000Z", null, "2026-01-15T05:00:00.000Z"],
  ]);
});

test("nothing is told where it goes by itself", () => {
  const steps = [made("real"), call()];
  expect(standingClocks(steps).size).toBe(0);
});
